package dev.unseen.server;

import dev.unseen.Alarm;
import dev.unseen.hash.Secret;
import dev.unseen.metrics.PrometheusText;
import dev.unseen.server.access.Users;
import dev.unseen.server.command.Clients;
import dev.unseen.server.command.CommandTable;
import dev.unseen.server.command.Context;
import dev.unseen.server.command.SlowLog;
import dev.unseen.server.durable.DirectoryException;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.monitor.LivePage;
import dev.unseen.server.monitor.Metrics;
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
import dev.unseen.server.store.StoreLimits;
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
  private static final long STANDBY_MILLIS = 250;

  private final ServeOptions options;
  private final ServerClock clock;
  private final Users users;
  private final Clients clients = new Clients();
  private final ExecutorService workers =
      Executors.newFixedThreadPool(WORKERS, new DefaultThreadFactory("unseen-worker", true));

  // Pages have their own thread, so that /healthz is answered while workers save.
  private final ScheduledExecutorService pageMaker =
      Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("unseen-pages", true));
  private final Pages pages;
  private final Listener listener;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean ending = new AtomicBoolean();
  private final int port;
  private final OptionalInt httpPort;
  private volatile Optional<SslContext> tls;
  private volatile String progress = "starting";
  private volatile Loaded loaded; // null until the filters are loaded
  private volatile List<String> loadMessages = List.of();
  private volatile boolean saveOnShutdown = true;

  /** What exists once the filters are loaded. */
  private record Loaded(Context context, CommandTable commands, LivePage page) {}

  private UnseenServer(ServeOptions options, ServerClock clock) throws IOException {
    this.options = options;
    this.clock = clock;
    this.users =
        options.authFile().isPresent() ? Users.read(options.authFile().get()) : Users.anybody();
    this.tls = tls(options);
    this.listener = new Listener(options.threads());
    this.pages =
        new Pages(pageMaker, options.httpHosts()).publish("/healthz", "/readyz", "/metrics");
    pages
        .add("/healthz", () -> Page.text(200, "ok\n"))
        .add("/readyz", () -> Page.text(503, progress + "\n"))
        .add("/metrics", () -> new Page(200, PrometheusText.CONTENT_TYPE, Metrics.whileLoading()));
    try {
      this.port =
          listener.serve(
              new InetSocketAddress(options.bind(), options.port()),
              () -> loaded == null ? null : loaded.commands,
              () -> progress,
              workers,
              () -> tls);
      this.httpPort =
          options.httpPort().isPresent()
              ? OptionalInt.of(
                  listener.serve(
                      new InetSocketAddress(options.httpBind(), options.httpPort().get()), pages))
              : OptionalInt.empty();
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  /**
   * Takes the directory, loads its filters and serves them. With {@code --standby} it first waits
   * for another server to end.
   */
  public void load() throws IOException {
    Optional<Durability> durability = Optional.empty();
    try {
      Optional<Secret> wanted = options.readSecret();
      durability = openDirectory();
      Keyspace keyspace =
          new Keyspace(
              durability.isPresent()
                  ? durability.get().secret(wanted)
                  : wanted.orElseGet(Secret::random),
              new MemoryBudget(options.maxMemory(), options.maxBuffers()),
              new StoreLimits(
                  options.maxKeys(),
                  options.setMemory(),
                  options.maxDeletedKeys(),
                  options.maxReservations()),
              clock);
      keyspace.onAlarm(UnseenServer::warn);
      loadMessages =
          durability.isPresent()
              ? durability
                  .get()
                  .load(keyspace, wanted, options.acceptDataLoss(), done -> progress = done)
              : List.of("filters are not saved; start with --dir DIRECTORY to keep them on disk");
      serve(keyspace, durability);
    } catch (IOException | RuntimeException e) {
      listener.close();
      if (durability.isPresent()) {
        durability.get().close(false);
      }
      if (!ending.get()) { // otherwise it was shut down meanwhile
        throw e;
      }
    }
  }

  private Optional<Durability> openDirectory() throws IOException {
    if (options.directory().isEmpty()) {
      return Optional.empty();
    }
    while (true) {
      try {
        return Optional.of(
            Durability.open(
                options.directory().get(),
                options.fsync(),
                options.saveEvery(),
                options.maxJournalBytes()));
      } catch (DirectoryException e) {
        if (!options.standby() || e.reason() != DirectoryException.Reason.IN_USE) {
          throw e;
        }
        progress = "standby: another server is using the directory";
        awaitStandby(e);
      }
    }
  }

  /** Waits for a moment, or fails if this server is shut down meanwhile. */
  private void awaitStandby(DirectoryException inUse) throws DirectoryException {
    try {
      if (ended.await(STANDBY_MILLIS, TimeUnit.MILLISECONDS)) {
        throw inUse;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw inUse;
    }
  }

  /** A server that is shut down while it loads must not save what it has loaded so far. */
  private synchronized void serve(Keyspace keyspace, Optional<Durability> durability)
      throws IOException {
    if (ending.get()) {
      if (durability.isPresent()) {
        durability.get().close(false);
      }
      return;
    }
    Context context =
        new Context(
            keyspace,
            durability,
            options,
            users,
            clients,
            new SlowLog(),
            new Traffic(),
            clock,
            this::reload,
            this::requestShutdown);
    LivePage page = new LivePage(context, this::clientCommand);
    loaded = new Loaded(context, new CommandTable(context), page);
    page.addTo(pages)
        .add(
            "/metrics",
            query -> {
              boolean each = !query.get("filters").equals(Optional.of("sum"));
              return new Page(200, PrometheusText.CONTENT_TYPE, Metrics.text(context, each));
            })
        .add("/readyz", () -> ready(context));
    listener.loaded();
    pageMaker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
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

  /** Starts a server, and returns when its filters are loaded. */
  public static UnseenServer start(ServeOptions options) throws IOException {
    return start(options, new ServerClock(InstantSource.system(), System::nanoTime));
  }

  /** Starts a server whose expiries and windows are counted by this clock. */
  static UnseenServer start(ServeOptions options, ServerClock clock) throws IOException {
    UnseenServer server = new UnseenServer(options, clock);
    server.load();
    return server;
  }

  /** Starts a server that answers LOADING until {@link #load} has loaded its filters. */
  public static UnseenServer listen(ServeOptions options) throws IOException {
    return new UnseenServer(options, new ServerClock(InstantSource.system(), System::nanoTime));
  }

  private static Optional<SslContext> tls(ServeOptions options) throws IOException {
    if (options.certificate().isEmpty() || options.privateKey().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new TlsFiles(
                options.certificate().get(),
                options.privateKey().get(),
                options.clientAuthorities())
            .read());
  }

  private void tick() {
    clients.tick();
    attempt(clock::check, "the clock of the machine cannot be read");
    Keyspace keyspace = loaded.context.keyspace();
    attempt(keyspace::dropExpired, "expired filters cannot be deleted");
    attempt(keyspace.budget()::tick, "unused memory cannot be returned");
    attempt(
        () -> {
          loaded.context.traffic().tick(keyspace);
          loaded.page.tick();
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

  private static Page ready(Context context) {
    String failure = context.failure();
    return failure.isEmpty() ? Page.text(200, "ok\n") : Page.text(503, failure + "\n");
  }

  /** Returns the command that connects to this server from this machine. */
  private String clientCommand() {
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
    List<String> all = new ArrayList<>(loadMessages);
    all.add(
        0,
        "listening on %s port %d%s%s"
            .formatted(
                options.bind().getHostAddress(),
                port,
                options.certificate().isPresent() ? " with TLS" : "",
                httpPort.isPresent() ? ", HTTP on port " + httpPort.getAsInt() : ""));
    return all;
  }

  /** Returns the commands of a server that has loaded its filters. */
  public CommandTable commands() {
    return loaded.commands;
  }

  public int port() {
    return port;
  }

  public OptionalInt httpPort() {
    return httpPort;
  }

  /**
   * Reads the users and the certificates again. Users that have changed are disconnected; open
   * connections keep the former certificate.
   *
   * @throws IllegalArgumentException if a file cannot be used; then nothing changes
   */
  public synchronized Void reload() throws IOException {
    Optional<SslContext> certificate = tls(options);
    clients.killAll(users.reload());
    tls = certificate;
    LOG.log(System.Logger.Level.INFO, "users and certificates were read again");
    return null;
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
    ended.countDown();
    synchronized (this) {
      listener.close();
      workers.shutdown();
      pageMaker.shutdown();
      if (loaded != null && loaded.context.durability().isPresent()) {
        loaded.context.durability().get().close(saveOnShutdown);
      }
    }
  }
}
