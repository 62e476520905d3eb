package dev.unseen.client;

import dev.unseen.Reservation;
import dev.unseen.ReservationLimitException;
import dev.unseen.client.ServerConnection.Command;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps keys in a filter of {@code unseen serve}, which several processes share.
 *
 * <pre>{@code
 * ServerReservations orders =
 *     ServerReservations.builder()
 *         .uri("redis://unseen.internal:6379")
 *         .key("orders")
 *         .createIfMissing(1e-6, 10_000_000, Duration.ofDays(1))
 *         .build();
 * orders.runOnce(order.id(), () -> ship(order));
 * }</pre>
 *
 * <p>It connects at the first call, and again after the connection was lost. Threads share one
 * connection. No command is sent twice without the caller's knowledge:
 *
 * <ul>
 *   <li>If the reply to {@code reserve} is lost, it throws a {@link StoreUnavailableException}. To
 *       call it again is safe: if the key was reserved, the answer is {@code IN_FLIGHT} until the
 *       reservation expires.
 *   <li>{@code commit} tries for as long as the command timeout, and reports success if the first
 *       attempt was executed and only its reply was lost. If it still throws, call it again: it
 *       marks the key even after the reservation has expired, or the server was started again.
 *   <li>{@code rollback} and {@code close} never throw because the server cannot be reached: the
 *       reservation expires there.
 * </ul>
 *
 * <p>Other errors, such as a wrong password or a filter that does not exist, are thrown as an
 * {@link IllegalStateException} with the remedy.
 */
public final class ServerReservations implements ReservationStore, AutoCloseable {
  private static final Command RESERVE = new Command("UN.RESERVE");
  private static final Command COMMIT = new Command("UN.COMMIT");
  private static final Command ROLLBACK = new Command("UN.ROLLBACK");
  private static final Command ADMIT = new Command("UN.ADMIT");
  private static final Command EXISTS = new Command("BF.EXISTS");
  private static final Command CREATE = new Command("BF.RESERVE");
  private static final Command INFO = new Command("BF.INFO");
  private static final Command DELETE = new Command("DEL");

  private final ServerConnection server;
  private final String filter;
  private final String reservationMillis;
  private final @Nullable NewFilter create;

  /** The filter to create if the server has none of this name. */
  private record NewFilter(double maxFalsePositiveRate, long expectedKeys, Duration window) {}

  private ServerReservations(Builder from, RedisURI uri, String filter) {
    this.server = new ServerConnection(uri, from.commandTimeout);
    this.filter = filter;
    this.reservationMillis = Long.toString(from.reservationTime.toMillis());
    this.create = from.create;
  }

  /** Starts to describe a server and its filter. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Reservation reserve(String key) {
    Objects.requireNonNull(key, "key is null");
    List<Object> reply =
        Objects.requireNonNull(
            call(
                RESERVE,
                () -> new ArrayOutput<>(StringCodec.UTF8),
                filter,
                key,
                "PX",
                reservationMillis));
    String status = String.valueOf(reply.get(0));
    return switch (status) {
      case "GRANTED" -> new ServerReservation(this, key, String.valueOf(reply.get(1)));
      case "DUPLICATE" -> new NotGranted(Reservation.Status.DUPLICATE);
      case "INFLIGHT" -> new NotGranted(Reservation.Status.IN_FLIGHT);
      default ->
          throw new IllegalStateException(
              "the server at %s replied '%s' to %s; use a client of the server's version"
                  .formatted(server.address(), status, RESERVE));
    };
  }

  /** The answer to a caller that has nothing to commit or to roll back. */
  private record NotGranted(Status status) implements Reservation {
    @Override
    public boolean commit() {
      return false;
    }

    @Override
    public void rollback() {}
  }

  @Override
  public boolean wasSeen(String key) {
    return isOne(number(EXISTS, filter, Objects.requireNonNull(key, "key is null")));
  }

