package dev.unseen.server;

import dev.unseen.Alarm;
import dev.unseen.PrometheusText;
import dev.unseen.hash.Secret;
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

/** A server, from its start to its end. */
@SuppressWarnings("FutureReturnValueIgnored") // the tasks end with the server
public final class UnseenServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final int WORKERS = 2;

  private final Keyspace keyspace;
  private final Optional<Durability> durability;
  private final Clients clients = new Clients();
  private final SlowLog slowLog = new SlowLog();
  private final Traffic traffic = new Traffic();
  private final ExecutorService workers =
      Executors.newFixedThreadPool(WORKERS, new DefaultThreadFactory("unseen-worker", true));

  // Pages have a thread of their own, so that /healthz is answered while workers save.
  private final ScheduledExecutorService pageMaker =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("unseen-pages", true));
  private final CommandTable commands;
  private final Listener listener;
  private final LivePage page;
  private final List<String> told = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean ending = new AtomicBoolean();
  private final int port;
  private final OptionalInt httpPort;
  private volatile boolean saveAtEnd = true;

  private UnseenServer(ServeOptions options, InstantSource clock) throws IOException {
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
            new MemoryBudget(options.maxMemory()),
            options.maxKeys(),
            options.setMemory(),
            clock);
    keyspace.onAlarm(UnseenServer::warn);
    this.listener = new Listener(options.threads());
    this.page = new LivePage(this::view, keyspace, traffic, () -> clientCommand(options));
    try {
      if (durability.isPresent()) {
        told.addAll(durability.get().load(keyspace, options.acceptDataLoss()));
      }
      this.commands =
          new CommandTable(
              new Context(
                  keyspace, durability, options, users, clients, slowLog, this::requestEnd));
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
    told.add(
        0,
        "listening at %s port %d%s%s"
            .formatted(
                options.bind().getHostAddress(),
                port,
                tls.isPresent() ? " with TLS" : "",
                httpPort.isPresent() ? ", HTTP at port " + httpPort.getAsInt() : ""));
    if (durability.isEmpty()) {
      told.add("nothing is kept on disk; start with --dir DIRECTORY to keep filters");
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
    return start(options, InstantSource.system());
  }

  /** Starts a server whose expiries and windows are counted by this clock. */
  static UnseenServer start(ServeOptions options, InstantSource clock) throws IOException {
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

  /** Does what is done once a second. */
  private void tick() {
    attempt(keyspace::dropExpired, "filters that have expired cannot be deleted");
    attempt(
        () -> {
          traffic.tick(keyspace);
          page.tick();
        },
        "the page cannot be made");
  }

  private static void attempt(Runnable work, String failure) {
    try {
      work.run();
    } catch (RuntimeException | Error e) { // else there would be no next time
      LOG.log(System.Logger.Level.ERROR, failure, e);
    }
  }

  private Page ready() {
    String failure = failure();
    return failure.isEmpty() ? Page.text(200, "ok\n") : Page.text(503, failure + "\n");
  }

  private String failure() {
    String noted = durability.map(Durability::failure).orElse("");
    String saved = durability.map(Durability::saveFailure).orElse("");
    return !noted.isEmpty()
        ? "the journal cannot be written: " + noted
        : !saved.isEmpty() ? "the last save failed: " + saved : "";
  }

  /** Returns a picture of the server at this moment. */
  public ServerView view() {
    List<FilterView> filters =
        keyspace.all().stream()
            .map(
                filter ->
                    new FilterView(
                        filter.shownName(),
                        filter.report(),
                        filter.forgottenEarly(),
                        traffic.lastOf(filter)))
            .toList();
    return new ServerView(
        System.currentTimeMillis(),
        filters,
        keyspace.budget().used(),
        keyspace.budget().limit(),
        clients.count(),
        clients.requests(),
        durability.map(Durability::lastSaveMillis).orElse(0L),
        durability.map(Durability::lastSaveNanos).orElse(0L),
        failure(),
        slowLog.entries());
  }

  /** Returns the command that connects to this server from this machine. */
  private String clientCommand(ServeOptions options) {
    InetAddress address = options.bind();
    boolean usual = address.isAnyLocalAddress() || address.getHostAddress().equals("127.0.0.1");
    return "redis-cli%s -p %d%s"
        .formatted(
            usual ? "" : " -h " + address.getHostAddress(),
            port,
            options.certificate().isPresent() ? " --tls" : "");
  }

  /** Returns what a person should know about the start, a line for each thing. */
  public List<String> told() {
    return List.copyOf(told);
  }

  /** Returns the commands, for those who send requests without a network. */
  public CommandTable commands() {
    return commands;
  }

  /** Returns the port. */
  public int port() {
    return port;
  }

  /** Returns the port of HTTP, if it is served. */
  public OptionalInt httpPort() {
    return httpPort;
  }

  private void requestEnd(boolean save) {
    saveAtEnd = save;
    ended.countDown();
  }

  /** Waits until a client ends the server. */
  public void await() throws InterruptedException {
    ended.await();
  }

  /** Ends the server: closes all connections, then saves all filters. */
  @Override
  public void close() throws IOException {
    if (ending.getAndSet(true)) {
      return;
    }
    listener.close();
    workers.shutdown();
    pageMaker.shutdown();
    if (durability.isPresent()) {
      durability.get().close(saveAtEnd);
    }
    ended.countDown();
  }
}
