package dev.unseen.server.options;

import dev.unseen.server.durable.Fsync;
import dev.unseen.server.resp.RequestLimits;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** How a server is started. {@link ServeArguments} declares the options and their defaults. */
public final class ServeOptions {
  /** With its audit and its traffic, a filter of less memory would take nearly as much. */
  private static final long MIN_FILTER = 64 << 10;

  private static final long MIN_ALL_FILTERS = 1 << 20;

  private final Map<String, String> given;

  // What requests and connections ask for again and again.
  private final long memory;
  private final double errorRate;
  private final int maxClients;
  private final RequestLimits limits;
  private final Duration idleTimeout;

  private ServeOptions(Map<String, String> given) {
    this.given = given;
    this.memory = size("--memory", MIN_FILTER);
    this.errorRate = readErrorRate();
    this.maxClients = number("--max-clients", 1, 1_000_000);
    this.limits = readLimits();
    this.idleTimeout = Parse.duration("--idle-timeout", given.get("--idle-timeout"));
  }

  /**
   * Checks options.
   *
   * @param given all options by their long names; flags have an empty value
   * @throws IllegalArgumentException if one of them cannot be used
   */
  static ServeOptions of(Map<String, String> given) {
    ServeOptions options = new ServeOptions(Map.copyOf(given));
    options.check();
    return options;
  }

  /**
   * Reads options as the command {@code unseen serve} takes them.
   *
   * @throws IllegalArgumentException if one of them cannot be used
   */
  public static ServeOptions parse(String... args) {
    return ServeArguments.parse(args);
  }

  private void check() {
    port();
    httpPort();
    fsync();
    saveEvery();
    setMemory();
    maxKeys();
    threads();
    maxBuffers();
    maxJournalBytes();
    if (maxMemory() > Runtime.getRuntime().maxMemory()) {
      throw new IllegalArgumentException(
          "--max-memory (%s) is more than the heap of this process (%d bytes); start it with a larger heap, such as UNSEEN_JAVA_OPTS=-Xmx8g"
              .formatted(given.get("--max-memory"), Runtime.getRuntime().maxMemory()));
    }
    if (given.containsKey("--tls-cert") != given.containsKey("--tls-key")) {
      throw new IllegalArgumentException(
          "--tls-cert and --tls-key belong together: the certificate and its private key, as PEM files");
    }
    if (!bind().isLoopbackAddress() && authFile().isEmpty() && !given.containsKey("--insecure")) {
      throw new IllegalArgumentException(
          "--bind %s lets other machines in; give passwords with --auth-file FILE, or say --insecure if the network protects the server"
              .formatted(given.get("--bind")));
    }
  }