  /**
   * Deletes the filter on the server and creates it again.
   *
   * @throws IllegalStateException if the builder does not say how to create it
   */
  @Override
  public void clear() {
    NewFilter described = create;
    if (described == null) {
      throw new IllegalStateException(
          "the filter '%s' can be cleared only if this client can create it again; call createIfMissing on the builder"
              .formatted(filter));
    }
    number(DELETE, filter);
    create(described);
  }

  /**
   * Checks that the server can be reached and has the filter, which is created if that was asked
   * for. Throws the exceptions of {@link #reserve}.
   */
  public void check() {
    call(INFO, () -> new ArrayOutput<>(StringCodec.UTF8), filter, "CAPACITY");
  }

  boolean commit(String token) {
    return isOne(number(COMMIT, filter, token));
  }

  void rollback(String token) {
    number(ROLLBACK, filter, token);
  }

  /** Marks a key as seen. Returns whether it was new. */
  boolean add(String key) {
    return isOne(number(ADMIT, filter, key));
  }

  Duration commandTimeout() {
    return server.timeout();
  }

  private static boolean isOne(@Nullable Long reply) {
    return reply != null && reply == 1;
  }

  private @Nullable Long number(Command command, String... arguments) {
    return call(command, () -> new IntegerOutput<>(StringCodec.UTF8), arguments);
  }

  private <T> @Nullable T call(
      Command command, Supplier<CommandOutput<String, String, T>> output, String... arguments) {
    try {
      return server.call(command, output.get(), arguments);
    } catch (RedisCommandExecutionException e) {
      if (create == null || !isMissing(e)) {
        throw failure(e);
      }
    }
    create(create);
    try {
      return server.call(command, output.get(), arguments);
    } catch (RedisCommandExecutionException e) {
      throw failure(e);
    }
  }

  private void create(NewFilter described) {
    try {
      server.call(
          CREATE,
          new StatusOutput<>(StringCodec.UTF8),
          filter,
          Double.toString(described.maxFalsePositiveRate),
          Long.toString(described.expectedKeys),
          "WINDOW",
          described.window.toMillis() + "ms");
    } catch (RedisCommandExecutionException e) {
      if (!text(e).equals("ERR item exists")) { // another process has created it
        throw failure(e);
      }
    }
  }

  private static String text(RedisCommandExecutionException reply) {
    return String.valueOf(reply.getMessage());
  }

  private static boolean isMissing(RedisCommandExecutionException reply) {
    return text(reply).equals("ERR not found");
  }

  private RuntimeException failure(RedisCommandExecutionException reply) {
    String text = text(reply);
    String code = text.split(" ", 2)[0];
    return switch (code) {
      case "NORESERVATION" -> new NoReservationException(text);
      case "RESERVATIONLIMIT" ->
          new ReservationLimitException("the server at %s: %s".formatted(server.address(), text));
      case "LOADING", "OOM", "MISCONF" ->
          new StoreUnavailableException(
              "the server at %s cannot serve at present: %s".formatted(server.address(), text),
              false,
              reply);
      case "NOAUTH", "WRONGPASS" ->
          misused(reply, "give the user and the password in the URI, redis://user:password@host");
      case "NOPERM" ->
          misused(reply, "give the user the right 'write' in the server's --auth-file");
      default ->
          isMissing(reply)
              ? misused(
                  reply,
                  "create the filter with BF.RESERVE %s 0.000001 10000000 WINDOW 24h, or call createIfMissing on the builder"
                      .formatted(filter))
              : misused(reply, "check that `unseen serve` is at this address");
    };
  }

  private IllegalStateException misused(RedisCommandExecutionException reply, String remedy) {
    return new IllegalStateException(
        "the server at %s rejected a command on '%s': %s; %s"
            .formatted(server.address(), filter, text(reply), remedy),
        reply);
  }

  /** Closes the connection. Reservations that are not settled expire on the server. */
  @Override
  public void close() {
    server.close();
  }

