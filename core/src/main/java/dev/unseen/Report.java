package dev.unseen;

import dev.unseen.Alarm.Reason;
import dev.unseen.audit.AuditReport;
import dev.unseen.audit.AuditReport.MeasuredRate;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Capacity;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.Counts;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Describes a deduplicator at one moment: counts, load, and estimated and measured errors. {@link
 * Measure#all} gives its numbers names for metrics, JSON and tables.
 */
public final class Report {
  /** The share of lost records above which an alarm is raised, if the user has set no limit. */
  public static final double DEFAULT_ALARM_FPR = 0.01;

  /** The memory counts as too small for a window if it covers less than this share of it. */
  static final double COVERED = 0.99;

  /** Evictions count as a problem if more than one key in this number is evicted early. */
  private static final long EVICTED_ONE_IN = 10_000;

  /** Up to this number, evictions may be due to chance. */
  private static final long FEW_EVICTED = 10;

  /**
   * The filter counts as too small if it holds more keys than fit by this factor. The loss is still
   * small then, one key in 15,000 or less, but 5 % more keys would cost thirty times as many.
   */
  private static final double TOO_MANY = 1.01;

  /**
   * The memory counts as enough again if it holds fewer keys than fit by this factor. With a window
   * the number of keys falls by an eighth at each step, which must not end an alarm.
   */
  private static final double ENOUGH_AGAIN = 0.8;

  // The bytes of the objects of a filter and of the arrays of a batch, for any memory.
  private static final long ONE_FILTER = 3_300;
  private static final long ONE_SHARD = 2_700;

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
  private final long lateTimes;
  private final long rejectedTimes;
  private final OptionalLong evictedEarly;
  private final long estimatedCardinality;
  private final OptionalLong keysThatFit;
  private final Live live;
  private final double ownFpr; // without that of predecessors
  private final long predecessorBytes;
  private final OptionalLong handoverLeft;

  /** What a report contains of a gate in use; of rescued records, empty means that none can be. */
  record Live(
      boolean inUse,
      int inFlight,
      long clockJumps,
      boolean jumpedLately,
      boolean admitsLate,
      OptionalLong rescued) {
    private static final Live SAVED = new Live(false, 0, 0, false, true, OptionalLong.empty());
  }

  /** Reports on the state of a gate. */
  Report(Snapshot state, Live live) {
    DuplicateFilter filter = state.filter();
    List<Predecessor> predecessors =
        state.predecessors().stream().map(one -> new Predecessor(one, state.spec())).toList();
    this.spec = state.spec();
    this.live = live;
    this.records = state.records();
    // Other threads may continue between the two.
    this.admitted = Math.min(records, Counts.sum(state.admitted(), live.rescued.orElse(0)));
    this.load = filter.load();
    this.ownFpr = filter.estimatedFpr();
    this.estimatedFpr = Math.min(1, ownFpr + sum(predecessors, DuplicateFilter::estimatedFpr));
    this.predecessorBytes = (long) sum(predecessors, one -> (double) one.memoryBytes());
    this.maxFpr = state.maxFpr();
    this.audit = audited(state, live.admitsLate);
    this.memoryBytes = filter.memoryBytes();
    this.overheadBytes = overhead(state);
    this.windowCoverage = filter.coverage();
    this.lateTimes = filter.tooLate();
    this.rejectedTimes = state.clock().rejected();
    this.estimatedCardinality = Math.round(filter.estimatedCardinality());
    this.keysThatFit = keysThatFit(state);
    this.evictedEarly = evicted(filter, live.inUse);
    this.estimatedFnr = fnr(filter, state.dropped(), predecessors);
    long moment = spec.window().isTime() ? state.clock().latest() : records;
    this.handoverLeft =
        predecessors.stream()
            .mapToLong(one -> one.left(moment, state.admitted()))
            .filter(left -> left < Long.MAX_VALUE)
            .max();
  }

  /** Reports on a saved state. */
  public static Report of(Snapshot state) {
    return new Report(state, Live.SAVED);
  }

  private static Optional<AuditReport> audited(Snapshot state, boolean admitsLate) {
    long unchecked = Counts.sum(state.filter().tooLate(), state.clock().rejected());
    long checked = Math.max(0, state.records() - unchecked);
    long admitted = Math.max(0, state.admitted() - (admitsLate ? unchecked : 0));
    return state.audit().map(audit -> audit.report(checked, Math.min(checked, admitted)));
  }

  private static OptionalLong keysThatFit(Snapshot state) {
    OptionalLong all = Capacity.keysThatFit(state.spec(), state.shards());
    return all.isEmpty() || state.shards() == 1
        ? all
        : OptionalLong.of(
            (long) ((double) all.getAsLong() * state.heldShards().size() / state.shards()));
  }

  /** Returns an estimate, which a test compares with what JOL measures. */
  private static long overhead(Snapshot state) {
    long filters = state.shards() == 1 ? ONE_FILTER : state.heldShards().size() * ONE_SHARD;
    return filters + state.audit().map(Audit::memoryBytes).orElse(0L);
  }

  /** With a window, the count is not part of a saved state. */
  private OptionalLong evicted(DuplicateFilter filter, boolean live) {
    if (spec.window().isNone()) {
      return filter.evicted();
    }
    return live ? OptionalLong.of(filter.evictedEarly()) : OptionalLong.empty();
  }

  private static double sum(
      List<Predecessor> predecessors, ToDoubleFunction<DuplicateFilter> value) {
    return predecessors.stream().mapToDouble(one -> value.applyAsDouble(one.filter())).sum();
  }

  private MeasuredRate fnr(DuplicateFilter filter, long dropped, List<Predecessor> predecessors) {
    OptionalDouble certain = filter.estimatedFnr();
    boolean keptAll = dropped == 0 && predecessors.stream().allMatch(Predecessor::hasEvictedNone);
    if (keptAll && (certain.isPresent() || hasEvictedNone(filter))) {
      double rate = certain.orElse(0);
      return new MeasuredRate(rate, rate, rate, 0, 0);
    }
    MeasuredRate measured = audit.map(AuditReport::fnr).orElse(new MeasuredRate(0, 0, 1, 0, 0));
    // A duplicate can get through only after its key was evicted.
    long gone = keptAll ? filter.evicted().orElse(admitted) : admitted;
    double most = (double) Math.min(gone, admitted);
    double high = Math.min(measured.high(), most == 0 ? 0 : most / (most + duplicates()));
    return new MeasuredRate(
        Math.min(measured.rate(), high),
        Math.min(measured.low(), high),
        high,
        measured.errors(),
        measured.trials());
  }

  /**
   * Returns whether no key was ever evicted early. With a window the coverage shows it, without
   * rounding; a record that was too late to be checked may be a duplicate.
   */
  private boolean hasEvictedNone(DuplicateFilter filter) {
    return spec.window().isNone()
        ? filter.evicted().equals(OptionalLong.of(0))
        : windowCoverage == 1 && lateTimes == 0;
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

  /**
   * Returns the number of records that were admitted although the filter had seen their keys,
   * because {@link DeduplicatorBuilder#confirm} had not. They are included in {@link #admitted}. It
   * counts since the deduplicator was built or loaded: a saved state counts them as duplicates. The
   * value is empty if there is no second opinion.
   */
  public OptionalLong rescued() {
    return live.rescued;
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
   * Returns the chance that a duplicate gets through, with its interval. It is 0 if no key was
   * evicted early; otherwise it is the rate that the audit has measured. Without an audit, the
   * interval goes from 0 to the highest rate that the evicted keys allow, and the rate is not
   * {@linkplain MeasuredRate#isKnown known}. With a window, duplicates in its last eighth do not
   * count: a key may expire that much early.
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
   * Returns the size of the filters from before a change of options, in bytes, which are consulted
   * until nothing that they know can matter. The value is 0 if there are none.
   */
  public long predecessorBytes() {
    return predecessorBytes;
  }

  /**
   * Returns what is left until the last filter from before a change of options is dropped: the
   * milliseconds or records by which the window must move, or without a window the number of new
   * keys to admit. The value is empty if there is none, or if it stays, because {@link
   * FilterKind#BLOOM} never evicts.
   */
  public OptionalLong handoverLeft() {
    return handoverLeft;
  }

  /** Returns as text what {@link #predecessorBytes} and {@link #handoverLeft} say, if anything. */
  public Optional<String> handover() {
    if (predecessorBytes == 0) {
      return Optional.empty();
    }
    String filter = Print.bytes(predecessorBytes) + " with former options in use, too";
    if (handoverLeft.isEmpty()) {
      return Optional.of(filter);
    }
    long left = handoverLeft.getAsLong();
    return Optional.of(
        spec.window().isTime()
            ? "%s, for another %s".formatted(filter, Print.age(Duration.ofMillis(left)))
            : "%s, for %s"
                .formatted(
                    filter,
                    Print.things(left, spec.window().isNone() ? "more new key" : "more record")));
  }

  /**
   * Returns the share of the window that the memory covers, 0 to 1. The value is 1 if there is no
   * window.
   */
  public double windowCoverage() {
    return windowCoverage;
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
   * Returns the number of keys that the filter can hold at one time: with as many in a steady
   * stream, it evicts at most one in 20,000 early, and with 5 % more, about one in 1,000. The value
   * is empty if filters of its kind have no such limit.
   */
  public OptionalLong keysThatFit() {
    return keysThatFit;
  }

  /**
   * Returns the number of records that were later than {@link GateOptions#maxLateness} allows, so
   * that they could not be checked.
   */
  public long lateTimes() {
    return lateTimes;
  }

  /**
   * Returns the number of records whose time was too far in the future, so that they could not be
   * checked.
   */
  public long rejectedTimes() {
    return rejectedTimes;
  }

  /**
   * Returns how often the clock has jumped since the gate was built or loaded. It is not part of a
   * saved state.
   */
  public long clockJumps() {
    return live.clockJumps;
  }

  /** Returns the number of keys that are reserved at present. */
  public int inFlight() {
    return live.inFlight;
  }

  /**
   * Returns whether more new records are lost than allowed, estimated or by the audit's interval.
   */
  private boolean saturated() {
    return ownFpr > alarmFpr() || audit.filter(a -> a.fpr().low() > alarmFpr()).isPresent();
  }

  /**
   * Returns whether the memory is too small for the keys: the filter holds more than fit, so that
   * it is about to evict keys early, or it has evicted more than one in 10,000.
   */
  public boolean forgetting() {
    return windowCoverage < COVERED
        || evictedEarly.orElse(0) > FEW_EVICTED + admitted / EVICTED_ONE_IN
        || holdsMoreThan(TOO_MANY);
  }

  /**
   * Returns whether the filter holds more keys than this share of those that fit, apart from keys
   * that are kept for late records as long as there is room.
   */
  private boolean holdsMoreThan(double share) {
    return keysThatFit.isPresent()
        && spec.window().lateness() == 0
        && estimatedCardinality > share * keysThatFit.getAsLong();
  }

  /** Returns whether a problem that existed before has ended, so that it can start again. */
  boolean hasEnded(Reason reason) {
    return !alarms().contains(reason)
        && !(reason == Reason.FORGETTING && holdsMoreThan(ENOUGH_AGAIN));
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
    if (rejectedTimes > 0) {
      reasons.add(Reason.REJECTED_TIMES);
    }
    if (lateTimes > alarmFpr() * records) {
      reasons.add(Reason.LATE_TIMES);
    }
    if (live.jumpedLately) {
      reasons.add(Reason.CLOCK_JUMP);
    }
    return reasons;
  }

  private List<Object> values() {
    List<Object> values = new ArrayList<>(List.of(spec, audit, live.jumpedLately));
    Measure.all().forEach(measure -> values.add(measure.valueIn(this)));
    return values;
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
