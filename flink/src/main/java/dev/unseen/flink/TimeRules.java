package dev.unseen.flink;

import dev.unseen.GateBuilder;
import dev.unseen.LateRecords;
import java.io.Serializable;
import java.time.Duration;

/**
 * The options of time that are not part of a filter, so that each task sets them.
 *
 * @param eventTime whether a window of time uses the timestamps of records
 * @param maxAhead how much later than its arrival a timestamp may be; null: the default
 * @param maxJump how much later than the latest before it a timestamp may be; null: any
 * @param late what happens to records that cannot be checked; null: the default
 */
record TimeRules(boolean eventTime, Duration maxAhead, Duration maxJump, LateRecords late)
    implements Serializable {
  private static final long serialVersionUID = 1;

  static final TimeRules NONE = new TimeRules(false, null, null, null);

  TimeRules withEventTime() {
    return new TimeRules(true, maxAhead, maxJump, late);
  }

  TimeRules withMaxAhead(Duration ahead) {
    return new TimeRules(eventTime, ahead, maxJump, late);
  }

  TimeRules withMaxJump(Duration jump) {
    return new TimeRules(eventTime, maxAhead, jump, late);
  }

  TimeRules with(LateRecords policy) {
    return new TimeRules(eventTime, maxAhead, maxJump, policy);
  }

  /** Sets these options. */
  void applyTo(GateBuilder gate) {
    if (eventTime) {
      gate.eventTime();
    }
    if (maxAhead != null) {
      gate.maxTimeAhead(maxAhead);
    }
    if (maxJump != null) {
      gate.maxTimeJump(maxJump);
    }
    if (late != null) {
      gate.lateRecords(late);
    }
  }
}