  /** Describes a server and its filter. */
  public static final class Builder {
    private static final Duration DEFAULT_RESERVATION = Duration.ofMinutes(1);
    private static final Duration MIN_RESERVATION = Duration.ofMillis(10); // of the server
    private static final Duration MAX_RESERVATION = Duration.ofDays(366);
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private @Nullable RedisURI uri;
    private @Nullable String user;
    private @Nullable String password;
    private @Nullable String key;
    private Duration reservationTime = DEFAULT_RESERVATION;
    private Duration commandTimeout = DEFAULT_TIMEOUT;
    private @Nullable NewFilter create;

    private Builder() {}

    /**
     * Sets the address: {@code redis://host:port}, with a user and a password {@code
     * redis://user:password@host:port}, and with TLS {@code rediss://}.
     */
    public Builder uri(String uri) {
      String scheme = Objects.requireNonNull(uri, "uri is null").split(":", 2)[0];
      if (!scheme.equals("redis") && !scheme.equals("rediss")) {
        throw new IllegalArgumentException(
            "uri must begin with redis:// or rediss://, and begins with '%s'".formatted(scheme));
      }
      this.uri = RedisURI.create(uri);
      return this;
    }

    /** Sets the user and the password, if they are not in the URI. */
    public Builder credentials(String user, String password) {
      this.user = Objects.requireNonNull(user, "user is null");
      this.password = Objects.requireNonNull(password, "password is null");
      return this;
    }

    /** Sets the key of the filter on the server. */
    public Builder key(String key) {
      this.key = Objects.requireNonNull(key, "key is null");
      return this;
    }

    /**
     * Sets how long a key is reserved if its caller neither commits nor rolls back: longer than the
     * longest work. The default is a minute.
     */
    public Builder reservationTime(Duration time) {
      Objects.requireNonNull(time, "reservationTime is null");
      if (time.compareTo(MIN_RESERVATION) < 0 || time.compareTo(MAX_RESERVATION) > 0) {
        throw new IllegalArgumentException(
            "reservationTime (%s) must be 10 ms to 366 days".formatted(time));
      }
      this.reservationTime = time;
      return this;
    }

    /** Sets how long a call waits for the server. The default is 2 seconds. */
    public Builder commandTimeout(Duration timeout) {
      this.commandTimeout = positive("commandTimeout", timeout);
      return this;
    }

    /**
     * Creates the filter if the server has none of this key. An existing filter is used as it is.
     *
     * @param maxFalsePositiveRate how likely a new key may be mistaken for one that was seen
     * @param expectedKeys the largest number of keys in a window
     * @param window how long a key is remembered
     */
    public Builder createIfMissing(
        double maxFalsePositiveRate, long expectedKeys, Duration window) {
      if (!(maxFalsePositiveRate > 0 && maxFalsePositiveRate < 1)) {
        throw new IllegalArgumentException(
            "maxFalsePositiveRate (%s) must be above 0 and below 1, such as 1e-6"
                .formatted(maxFalsePositiveRate));
      }
      if (expectedKeys <= 0) {
        throw new IllegalArgumentException(
            "expectedKeys (%d) must be at least 1".formatted(expectedKeys));
      }
      this.create = new NewFilter(maxFalsePositiveRate, expectedKeys, positive("window", window));
      return this;
    }

    private static Duration positive(String name, Duration time) {
      Objects.requireNonNull(time, () -> name + " is null");
      if (time.toMillis() <= 0) {
        throw new IllegalArgumentException(
            "%s (%s) must be at least a millisecond".formatted(name, time));
      }
      return time;
    }

    /** Returns the store. It connects at the first call. */
    public ServerReservations build() {
      RedisURI.Builder address =
          RedisURI.builder(
              Objects.requireNonNull(uri, "uri is missing; name the server, redis://host:port"));
      if (user != null && password != null) {
        address.withAuthentication(user, password);
      }
      return new ServerReservations(
          this,
          address.build(),
          Objects.requireNonNull(key, "key is missing; name the filter on the server"));
    }
  }
}
