package dev.unseen.kafka;

/**
 * Decides when a head is logged: first on startup, and again before the changelog may delete the
 * latest one.
 */
final class HeadSchedule {
  private final long everyMillis;
  private final long everyEntries;
  private boolean started;
  private long loggedAt;
  private long entries; // since then

  HeadSchedule(ChangelogRetention retention) {
    this.everyMillis = retention.headMillis();
    this.everyEntries = retention.headEntries();
  }

  /** Returns whether to log a head now, and records it as logged. */
  boolean isDue(long nowMillis) {
    if (started && entries < everyEntries && nowMillis - loggedAt < everyMillis) {
      return false;
    }
    started = true;
    loggedAt = nowMillis;
    entries = 0;
    return true;
  }

  void countEntry() {
    entries++;
  }
}
