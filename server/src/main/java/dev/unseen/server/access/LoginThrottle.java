package dev.unseen.server.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Slows down those who guess passwords. An address may give a few wrong ones; then its passwords
 * are checked one per second, whatever the number of its connections, until it has given no wrong
 * one for a minute. Safe for use by many threads.
 */
public final class LoginThrottle {
  private static final int FREE_FAILURES = 5;
  private static final long INTERVAL_MILLIS = 1000;
  private static final long MAX_WAIT_MILLIS = 10_000;
  private static final long KEPT_MILLIS = 60_000;
  private static final int MAX_ADDRESSES = 10_000;

  private static final class Attempts {
    private int failures;
    private long lastFailure;
    private long nextCheck;
  }

  private final LongSupplier nanos;
  private final LongAdder failures = new LongAdder();
  private final Map<String, Attempts> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Attempts> eldest) {
          return size() > MAX_ADDRESSES;
        }
      };

  /**
   * Creates a throttle.
   *
   * @param nanos the elapsed time in nanoseconds, since any moment
   */
  public LoginThrottle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private long now() {
    return TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong());
  }

  /**
   * Returns for how many milliseconds the next password of an address has to wait before it is
   * checked; -1 if so many wait that it must be rejected unchecked.
   */
  public synchronized long delay(String address) {
    Attempts attempts = byAddress.get(address);
    long now = now();
    if (attempts == null || attempts.failures < FREE_FAILURES) {
      return 0;
    }
    if (now - attempts.lastFailure > KEPT_MILLIS) {
      byAddress.remove(address);
      return 0;
    }
    long next = Math.max(now, attempts.nextCheck) + INTERVAL_MILLIS;
    if (next - now > MAX_WAIT_MILLIS) {
      return -1;
    }
    attempts.nextCheck = next;
    return next - now;
  }

  public synchronized void failed(String address) {
    failures.increment();
    Attempts attempts = byAddress.computeIfAbsent(address, key -> new Attempts());
    long now = now();
    if (now - attempts.lastFailure > KEPT_MILLIS) {
      attempts.failures = 0;
    }
    attempts.failures++;
    attempts.lastFailure = now;
  }

  public long failures() {
    return failures.sum();
  }
}
