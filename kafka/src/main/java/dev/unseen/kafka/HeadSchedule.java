package dev.unseen.kafka;

/** Says when a head is logged: at the start, and again before the changelog may delete the last. */
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

  /** Returns whether a head is logged now, and takes it for done. */
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
