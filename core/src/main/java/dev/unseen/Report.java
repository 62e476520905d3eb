package dev.unseen;

import dev.unseen.Alarm.Reason;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.MeasuredRate;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.Windowed;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.ClockState;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.Counts;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Describes a deduplicator at one moment: counts, load, and estimated and measured errors. {@link
 * Measure#all} gives its numbers names for metrics, JSON and tables.
 */
public final class Report {
  /** The share of lost records above which an alarm is raised, if the user has set no limit. */
  public static final double DEFAULT_ALARM_FPR = 0.01;

  /** The memory counts as too small for a window if it covers less than this share of it. */
  private static final double COVERED = 0.99;

  /** Forgetting counts as a problem if more than one in this number of new records is forgotten. */
  private static final long FEW_FORGOTTEN = 1000;

  private final FilterSpec spec;
  private final long records;
  private final long admitted;
  private final double load;
  private final double estimatedFpr;
  private final MeasuredRate estimatedFnr;
  private final double maxFpr;
  private final Optional<AuditReport> audit;
  private final long memoryBytes;
  private final long overheadBytes;
  private final double windowCoverage;
  private final long tooLate;
  private final long forgotten;
  private final OptionalLong evictedEarly;
  private final long estimatedCardinality;
  private final boolean counts; // whether the filter counts the keys that it forgets
  private final ClockState clock;
  private final int inFlight;

  private Report(
      DuplicateFilter filter,
      long records,
      long admitted,
      double maxFpr,
      Optional<AuditReport> audit,
      long overheadBytes,
      ClockState clock,
      int inFlight,
      boolean live) {
    this.spec = filter.spec();
    this.records = records;
    this.admitted = Math.min(records, admitted); // other threads may continue between the two
    this.load = filter.load();
    this.estimatedFpr = filter.estimatedFpr();
    this.maxFpr = maxFpr;
    this.audit = audit;
    this.memoryBytes = filter.memoryBytes();
    this.overheadBytes = overheadBytes;
    this.windowCoverage = coverage(filter);
    this.tooLate = tooLate(filter);
    this.estimatedCardinality = Math.round(filter.estimatedCardinality());
    this.counts = filter.forgotten().isPresent();
    this.forgotten =
        filter.forgotten().orElse(Math.max(0, this.admitted - this.estimatedCardinality));
    this.evictedEarly = evicted(filter, live);
    this.estimatedFnr = fnr(filter);
    this.clock = clock;
    this.inFlight = inFlight;
  }

  /** Reports on a gate. */
  static Report of(Snapshot state, Optional<AuditReport> audit, int inFlight) {
    return of(state, audit, inFlight, true);
  }

  private static Report of(
      Snapshot state, Optional<AuditReport> audit, int inFlight, boolean live) {
    return new Report(
        state.filter(),
        state.records(),
        state.admitted(),
        state.maxFpr(),
        audit,
        Overhead.of(state),
        state.clock(),
        inFlight,
        live);
  }

  /** Reports on a saved state. */
  public static Report of(Snapshot state) {
    return of(state, state.auditReport(), 0, false);
  }

  private static long tooLate(DuplicateFilter filter) {
    if (filter instanceof ShardedFilter sharded) {
      return sharded.tooLate();
    }
    return filter instanceof Windowed windowed ? windowed.tooLate() : 0;
  }

  private static double coverage(DuplicateFilter filter) {
    if (filter instanceof ShardedFilter sharded) {
      return sharded.coverage();
    }
    return filter instanceof Windowed windowed ? windowed.coverage() : 1;
  }

  /** With a window, the count is not part of a saved state. */
  private OptionalLong evicted(DuplicateFilter filter, boolean live) {
    if (spec.window().isNone()) {
      return filter.forgotten();
    }
    if (!live) {
      return OptionalLong.empty();
    }
    if (filter instanceof ShardedFilter sharded) {
      return OptionalLong.of(sharded.pushedOut());
    }
    return OptionalLong.of(filter instanceof Windowed windowed ? windowed.pushedOut() : 0);
  }

  private MeasuredRate fnr(DuplicateFilter filter) {
    OptionalDouble certain = filter.estimatedFnr();
    if (certain.isPresent()) {
      double rate = certain.getAsDouble();
      return new MeasuredRate(rate, rate, rate, 0, 0);
    }
    MeasuredRate measured = audit.map(AuditReport::fnr).orElse(new MeasuredRate(0, 0, 1, 0, 0));
    // A duplicate can get through only after its key was forgotten.
    double most = filter.forgotten().isPresent() ? Math.min(forgotten, admitted) : admitted;
    double high = Math.min(measured.high(), most == 0 ? 0 : most / (most + duplicates()));
    return new MeasuredRate(
        Math.min(measured.rate(), high),
        Math.min(measured.low(), high),
        high,
        measured.errors(),
        measured.trials());
  }

  /** Returns the spec that the filter was built from. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns the number of records processed. */
  public long records() {
    return records;
  }

  /** Returns the number of records let through. */
  public long admitted() {
    return admitted;
  }

  /** Returns the number of records treated as duplicates. */
  public long duplicates() {
    return records - admitted;
  }

  /** Returns the share of the memory in use, 0 to 1. */
  public double load() {
    return load;
  }

  /** Returns the chance that a new record is lost, estimated from the load. */
  public double estimatedFpr() {
    return estimatedFpr;
  }

  /**
   * Returns the chance that a duplicate gets through, with its interval. A filter that has
   * forgotten nothing knows it; otherwise it is the rate that the audit has measured. Without an
   * audit, the interval goes from 0 to the highest rate that the forgotten keys allow, and the rate
   * is not {@linkplain MeasuredRate#isKnown known}.
   */
  public MeasuredRate estimatedFnr() {
    return estimatedFnr;
  }

  /**
   * Returns the largest share of new records that may be lost. The value is 1 if the user has set
   * no limit.
   */
  public double maxFpr() {
    return maxFpr;
  }

  /** Returns the share of lost new records above which an alarm is raised. */
  public double alarmFpr() {
    return maxFpr < 1 ? maxFpr : DEFAULT_ALARM_FPR;
  }

  /** Returns the errors that the audit has measured on the stream, if there is an audit. */
  public Optional<AuditReport> audit() {
    return audit;
  }

  /** Returns the size of the filter's storage in bytes. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /**
   * Returns an estimate of the memory used in addition to the storage, in bytes: the objects of the
   * filter, about 3 KB, or 350 KB if it has shards, and the table of the audit.
   */
  public long overheadBytes() {
    return overheadBytes;
  }

  /**
   * Returns the share of the window that the memory covers, 0 to 1. The value is 1 if there is no
   * window.
   */
  public double windowCoverage() {
    return windowCoverage;
  }

  /**
   * Returns the number of keys that the filter no longer holds. If the filter does not count them,
   * the number is estimated from the keys that were let through and the keys that the filter holds;
   * with a window, it then includes keys whose window has ended. {@link #evictedEarly} does not.
   */
  public long forgotten() {
    return forgotten;
  }

  /**
   * Returns the number of keys that were evicted to make room for others; with a window, only those
   * evicted before their window had ended, since the filter was built or loaded. The value is empty
   * if the filter does not count them, or a saved state with a window is reported.
   */
  public OptionalLong evictedEarly() {
    return evictedEarly;
  }

  /** Returns an estimate of the number of distinct keys that the filter holds. */
  public long estimatedCardinality() {
    return estimatedCardinality;
  }

  /**
   * Returns the number of records that were later than {@link GateOptions#maxLateness} allows. They
   * could not be checked, and were admitted.
   */
  public long lateTimes() {
    return Counts.sum(clock.late(), tooLate);
  }

  /** Returns the number of records whose time was too far in the future to be used. */
  public long rejectedTimes() {
    return clock.rejected();
  }

  /** Returns the number of keys that are reserved at present. */
  public int inFlight() {
    return inFlight;
  }

  /**
   * Returns whether more new records are lost than allowed. This holds if the estimate is above the
   * limit, or the whole interval that the audit has measured.
   */
  public boolean saturated() {
    return estimatedFpr > alarmFpr() || audit.filter(a -> a.fpr().low() > alarmFpr()).isPresent();
  }

  /** Returns whether the filter forgets keys that it was asked to keep. */
  public boolean forgetting() {
    return windowCoverage < COVERED || (counts && forgotten > admitted / FEW_FORGOTTEN);
  }

  /** Returns the problems that exist at present, each of which is a reason for an alarm. */
  public Set<Reason> alarms() {
    Set<Reason> reasons = EnumSet.noneOf(Reason.class);
    if (saturated()) {
      reasons.add(Reason.FALSE_POSITIVES);
    }
    if (forgetting()) {
      reasons.add(Reason.FORGETTING);
    }
    if (rejectedTimes() > 0) {
      reasons.add(Reason.REJECTED_TIMES);
    }
    if (tooLate > alarmFpr() * records) {
      reasons.add(Reason.LATE_TIMES);
    }
    return reasons;
  }

  private List<Object> values() {
    return List.of(
        spec,
        records,
        admitted,
        load,
        estimatedFpr,
        estimatedFnr,
        maxFpr,
        audit,
        memoryBytes,
        overheadBytes,
        windowCoverage,
        tooLate,
        forgotten,
        evictedEarly,
        estimatedCardinality,
        clock,
        inFlight);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Report report && values().equals(report.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all measures as text. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("Report[").append(spec.describe());
    for (Measure measure : Measure.all()) {
      if (measure.valueIn(this).isPresent()) {
        text.append(", ").append(measure.jsonName()).append('=').append(measure.text(this));
      }
    }
    return text.append(']').toString();
  }
}
