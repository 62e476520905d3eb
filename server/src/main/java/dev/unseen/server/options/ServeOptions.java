package dev.unseen.server.options;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.unseen.hash.Secret;
import dev.unseen.server.durable.Fsync;
import dev.unseen.server.resp.RequestLimits;
import dev.unseen.server.store.ExpiryGrid;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of a server, checked and converted. {@code options.txt} describes each under its
 * name; sizes are in bytes, and 0 is any free port.
 *
 * @param limits how large a request may be
 * @param clientAuthorities the certificates that sign those of clients, if clients need one
 */
public record ServeOptions(
    InetAddress bind,
    int port,
    Optional<Integer> httpPort,
    InetAddress httpBind,
    Set<String> httpHosts,
    Optional<Path> directory,
    Optional<Path> backupDirectory,
    Optional<Path> secretFile,
    boolean standby,
    boolean acceptDataLoss,
    Fsync fsync,
    Duration saveEvery,
    long maxJournalBytes,
    long maxMemory,
    long memory,
    double errorRate,
    long setMemory,
    Optional<Duration> setDefaultExpiry,
    int maxKeys,
    int maxDeletedKeys,
    int maxReservations,
    int maxClients,
    long maxBuffers,
    RequestLimits limits,
    Duration idleTimeout,
    Optional<Path> authFile,
    Optional<Path> certificate,
    Optional<Path> privateKey,
    Optional<Path> clientAuthorities,
    int threads) {
  /** With its audit and its traffic, a filter of less memory would take nearly as much. */
  private static final long MIN_FILTER = 64 << 10;

  private static final long MIN_MEMORY = 1 << 20;
  private static final long MIN_REQUEST = 64 << 10;
  private static final long USUAL_MAX_REQUEST = 64 << 20;

  /**
   * Parses options as the command {@code unseen serve} accepts them.
   *
   * @throws IllegalArgumentException if one of them cannot be used
   */
  public static ServeOptions parse(String... args) {
    return new Parser(ServeArguments.parse(args)).options();
  }

  /**
   * Returns the secret that the operator has set, if any.
   *
   * @throws IllegalArgumentException if the file does not contain a secret
   */
  public Optional<Secret> readSecret() throws IOException {
    if (secretFile.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Secret.parse(Files.readString(secretFile.get(), ISO_8859_1)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--secret-file %s: %s".formatted(secretFile.get(), e.getMessage()), e);
    }
  }

  /**
   * Checks the values of options and converts them.
   *
   * @param given all options by their long names; flags have an empty value
   */
  private record Parser(Map<String, String> given) {
    ServeOptions options() {
      long maxMemory = maxMemory();
      long maxBuffers = maxBuffers(maxMemory);
      ServeOptions options =
          new ServeOptions(
              address("--bind"),
              number("--port", 0, 65535),
              given.containsKey("--http")
                  ? Optional.of(number("--http", 0, 65535))
                  : Optional.empty(),
              address("--http-bind"),
              httpHosts(),
              path("--dir"),
              path("--backup-dir"),
              path("--secret-file"),
              given.containsKey("--standby"),
              given.containsKey("--accept-data-loss"),
              Fsync.of(given.get("--fsync")),
              saveEvery(),
              Parse.size("--max-journal", given.get("--max-journal")),
              maxMemory,
              size("--memory", MIN_FILTER),
              errorRate(),
              size("--set-memory", MIN_FILTER),
              setDefaultExpiry(),
              number("--max-keys", 1, 1_000_000),
              number("--max-deleted-keys", 0, 100_000_000),
              number("--max-reservations", 1, 100_000_000),
              number("--max-clients", 1, 1_000_000),
              maxBuffers,
              limits(maxBuffers),
              Parse.duration("--idle-timeout", given.get("--idle-timeout")),
              path("--auth-file"),
              path("--tls-cert"),
              path("--tls-key"),
              path("--tls-client-ca"),
              number("--threads", 1, 256));
      if (options.standby && options.directory.isEmpty()) {
        throw new IllegalArgumentException(
            "--standby waits for the directory of another server; name it with --dir DIRECTORY");
      }
      if (options.certificate.isPresent() != options.privateKey.isPresent()) {
        throw new IllegalArgumentException(
            "--tls-cert and --tls-key belong together: the certificate and its private key, as PEM"
                + " files");
      }
      if (options.clientAuthorities.isPresent() && options.certificate.isEmpty()) {
        throw new IllegalArgumentException(
            "--tls-client-ca needs TLS; add --tls-cert and --tls-key");
      }
      if (!options.bind.isLoopbackAddress()
          && options.authFile.isEmpty()
          && !given.containsKey("--insecure")) {
        throw new IllegalArgumentException(
            "--bind %s lets other machines in; set passwords with --auth-file FILE, or add --insecure if the network protects the server"
                .formatted(given.get("--bind")));
      }
      return options;
    }

    private InetAddress address(String name) {
      try {
        return InetAddress.getByName(given.get(name));
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(
            "%s '%s' is not an address of this machine".formatted(name, given.get(name)), e);
      }
    }

    private Set<String> httpHosts() {
      String text = given.getOrDefault("--http-hosts", "").toLowerCase(Locale.ROOT);
      return Stream.of(text.split(",", -1))
          .map(String::strip)
          .filter(name -> !name.isEmpty())
          .collect(Collectors.toUnmodifiableSet());
    }

    private Optional<Path> path(String name) {
      return Optional.ofNullable(given.get(name)).map(Path::of);
    }

    private Duration saveEvery() {
      String text = given.get("--save-every");
      if (!Parse.isDuration(text) || Parse.duration("--save-every", text).toMillis() < 1000) {
        throw new IllegalArgumentException(
            "--save-every (%s) must be a time of at least 1s, such as 30s, 5m or 1h"
                .formatted(text));
      }
      return Parse.duration("--save-every", text);
    }

    private long maxMemory() {
      long heap = Runtime.getRuntime().maxMemory();
      if (!given.containsKey("--max-memory")) {
        return heap / 100 * 75;
      }
      long bytes = size("--max-memory", MIN_MEMORY);
      if (bytes > heap) {
        throw new IllegalArgumentException(
            "--max-memory (%s) is more than the heap of this process (%d bytes); start it with a larger heap, such as UNSEEN_JAVA_OPTS=-Xmx8g"
                .formatted(given.get("--max-memory"), heap));
      }
      return bytes;
    }

    /**
     * Returns the part of the memory that is for buffers. One request and its arguments fit, even
     * while the array that it is read into grows.
     */
    private long maxBuffers(long maxMemory) {
      String text = given.get("--max-buffers");
      String request = given.get("--max-request");
      long least = buffersFor(request == null ? MIN_REQUEST : requestBytes(request));
      long bytes =
          text == null ? Math.max(least, maxMemory / 8) : Parse.size("--max-buffers", text);
      if (bytes < least) {
        throw new IllegalArgumentException(
            "--max-buffers (%s) must be at least %d bytes, so that one request of --max-request (%s) and its arguments fit"
                .formatted(
                    text,
                    least,
                    Print.bytes(request == null ? MIN_REQUEST : requestBytes(request))));
      }
      if (bytes > maxMemory / 2) {
        throw new IllegalArgumentException(
            "%s of --max-memory (%s) would be for the buffers of clients, which may take at most half of it; raise --max-memory, or lower %s"
                .formatted(
                    Print.bytes(bytes),
                    Print.bytes(maxMemory),
                    text == null ? "--max-request" : "--max-buffers"));
      }
      return bytes;
    }

    private long buffersFor(long requestBytes) {
      return 2 * requestBytes + limitsOf(requestBytes).placesBytes();
    }

    private Optional<Duration> setDefaultExpiry() {
      String name = "--set-default-expiry";
      if (!given.containsKey(name)) {
        return Optional.empty();
      }
      Duration expiry = Parse.duration(name, given.get(name));
      if (expiry.toMillis() < 1 || expiry.toMillis() > ExpiryGrid.LONGEST) {
        throw new IllegalArgumentException(
            "%s (%s) must be 1ms to 366d".formatted(name, given.get(name)));
      }
      return Optional.of(expiry);
    }

    private double errorRate() {
      double rate = Parse.share("--error-rate", given.get("--error-rate"));
      if (rate <= 0 || rate >= 1) {
        throw new IllegalArgumentException(
            "--error-rate (%s) must be above 0 and below 1".formatted(given.get("--error-rate")));
      }
      return rate;
    }

    /**
     * Returns the limits that were given, or the largest request that the buffers have room for.
     */
    private RequestLimits limits(long maxBuffers) {
      if (given.containsKey("--max-request")) {
        return limitsOf(requestBytes(given.get("--max-request")));
      }
      long bytes = USUAL_MAX_REQUEST;
      while (buffersFor(bytes) > maxBuffers) {
        bytes /= 2;
      }
      return limitsOf(bytes);
    }

    private RequestLimits limitsOf(long bytes) {
      return new RequestLimits(number("--max-arguments", 16, 16 << 20), (int) bytes, (int) bytes);
    }

    private static long requestBytes(String text) {
      long bytes = Parse.size("--max-request", text);
      if (bytes < MIN_REQUEST || bytes > 1 << 30) {
        throw new IllegalArgumentException("--max-request (%s) must be 64K to 1G".formatted(text));
      }
      return bytes;
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
        // reported below
      }
      throw new IllegalArgumentException(
          "%s (%s) must be %d to %d".formatted(name, text, least, most));
    }
  }
}
