package dev.unseen;

/**
 * Determines what happens to a record of event time that cannot be checked: it is later than {@link
 * GateOptions#maxLateness} allows, so the keys that it would be compared with may have expired, or
 * its time is too far in the future to be trusted ({@link GateOptions#maxTimeAhead}).
 *
 * <p>In each case the record is counted ({@link Report#lateTimes}, {@link Report#rejectedTimes}),
 * and its key is not remembered.
 */
public enum LateRecords {
  /** The record is admitted, so that no record is lost. */
  ADMIT,
  /** The record is rejected, so that no duplicate gets through. */
  DROP,
  /** The call fails with a {@link LateRecordException}. */
  FAIL
}
