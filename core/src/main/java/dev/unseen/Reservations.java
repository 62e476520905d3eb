package dev.unseen;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the keys that callers work on at present, in an exact table with a limit. Time is elapsed
 * time, so that a clock that is set does not end reservations or prolong them. Safe for use by many
 * threads.
 */
final class Reservations {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);
  private static final int DEFAULT_MOST = 100_000;

  /** A search for reservations that have timed out visits all of them, so it must be rare. */
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Map<Long, Held> held = new ConcurrentHashMap<>();
  private final int most;
  private final long timeoutNanos;
  private final LongSupplier ticker; // nanoseconds since any moment
  private final AtomicLong lastSweep;

  Reservations(GateConfig config, LongSupplier ticker) {
    this.most = config.get(Option.MAX_RESERVATIONS, DEFAULT_MOST);
    this.timeoutNanos =
        TimeUnit.NANOSECONDS.convert(config.get(Option.RESERVATION_TIMEOUT, DEFAULT_TIMEOUT));
    this.ticker = ticker;
    this.lastSweep = new AtomicLong(ticker.getAsLong());
  }

  /** The answer to a caller that has nothing to commit or to roll back. */
  record Rejected(Status status) implements Reservation {
    @Override
    public boolean commit() {
      return false;
    }

    @Override
    public void rollback() {}
  }

  private final class Held implements Reservation {
    private final long hash;
    private final BooleanSupplier admit;
    private final long since = ticker.getAsLong();
    private final AtomicBoolean settled = new AtomicBoolean();

    Held(long hash, BooleanSupplier admit) {
      this.hash = hash;
      this.admit = admit;
    }

    @Override
    public Status status() {
      return Status.GRANTED;
    }

    boolean isExpired(long now) {
      return now - since >= timeoutNanos;
    }

    @Override
    public boolean commit() {
      if (settled.getAndSet(true)) {
        return false;
      }
      boolean first = admit.getAsBoolean(); // before others can reserve the key again
      release();
      return first;
    }

    @Override
    public void rollback() {
      if (!settled.getAndSet(true)) {
        release();
      }
    }

    /** Frees the key, unless another reservation has replaced this one after a time-out. */
    void release() {
      held.remove(hash, this);
    }
  }

  /**
   * Reserves a hash, with the action of a commit, unless another caller holds or has just committed
   * it.
   */
  Reservation reserve(long hash, BooleanSupplier admit, BooleanSupplier isDuplicate) {
    Held mine = new Held(hash, admit);
    @Nullable Held holder = hold(mine);
    if (holder == null && sweep()) {
      holder = hold(mine);
    }
    if (holder == null) {
      throw new ReservationLimitException(most);
    }
    if (holder != mine) {
      return new Rejected(Reservation.Status.IN_FLIGHT);
    }
    boolean duplicate = true;
    try {
      duplicate = isDuplicate.getAsBoolean();
    } finally {
      if (duplicate) {
        mine.release();
      }
    }
    return duplicate ? new Rejected(Reservation.Status.DUPLICATE) : mine;
  }

  /** Returns which reservation holds the hash now, or null if there is no place for another. */
  private @Nullable Held hold(Held mine) {
    long now = ticker.getAsLong();
    return held.compute(
        mine.hash,
        (key, before) -> {
          if (before == null) {
            return held.size() < most ? mine : null;
          }
          return before.isExpired(now) ? mine : before;
        });
  }

  /** Removes what has timed out, at most once per second. Returns whether it was done now. */
  private boolean sweep() {
    long now = ticker.getAsLong();
    long last = lastSweep.get();
    if (now - last < SWEEP_NANOS || !lastSweep.compareAndSet(last, now)) {
      return false;
    }
    held.values().removeIf(reservation -> reservation.isExpired(now));
    return true;
  }

  /**
   * Returns the number of reservations, some of which may have timed out within the last second.
   */
  int count() {
    sweep();
    return held.size();
  }

  void clear() {
    held.clear();
  }
}
