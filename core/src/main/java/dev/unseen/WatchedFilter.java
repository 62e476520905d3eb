package dev.unseen;

import dev.unseen.audit.shadow.Audit;
import dev.unseen.bits.Answers;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.CountingFilter;
import dev.unseen.filter.engine.FilterMerge;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.Counts;
import dev.unseen.state.StateCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets a filter be measured by an audit, and consults the filters that it has replaced. It is for
 * one thread, or for many threads if the filter is in shards.
 */
final class WatchedFilter {
  private final CountingFilter filter;
  private final boolean concurrent;
  private final Object moment; // held where filter and audit must be of one moment
  private @Nullable Audit audit; // null: no audit
  private volatile Handover handover;
  private volatile long dropped; // keys that predecessors still knew when they were dropped

  WatchedFilter(Snapshot state, boolean dropsLate) {
    this.filter = CountingFilter.of(state.filter(), state.records(), state.admitted());
    this.concurrent = state.shards() > 1;
    this.audit = state.audit().orElse(null);
    this.moment = audit == null ? this : audit;
    this.handover = Handover.of(state.predecessors(), state.spec());
    this.dropped = state.dropped();
    filter.dropLate(dropsLate);
  }

  DuplicateFilter filter() {
    return filter.filter();
  }

  boolean isConcurrent() {
    return concurrent;
  }

  long records() {
    return filter.records();
  }

  long admitted() {
    return filter.admitted();
  }

  /** Returns the filters that this one has replaced. */
  Handover handover() {
    return handover;
  }

  /** Drops the predecessors of which nothing can matter any more, or that are over in any case. */
  void endHandover(long latest, Predicate<Predecessor> isOver) {
    synchronized (moment) { // a clear or a merge at the same time must not be undone
      Handover past = handover;
      long let = admitted();
      boolean windowed = !filter().spec().window().isNone();
      List<Predecessor> ended = new ArrayList<>();
      for (Predecessor one : past.past()) {
        long left = one.left(latest, let);
        if (left == 0 || isOver.test(one)) {
          ended.add(one);
          dropped = windowed && left == 0 ? dropped : Counts.sum(dropped, one.held());
        }
      }
      handover = past.without(ended);
    }
  }

  Snapshot snapshot() {
    long taken = records();
    return with(audit, Snapshot.of(filter(), taken, Math.min(taken, admitted())));
  }

  private Snapshot with(@Nullable Audit watching, Snapshot state) {
    Snapshot all = state.withDropped(dropped).withPredecessors(handover.states());
    return watching == null ? all : all.with(watching);
  }

  /** Runs a report with no {@link #clear} in between. */
  <T> T atOneMoment(Supplier<T> report) {
    synchronized (moment) {
      return report.get();
    }
  }

  void advanceTo(long time) {
    filter.advanceTo(time);
  }

  void setBack(long time) {
    handover.setBack(time);
    filter.setBack(time);
  }

  boolean isTooLate(long hash, long time) {
    return filter.readable().isTooLate(hash, time);
  }

  boolean mightContain(long hash, long time) {
    return filter.readable().mightContain(hash, time) || isKnown(hash, null, time);
  }

  int mightContainAll(long[] hashes, int offset, int count, long time, long[] seen) {
    int rejected = filter.readable().mightContainAll(hashes, offset, count, time, seen);
    if (handover == Handover.NONE) {
      return rejected;
    }
    for (int i = 0; i < count; i++) {
      seen[i >>> 6] |= (isKnown(hashes[offset + i], null, time) ? 1L : 0) << i;
    }
    return Answers.count(seen, (count + Long.SIZE - 1) / Long.SIZE);
  }

  /**
   * Returns whether a predecessor knows a key, by this hash or, if not null, by its other hashes.
   */
  boolean isKnown(long hash, @Nullable ToLongFunction<Hash64> key, long time) {
    Handover past = handover;
    if (past == Handover.NONE) {
      return false;
    }
    long moment = isOfTime() ? time : records();
    boolean known = key == null ? past.knows(hash, moment) : past.knowsKey(key, moment);
    return known && !isTooLate(hash, time);
  }

  private boolean isOfTime() {
    return filter().spec().window().isTime();
  }

  /** Counts a hash that a predecessor knows as a duplicate, and remembers it if necessary. */
  void admitKnown(long hash, long time) {
    boolean copied = handover.copies();
    @Nullable Audit watching = audit;
    if (watching == null || !watching.follows(hash)) {
      filter.admitKnown(hash, time, copied);
      skip(watching);
      return;
    }
    synchronized (watching) {
      filter.admitKnown(hash, time, copied);
      watching.observeKnown(hash, time);
    }
  }

  /** Counts a record of a key that an audit does not follow, for windows of records. */
  private void skip(@Nullable Audit watching) {
    if (watching != null && !concurrent) {
      watching.skip();
    }
  }

  boolean admit(long hash, long time) {
    if (handover != Handover.NONE && isKnown(hash, null, time)) {
      admitKnown(hash, time);
      return false;
    }
    @Nullable Audit watching = audit;
    if (watching == null || !watching.follows(hash)) {
      boolean fresh = filter.admit(hash, time);
      skip(watching);
      return fresh;
    }
    long[] fresh = new long[1];
    admitSeen(watching, new long[] {hash}, new long[] {time}, 0, 1, fresh, new long[1]);
    return fresh[0] != 0;
  }

