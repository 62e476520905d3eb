package dev.unseen.server;

import dev.unseen.Alarm;
import dev.unseen.hash.Secret;
import dev.unseen.metrics.PrometheusText;
import dev.unseen.server.access.Users;
import dev.unseen.server.command.Clients;
import dev.unseen.server.command.CommandTable;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.monitor.LivePage;
import dev.unseen.server.monitor.Metrics;
import dev.unseen.server.monitor.ServerView;
import dev.unseen.server.monitor.ServerView.FilterView;
import dev.unseen.server.net.Listener;
import dev.unseen.server.net.Pages;
import dev.unseen.server.net.Pages.Page;
import dev.unseen.server.net.TlsFiles;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import dev.unseen.server.store.Names;
import dev.unseen.server.store.ServerClock;
import dev.unseen.server.store.SetKeys;
import dev.unseen.server.store.Traffic;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A running server. */
@SuppressWarnings("FutureReturnValueIgnored") // scheduled tasks end with the server
public final class UnseenServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final int WORKERS = 2;

  private final ServerClock clock;
  private final Keyspace keyspace;
  private final Optional<Durability> durability;
  private final Clients clients = new Clients();
  private final SlowLog slowLog = new SlowLog();
  private final Traffic traffic = new Traffic();
  private final ExecutorService workers =
      Executors.newFixedThreadPool(WORKERS, new DefaultThreadFactory("unseen-worker", true));

  // Pages have their own thread, so that /healthz is answered while workers save.
  private final ScheduledExecutorService pageMaker =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("unseen-pages", true));
  private final CommandTable commands;
  private final Listener listener;
  private final LivePage page;
  private final List<String> startupMessages = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean ending = new AtomicBoolean();
  private final int port;
  private final OptionalInt httpPort;
  private volatile boolean saveOnShutdown = true;

  private UnseenServer(ServeOptions options, ServerClock clock) throws IOException {
    this.clock = clock;
    Users users =
        options.authFile().isPresent() ? Users.read(options.authFile().get()) : Users.anybody();
    Optional<SslContext> tls = tls(options);
    this.durability =
        options.directory().isPresent()
            ? Optional.of(
                Durability.open(
                    options.directory().get(),
                    options.fsync(),
                    options.saveEvery(),
                    options.maxJournalBytes()))
            : Optional.empty();
    this.keyspace =
        new Keyspace(
            durability.isPresent() ? durability.get().secret() : Secret.random(),
            new MemoryBudget(options.maxMemory(), options.maxBuffers()),
            options.maxKeys(),
            options.setMemory(),
            clock);
    keyspace.onAlarm(UnseenServer::warn);
    this.listener = new Listener(options.threads());
    this.page = new LivePage(this::view, keyspace, traffic, () -> clientCommand(options));
    try {
      if (durability.isPresent()) {
        startupMessages.addAll(durability.get().load(keyspace, options.acceptDataLoss()));
      }
      this.commands =
          new CommandTable(
              new Context(
                  keyspace,
                  durability,
                  options,
                  users,
                  clients,
                  slowLog,
                  clock,
                  this::requestShutdown));
      this.port =
          listener.serve(
              new InetSocketAddress(options.bind(), options.port()), commands, workers, tls);
      this.httpPort =
          options.httpPort().isPresent()
              ? OptionalInt.of(
                  listener.serve(
                      new InetSocketAddress(
                          InetAddress.getLoopbackAddress(), options.httpPort().get()),
                      pages()))
              : OptionalInt.empty();
    } catch (IOException | RuntimeException e) {
      listener.close();
      if (durability.isPresent()) {
        durability.get().close(false);
      }
      throw e;
    }
    pageMaker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    startupMessages.add(
        0,
        "listening on %s port %d%s%s"
            .formatted(
                options.bind().getHostAddress(),
                port,
                tls.isPresent() ? " with TLS" : "",
                httpPort.isPresent() ? ", HTTP on port " + httpPort.getAsInt() : ""));
    if (durability.isEmpty()) {
      startupMessages.add("filters are not saved; start with --dir DIRECTORY to keep them on disk");
    }
  }

  private static void warn(String filter, Alarm alarm) {
    LOG.log(
        System.Logger.Level.WARNING,
        "filter '%s': %s%s"
            .formatted(
                Names.shown(filter),
                alarm.message(),
                SetKeys.isName(filter) ? "; start the server with a larger --set-memory" : ""));
  }

  /** Starts a server. */
  public static UnseenServer start(ServeOptions options) throws IOException {
    return start(options, new ServerClock(InstantSource.system(), System::nanoTime));
  }

  /** Starts a server whose expiries and windows are counted by this clock. */
  static UnseenServer start(ServeOptions options, ServerClock clock) throws IOException {
    return new UnseenServer(options, clock);
  }

  private static Optional<SslContext> tls(ServeOptions options) throws IOException {
    if (options.certificate().isEmpty() || options.privateKey().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(TlsFiles.read(options.certificate().get(), options.privateKey().get()));
  }

  private Pages pages() {
    return page.addTo(new Pages(pageMaker))
        .add(
            "/metrics",
            () -> new Page(200, PrometheusText.CONTENT_TYPE, Metrics.text(view(), durability)))
        .add("/healthz", () -> Page.text(200, "ok\n"))
        .add("/readyz", this::ready);
  }

  /** Runs every second. */
  private void tick() {
    attempt(clock::check, "the clock of the machine cannot be read");
    attempt(keyspace::dropExpired, "expired filters cannot be deleted");
    attempt(keyspace.budget()::tick, "unused memory cannot be returned");
    attempt(
        () -> {
          traffic.tick(keyspace);
          page.tick();
        },
        "the live page cannot be updated");
  }

  private static void attempt(Runnable work, String failure) {
    try {
      work.run();
    } catch (RuntimeException | Error e) { // otherwise the task would not run again
      LOG.log(System.Logger.Level.ERROR, failure, e);
    }
  }

  private Page ready() {
    String failure = failure();
    return failure.isEmpty() ? Page.text(200, "ok\n") : Page.text(503, failure + "\n");
  }

  private String failure() {
    String journal = durability.map(Durability::failure).orElse("");
    String saved = durability.map(Durability::saveFailure).orElse("");
    return !journal.isEmpty()
        ? "the journal cannot be written: " + journal
        : !saved.isEmpty() ? "the last save failed: " + saved : "";
  }

  /** Returns a snapshot of the state of the server. */
  public ServerView view() {
    List<FilterView> filters =
        keyspace.all().stream()
            .map(
                filter ->
                    new FilterView(
                        filter.shownName(),
                        filter.report(),
                        filter.evictedEarly(),
                        traffic.lastOf(filter)))
            .toList();
    return new ServerView(
        System.currentTimeMillis(),
        filters,
        keyspace.budget().used(),
        keyspace.budget().filterLimit(),
        clients.count(),
        clients.requests(),
        durability.map(Durability::lastSaveMillis).orElse(0L),
        durability.map(Durability::lastSaveNanos).orElse(0L),
        failure(),
        clock.jumps(),
        slowLog.entries());
  }

  /** Returns the command that connects to this server from this machine. */
  private String clientCommand(ServeOptions options) {
    InetAddress address = options.bind();
    boolean local = address.isAnyLocalAddress() || address.getHostAddress().equals("127.0.0.1");
    return "redis-cli%s -p %d%s"
        .formatted(
            local ? "" : " -h " + address.getHostAddress(),
            port,
            options.certificate().isPresent() ? " --tls" : "");
  }

  /** Returns messages about the startup for a person, one per line. */
  public List<String> startupMessages() {
    return List.copyOf(startupMessages);
  }

  /** Returns the commands, to run requests without a network. */
  public CommandTable commands() {
    return commands;
  }

  /** Returns the port. */
  public int port() {
    return port;
  }

  /** Returns the HTTP port, if there is one. */
  public OptionalInt httpPort() {
    return httpPort;
  }

  private void requestShutdown(boolean save) {
    saveOnShutdown = save;
    ended.countDown();
  }

  /** Waits until a client shuts the server down. */
  public void await() throws InterruptedException {
    ended.await();
  }

  /** Shuts down: closes all connections, then saves all filters. */
  @Override
  public void close() throws IOException {
    if (ending.getAndSet(true)) {
      return;
    }
    listener.close();
    workers.shutdown();
    pageMaker.shutdown();
    if (durability.isPresent()) {
      durability.get().close(saveOnShutdown);
    }
    ended.countDown();
  }
}
