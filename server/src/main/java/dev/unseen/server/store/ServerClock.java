package dev.unseen.server.store;

import dev.unseen.clock.SteadyClock;
import dev.unseen.text.Print;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time of the server, which never goes backwards, so that neither do the times in the journal.
 *
 * <p>It is that of a {@link SteadyClock}. If that follows a clock of the machine that was set back,
 * this one continues where it is, and runs slower by a tenth until both agree: it does not stand
 * still, because then no key would expire.
 */
public final class ServerClock implements InstantSource {
  private static final System.Logger LOG = System.getLogger("dev.unseen.server");
  private static final long TOLERANCE_MILLIS = 1000;
  private static final int SLOWER = 10;

  private final InstantSource machine;
  private final LongSupplier ticker;
  private final SteadyClock steady;
  private final AtomicLong latest;
  private volatile long ahead; // milliseconds by which this clock is ahead of the steady one
  private long checkedAt; // in nanoseconds
  private long reported; // jumps

  /**
   * Creates a clock that starts with the time of the machine.
   *
   * @param ticker the elapsed time in nanoseconds, since any moment
   */
  public ServerClock(InstantSource machine, LongSupplier ticker) {
    this.machine = machine;
    this.ticker = ticker;
    this.steady = SteadyClock.of(machine, ticker);
    this.checkedAt = ticker.getAsLong();
    this.latest = new AtomicLong(steady.millis());
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public long millis() {
    long now = steady.millis() + ahead;
    long before = latest.get();
    return now <= before ? before : latest.accumulateAndGet(now, Math::max);
  }

  /** Notices and logs that the clock of the machine was set. To be called every second. */
  public synchronized void check() {
    long nanos = ticker.getAsLong();
    long elapsed = TimeUnit.NANOSECONDS.toMillis(nanos - checkedAt);
    checkedAt = nanos;
    long now = steady.millis();
    long needed = latest.get() - now;
    if (needed > ahead + TOLERANCE_MILLIS) {
      ahead = needed;
    } else if (ahead > 0) {
      ahead = Math.max(0, ahead - elapsed / SLOWER);
    }
    if (steady.jumps() > reported) {
      reported = steady.jumps();
      log(machine.millis() - now);
    }
  }

  private static void log(long apart) {
    LOG.log(
        System.Logger.Level.WARNING,
        "the clock of the machine was set %s by %s; windows and expiries continue with the elapsed time. Check the clock of the machine and its time service"
            .formatted(
                apart < 0 ? "back" : "forward",
                Print.duration(Duration.ofSeconds(Math.abs(apart) / 1000))));
  }

  /** Returns how often the clock of the machine was set, forward or back, since the startup. */
  public long jumps() {
    return steady.jumps();
  }
}