  /**
   * Admits hashes that an audit sees, in the order of the answers, but for those that were too
   * late.
   */
  private int admitSeen(
      Audit watching,
      long[] hashes,
      long @Nullable [] times,
      int offset,
      int count,
      long[] fresh,
      long[] late) {
    synchronized (watching) {
      int more = filter.admitAll(hashes, times, offset, count, fresh, late);
      if (times == null) { // without a time, no record is late
        watching.observeAll(hashes, offset, count, fresh);
        return more;
      }
      for (int i = 0; i < count; i++) {
        if (!Answers.has(late, i)) {
          long time = BatchingFilter.timeOf(times, offset + i);
          watching.observe(hashes[offset + i], time, Answers.has(fresh, i));
        }
      }
      return more;
    }
  }

  /** Counts and remembers a hash if it is a duplicate at this time. Returns whether it is. */
  boolean admitDuplicate(long hash, long time) {
    if (handover != Handover.NONE && isKnown(hash, null, time)) {
      admitKnown(hash, time);
      return true;
    }
    @Nullable Audit watching = audit;
    if (watching == null || !watching.follows(hash)) {
      boolean duplicate = filter.admitDuplicate(hash, time);
      if (duplicate) {
        skip(watching);
      }
      return duplicate;
    }
    synchronized (watching) {
      boolean late = isTooLate(hash, time);
      boolean seen = filter.admitDuplicate(hash, time);
      if (seen && !late) {
        watching.observe(hash, time, false);
      }
      return seen;
    }
  }

  int admitAll(
      long[] hashes,
      long @Nullable [] times,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    @Nullable Audit watching = audit; // a merge may end it meanwhile
    Handover past = handover;
    if (past == Handover.NONE && (watching == null || !concurrent)) {
      return admitTogether(hashes, times, offset, count, fresh, late);
    }
    long @Nullable [] known =
        past == Handover.NONE
            ? null
            : past.knowsAll(hashes, isOfTime() ? times : null, offset, count, records());
    return admitInRuns(watching, known, hashes, times, offset, count, fresh, late);
  }

  /** Checks hashes in one call to the filter. An audit of shards follows none of them. */
  private int admitTogether(
      long[] hashes,
      long @Nullable [] times,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    @Nullable Audit watching = audit;
    if (watching == null || concurrent) {
      return filter.admitAll(hashes, times, offset, count, fresh, late);
    }
    long[] tooLate = late == null ? new long[fresh.length] : late;
    return admitSeen(watching, hashes, times, offset, count, fresh, tooLate);
  }

  /**
   * Checks hashes in runs, but for those that a predecessor knows or that an audit of shards
   * follows.
   */
  private int admitInRuns(
      @Nullable Audit watching,
      long @Nullable [] known,
      long[] hashes,
      long @Nullable [] times,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    @Nullable Audit locking = concurrent ? watching : null;
    long[] run = new long[Answers.clear(fresh, count)];
    long @Nullable [] lateRun = late == null ? null : new long[Answers.clear(late, count)];
    int more = 0;
    for (int from = 0; from < count; ) {
      int to = from;
      while (to < count
          && !Answers.has(known, to)
          && (locking == null || !locking.follows(hashes[offset + to]))) {
        to++;
      }
      more += admitTogether(hashes, times, offset + from, to - from, run, lateRun);
      Answers.copy(run, to - from, fresh, from);
      if (late != null && lateRun != null) {
        Answers.copy(lateRun, to - from, late, from);
      }
      if (to < count) {
        int at = offset + to;
        long time = BatchingFilter.timeOf(times, at);
        if (Answers.has(known, to) && !isTooLate(hashes[at], time)) {
          admitKnown(hashes[at], time);
        } else {
          long[] oneLate = new long[1];
          more +=
              watching == null
                  ? filter.admitAll(hashes, times, at, 1, run, oneLate)
                  : admitSeen(watching, hashes, times, at, 1, run, oneLate);
          Answers.copy(run, 1, fresh, to);
          if (late != null) {
            Answers.copy(oneLate, 1, late, to);
          }
        }
      }
      from = to + 1;
    }
    return more;
  }

  /**
   * Returns an independent and equal state of one moment, in the memory of a spare one if it is
   * given.
   */
  Snapshot copy(@Nullable Snapshot spare) {
    synchronized (moment) { // first, as where an audit sees the answers
      return filter.alone(() -> copyNow(spare));
    }
  }

  private Snapshot copyNow(@Nullable Snapshot spare) {
    @Nullable Audit watching = audit;
    DuplicateFilter copied = FilterMerge.copy(filter(), spare == null ? null : spare.filter());
    Snapshot copy = Snapshot.of(copied, records(), admitted());
    return with(watching == null ? null : watching.continuedFor(copied.spec()), copy);
  }

  /** Forgets all keys, all counts, and the results of the audit, for all threads at one moment. */
  void clear() {
    synchronized (moment) {
      handover = Handover.NONE;
      dropped = 0;
      filter.clear(this::clearAudit);
    }
  }

  private void clearAudit() {
    @Nullable Audit watching = audit;
    if (watching != null) {
      StateCopy.copy(new Audit(watching.spec(), filter().spec()), watching); // it stays the lock
    }
  }

  /** Merges the keys of another filter into this one, set back to this time. The audit ends. */
  void merge(WatchedFilter other, long latest) {
    FilterMerge.requireAlike(filter(), other.filter());
    synchronized (moment) {
      dropped = Counts.sum(dropped, other.dropped);
      if (handover != Handover.NONE || other.handover != Handover.NONE) {
        List<Snapshot> past = Snapshot.mergePredecessors(snapshot(), other.snapshot());
        handover = Handover.of(past, filter().spec());
      }
    }
    DuplicateFilter from = other.filter();
    if (latest < Long.MAX_VALUE) {
      from = other.copy(null).filter();
      from.setBack(latest);
    }
    if (concurrent) {
      audit = null; // from the first merged shard on
    }
    filter.merge(other.filter, from);
    audit = null;
  }
}
