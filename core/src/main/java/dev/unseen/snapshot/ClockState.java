package dev.unseen.snapshot;

import dev.unseen.state.Counts;

/**
 * What a state knows of time.
 *
 * @param basis which times the filter went by
 * @param latest the latest time so far, in milliseconds; {@link #NEVER} if there was none
 * @param late how many records came with a time long before the latest
 * @param rejected how many records came with a time too far ahead to be believed
 */
public record ClockState(Basis basis, long latest, long late, long rejected) {
  /** Stands for no time at all. */
  public static final long NEVER = Long.MIN_VALUE;

  /** Nothing is known. */
  public static final ClockState UNKNOWN = new ClockState(Basis.UNKNOWN, NEVER, 0, 0);

  /** Refuses counts that cannot be. */
  public ClockState {
    if (late < 0 || rejected < 0 || late > Counts.MOST || rejected > Counts.MOST) {
      throw new IllegalArgumentException(
          "late (%d) and rejected (%d) must be 0 to %d".formatted(late, rejected, Counts.MOST));
    }
  }

  /** The times that a filter goes by. */
  public enum Basis {
    /** It does not go by time, or the state is too old to tell. */
    UNKNOWN,
    /** The time at which a record arrives. */
    ARRIVAL,
    /** A time that comes with the record. */
    EVENT
  }

  /** Returns the same time with no record counted. */
  ClockState withoutCounts() {
    return new ClockState(basis, latest, 0, 0);
  }

  /** Joins what two states know: the later time, and the sums of the counts. */
  ClockState join(ClockState other) {
    return new ClockState(
        basis == Basis.UNKNOWN ? other.basis : basis,
        Math.max(latest, other.latest),
        Counts.sum(late, other.late),
        Counts.sum(rejected, other.rejected));
  }
}
