package dev.unseen.clock;

import dev.unseen.state.Counts;
import java.time.Instant;

/**
 * The times and counts of a clock, as they are saved in a state.
 *
 * @param basis the times that the filter uses
 * @param latest the latest time so far, in milliseconds; {@link #NEVER} if there was none
 * @param rejected the number of records whose time was too far in the future to be used
 */
public record ClockState(Basis basis, long latest, long rejected) {
  /** Stands for no time at all. */
  public static final long NEVER = Long.MIN_VALUE;

  public static final ClockState NONE = new ClockState(Basis.NONE, NEVER, 0);

  public ClockState {
    if (rejected < 0 || rejected > Counts.MOST) {
      throw new IllegalArgumentException(
          "rejected (%d) must be 0 to %d".formatted(rejected, Counts.MOST));
    }
  }

  public enum Basis {
    NONE,
    /** The time at which a record arrives. */
    ARRIVAL,
    /** A time that comes with the record. */
    EVENT
  }

  public ClockState withoutCounts() {
    return new ClockState(basis, latest, 0);
  }

  /** Merges two states: the later of the two times, and the sums of the counts. */
  public ClockState join(ClockState other) {
    return new ClockState(
        basis == Basis.NONE ? other.basis : basis,
        Math.max(latest, other.latest),
        Counts.sum(rejected, other.rejected));
  }

  /** Logs that a clock was ahead, so that its keys keep their ages, and its times are set back. */
  public static void warnAhead(String what, long latest, long now) {
    System.getLogger("dev.unseen")
        .log(
            System.Logger.Level.WARNING,
            "%s has times up to %s, but it is %s: one of the two clocks was wrong. Its keys keep their ages, and their times are set back. Check the clocks"
                .formatted(what, Instant.ofEpochMilli(latest), Instant.ofEpochMilli(now)));
  }
}
