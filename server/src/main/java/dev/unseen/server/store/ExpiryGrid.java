package dev.unseen.server.store;

/**
 * The expiries that keys of SET can have. Each has its own filter, so there must not be many: an
 * expiry is rounded up to the next of this list, which contains all common ones.
 */
public final class ExpiryGrid {
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final int[] TENTHS = {100, 150, 200, 300, 400, 500, 600, 800};
  private static final int[] SIXTIETHS = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50};
  private static final int[] HOURS = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18};
  private static final int[] DAYS = {
    1, 2, 3, 4, 5, 7, 10, 14, 15, 20, 21, 28, 30, 31, 40, 45, 60, 75, 90, 120, 150, 180, 240, 300,
    365, 366
  };

  /** The longest expiry in milliseconds. */
  public static final long LONGEST = 366 * DAY;

  private ExpiryGrid() {}

  /** Returns the expiry of the list that is equal to this one or longer, in milliseconds. */
  public static long roundUp(long millis) {
    for (long[] steps : ALL) {
      for (long step : steps) {
        if (millis <= step) {
          return step;
        }
      }
    }
    throw new StoreException(
        StoreException.Reason.EXPIRY_TOO_LONG,
        "an expiry of %d ms is longer than the longest, 366 days (%d ms)"
            .formatted(millis, LONGEST));
  }

  private static final long[][] ALL = {
    times(TENTHS, 1),
    times(SIXTIETHS, SECOND),
    times(SIXTIETHS, MINUTE),
    times(HOURS, HOUR),
    times(DAYS, DAY)
  };

  private static long[] times(int[] counts, long unit) {
    long[] all = new long[counts.length];
    for (int i = 0; i < counts.length; i++) {
      all[i] = counts[i] * unit;
    }
    return all;
  }
}