  /** Returns the address to listen at. */
  public InetAddress bind() {
    try {
      return InetAddress.getByName(given.get("--bind"));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "--bind '%s' is no address of this machine".formatted(given.get("--bind")), e);
    }
  }

  /** Returns the port to listen at; 0 for any that is free. */
  public int port() {
    return number("--port", 0, 65535);
  }

  /** Returns the port for HTTP, if it is served; 0 for any that is free. */
  public Optional<Integer> httpPort() {
    return given.containsKey("--http") ? Optional.of(number("--http", 0, 65535)) : Optional.empty();
  }

  /** Returns the directory that filters are kept in, if they are kept. */
  public Optional<Path> directory() {
    return Optional.ofNullable(given.get("--dir")).map(Path::of);
  }

  /** Returns whether to start although files in the directory are missing. */
  public boolean acceptDataLoss() {
    return given.containsKey("--accept-data-loss");
  }

  /** Returns when the journal is forced to the disk. */
  public Fsync fsync() {
    return Fsync.of(given.get("--fsync"));
  }

  /** Returns the time between two saves. */
  public Duration saveEvery() {
    String text = given.get("--save-every");
    if (!Parse.isDuration(text) || Parse.duration("--save-every", text).toMillis() < 1000) {
      throw new IllegalArgumentException(
          "--save-every (%s) must be a time of at least 1s, such as 30s, 5m or 1h".formatted(text));
    }
    return Parse.duration("--save-every", text);
  }

  /** Returns the size at which the journal is replaced by a save, in bytes. */
  public long maxJournalBytes() {
    return Parse.size("--max-journal", given.get("--max-journal"));
  }

  /** Returns the bytes that all filters may use together. */
  public long maxMemory() {
    String text = given.get("--max-memory");
    return text == null
        ? Runtime.getRuntime().maxMemory() / 100 * 75
        : size("--max-memory", MIN_ALL_FILTERS);
  }

  /** Returns the bytes of requests and replies that all connections may hold. */
  public long maxBuffers() {
    String text = given.get("--max-buffers");
    RequestLimits one = limits();
    long least = 2L * one.requestBytes() + one.placesBytes();
    if (text == null) {
      return Math.max(least, Runtime.getRuntime().maxMemory() / 8);
    }
    long bytes = Parse.size("--max-buffers", text);
    if (bytes < least) {
      throw new IllegalArgumentException(
          "--max-buffers (%s) must be at least %d bytes, so that one request of --max-request (%s) and its arguments fit"
              .formatted(text, least, given.get("--max-request")));
    }
    return bytes;
  }

  /** Returns the bytes of a filter about whose size nothing was said. */
  public long memory() {
    return memory;
  }

  /** Returns the bytes of the filter for each expiry of SET. */
  public long setMemory() {
    return size("--set-memory", MIN_FILTER);
  }

  /** Returns the share of new items that a filter may lose, if nothing was said. */
  public double errorRate() {
    return errorRate;
  }

  private double readErrorRate() {
    double rate = Parse.share("--error-rate", given.get("--error-rate"));
    if (rate <= 0 || rate >= 1) {
      throw new IllegalArgumentException(
          "--error-rate (%s) must be above 0 and below 1".formatted(given.get("--error-rate")));
    }
    return rate;
  }

  /** Returns the largest number of filters. */
  public int maxKeys() {
    return number("--max-keys", 1, 1_000_000);
  }

  /** Returns the largest number of connections. */
  public int maxClients() {
    return maxClients;
  }

  /** Returns the file of users, if there is one. */
  public Optional<Path> authFile() {
    return Optional.ofNullable(given.get("--auth-file")).map(Path::of);
  }

  /** Returns the file of the certificate, if TLS is spoken. */
  public Optional<Path> certificate() {
    return Optional.ofNullable(given.get("--tls-cert")).map(Path::of);
  }

  /** Returns the file of the private key, if TLS is spoken. */
  public Optional<Path> privateKey() {
    return Optional.ofNullable(given.get("--tls-key")).map(Path::of);
  }

  /** Returns how long a client may send no request. */
  public Duration idleTimeout() {
    return idleTimeout;
  }

  /** Returns the number of event loops. */
  public int threads() {
    return number("--threads", 1, 256);
  }

  /** Returns how large a request may be. */
  public RequestLimits limits() {
    return limits;
  }

  private RequestLimits readLimits() {
    long bytes = Parse.size("--max-request", given.get("--max-request"));
    if (bytes < 1 << 16 || bytes > 1 << 30) {
      throw new IllegalArgumentException(
          "--max-request (%s) must be 64K to 1G".formatted(given.get("--max-request")));
    }
    return new RequestLimits(number("--max-arguments", 16, 16 << 20), (int) bytes, (int) bytes);
  }

  private long size(String name, long least) {
    String text = given.get(name);
    long bytes = Parse.size(name, text);
    if (bytes < least) {
      throw new IllegalArgumentException(
          "%s (%s) must be at least %s; give a larger size, such as %s 64M"
              .formatted(name, text, Print.bytes(least), name));
    }
    return bytes;
  }

  private int number(String name, int least, int most) {
    String text = given.get(name);
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "%s (%s) must be %d to %d".formatted(name, text, least, most));
  }
}
