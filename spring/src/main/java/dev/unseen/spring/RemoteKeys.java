package dev.unseen.spring;

import dev.unseen.Reservation;
import dev.unseen.client.ReservationStore;
import dev.unseen.client.ServerReservations;
import dev.unseen.client.StoreUnavailableException;
import dev.unseen.spring.DeduplicatorProperties.RemoteProperties;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Keys that are kept in a server, which all instances of an application share. Logs when the server
 * cannot be reached, and when it can again.
 *
 * <p>A commit that the server cannot take is tried again until it can, because the work is done.
 */
final class RemoteKeys implements ReservationStore, AutoCloseable {
  private static final Log LOG = LogFactory.getLog(RemoteKeys.class);
  private static final double DEFAULT_RATE = 1e-4; // that of deduplicators
  private static final long RETRY_MILLIS = 500;
  private static final long CLOSE_SECONDS = 5;

  private final String name;
  private final ServerReservations server;
  private final AtomicBoolean down = new AtomicBoolean();
  private final ScheduledExecutorService commits =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "unseen-commit");
            thread.setDaemon(true);
            return thread;
          });

  private RemoteKeys(String name, ServerReservations server) {
    this.name = name;
    this.server = server;
  }

  /**
   * Connects to the server that properties name. If it is down, a later call connects.
   *
   * @throws InvalidConfigurationPropertyValueException if a property is invalid
   * @throws BadOptionException if the server rejects its use
   */
  static RemoteKeys open(String name, String prefix, DeduplicatorProperties properties) {
    RemoteProperties remote = properties.remote();
    if (remote.key() == null || remote.key().isEmpty()) {
      throw new InvalidConfigurationPropertyValueException(
          prefix + ".remote.key", remote.key(), "name the filter on the server, such as orders");
    }
    rejectLocal(prefix + ".memory", properties.memory(), prefix);
    rejectLocal(prefix + ".state.file", properties.state().file(), prefix);
    RemoteKeys keys = new RemoteKeys(name, build(prefix, properties));
    try {
      keys.check();
    } catch (StoreUnavailableException e) {
      // Logged. The server may be started after its clients.
    } catch (IllegalStateException e) {
      keys.close();
      throw new BadOptionException(
          "The server of the deduplicator '%s' cannot be used: %s.".formatted(name, e.getMessage()),
          "Correct %1$s.remote.uri and %1$s.remote.key. If the filter does not exist, set %1$s.expected-keys and %1$s.window to create it."
              .formatted(prefix),
          e);
    }
    return keys;
  }

  private static void rejectLocal(String property, Object value, String prefix) {
    if (value != null) {
      throw new InvalidConfigurationPropertyValueException(
          property,
          value,
          "it is for keys in this process, but %s.remote.uri is set; leave one of them out"
              .formatted(prefix));
    }
  }

  private static ServerReservations build(String prefix, DeduplicatorProperties properties) {
    RemoteProperties remote = properties.remote();
    ServerReservations.Builder builder = ServerReservations.builder().key(remote.key());
    try {
      builder.uri(remote.uri());
    } catch (IllegalArgumentException e) { // the value may contain a password
      throw new BadOptionException(
          "The property %s.remote.uri is rejected: %s.".formatted(prefix, e.getMessage()),
          "Set redis://host:port, redis://user:password@host:port, or rediss:// for TLS.",
          e);
    }
    set(prefix + ".remote.timeout", remote.timeout(), builder::commandTimeout);
    set(prefix + ".reservation-timeout", properties.reservationTimeout(), builder::reservationTime);
    if (properties.window() != null) {
      Double rate = properties.maxFalsePositiveRate();
      set(
          prefix + ".expected-keys",
          properties.expectedKeys(),
          keys ->
              builder.createIfMissing(
                  rate == null ? DEFAULT_RATE : rate, keys, properties.window()));
    }
    return builder.build();
  }

  private static <T> void set(String property, T value, Consumer<T> setter) {
    try {
      if (value != null) {
        setter.accept(value);
      }
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage());
    }
  }

  String name() {
    return name;
  }

  /** Checks that the server can be reached. Throws the exceptions of {@link #reserve}. */
  void check() {
    watched(
        () -> {
          server.check();
          return null;
        });
  }

  private <T> T watched(Supplier<T> call) {
    try {
      T result = call.get();
      if (down.compareAndSet(true, false)) {
        LOG.info("The server of the deduplicator '%s' can be reached again".formatted(name));
      }
      return result;
    } catch (StoreUnavailableException e) {
      if (down.compareAndSet(false, true)) {
        LOG.error(
            "The server of the deduplicator '%s' cannot be used: requests with a key get a 503 until it can: %s"
                .formatted(name, e.getMessage()));
      }
      throw e;
    }
  }

  @Override
  public Reservation reserve(String key) {
    Reservation reservation = watched(() -> server.reserve(key));
    return reservation.status() == Reservation.Status.GRANTED
        ? new Retried(reservation)
        : reservation;
  }

  @Override
  public boolean wasSeen(String key) {
    return watched(() -> server.wasSeen(key));
  }

  @Override
  public void clear() {
    watched(
        () -> {
          server.clear();
          return null;
        });
  }

  @Override
  public void close() {
    commits.shutdown(); // what waits is tried once more
    try {
      if (!commits.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        commits.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.close();
  }

  /** A reservation whose commit is tried again. */
  private final class Retried implements Reservation {
    private final Reservation reservation;

    Retried(Reservation reservation) {
      this.reservation = reservation;
    }

    @Override
    public Status status() {
      return reservation.status();
    }

    @Override
    public boolean commit() {
      try {
        return watched(reservation::commit);
      } catch (StoreUnavailableException e) {
        later();
        return true; // as far as it is known
      }
    }

    private void later() {
      try {
        ScheduledFuture<?> unused =
            commits.schedule(this::commit, RETRY_MILLIS, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        LOG.error(
            "The application ends, and a key could not be marked as processed: a retry would be processed again");
      }
    }

    @Override
    public void rollback() {
      reservation.rollback();
    }
  }
}
