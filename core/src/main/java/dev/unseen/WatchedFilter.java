package dev.unseen;

import dev.unseen.audit.shadow.Audit;
import dev.unseen.bits.Answers;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.base.OverlapGuard;
import dev.unseen.filter.engine.FilterMerge;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.Counts;
import dev.unseen.state.StateCopy;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Combines a filter with its counts and its audit, so that every hash is counted and measured. It
 * is for one thread, or for many threads if the filter is in shards.
 */
final class WatchedFilter {
  private final @Nullable ShardedFilter sharded; // the filter if it is for many threads, else null
  private final Object moment; // held where filter and audit must be of one moment
  private final OverlapGuard guard; // of a filter for one thread; shards do not need one
  private DuplicateFilter filter;
  private @Nullable Audit audit; // null: no audit
  private long records; // for a filter for one thread; shards have their own counts
  private long admitted;
  private volatile @Nullable Handover handover; // null: there is no predecessor
  private volatile long dropped; // keys that predecessors still knew when they were dropped

  /**
   * Creates a filter that continues from a state.
   *
   * @param dropsLate whether records that cannot be checked because of their time are rejected
   */
  WatchedFilter(Snapshot state, boolean dropsLate) {
    this.sharded = state.filter() instanceof ShardedFilter many ? many : null;
    this.audit = state.audit().orElse(null);
    this.moment = audit == null ? this : audit;
    this.records = Math.min(state.records(), Counts.MOST);
    this.admitted = Math.min(state.admitted(), Counts.MOST);
    this.filter = state.filter();
    this.guard = filter instanceof BatchingFilter one ? one.guard() : new OverlapGuard();
    this.handover = Handover.of(state.predecessors(), filter.spec());
    this.dropped = state.dropped();
    if (sharded == null) {
      ((BatchingFilter) filter).dropLate(dropsLate);
    } else {
      sharded.dropLate(dropsLate);
    }
  }

  DuplicateFilter filter() {
    return filter;
  }

  /** Returns the filter if it is in shards, else null. */
  @Nullable ShardedFilter sharded() {
    return sharded;
  }

  long records() {
    return sharded == null ? Math.min(records, Counts.MOST) : sharded.records();
  }

  long admitted() {
    return sharded == null ? Math.min(admitted, Counts.MOST) : sharded.admitted();
  }

  /** Returns the filters that this one has replaced, or null if there are none. */
  @Nullable Handover handover() {
    return handover;
  }

  /**
   * Drops the predecessors of which nothing can matter any more.
   *
   * @param latest the latest time, or the number of records so far, as the window
   * @param isOver returns whether a predecessor is dropped in any case
   */
  void endHandover(long latest, Predicate<Predecessor> isOver) {
    synchronized (moment) { // a clear or a merge at the same time must not be undone
      @Nullable Handover past = handover;
      if (past == null) {
        return;
      }
      long let = admitted();
      boolean windowed = !filter.spec().window().isNone();
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

  /** Returns the state: filter, counts, audit and predecessors. */
  Snapshot snapshot() {
    long taken = records();
    return with(audit, Snapshot.of(filter, taken, Math.min(taken, admitted())));
  }

  private Snapshot with(@Nullable Audit watching, Snapshot state) {
    @Nullable Handover past = handover;
    Snapshot all = state.withDropped(dropped);
    if (past != null) {
      all = all.withPredecessors(past.states());
    }
    return watching == null ? all : all.with(watching);
  }

  /** Returns what a report consists of, with no {@link #clear} in between. */
  <T> T atOneMoment(Supplier<T> report) {
    synchronized (moment) {
      return report.get();
    }
  }

  /** Requires that no other thread changes the filter at present, unless it is in shards. */
  DuplicateFilter readable() {
    if (guard != null) {
      guard.requireIdle();
    }
    return filter;
  }

  /** Moves the time of the filter on, although no record has come. */
  void advanceTo(long time) {
    if (sharded != null) {
      sharded.advanceTo(time);
      return;
    }
    guard.enter();
    try {
      filter.advanceTo(time);
    } finally {
      guard.exit();
    }
  }

  /** Sets a later time of the filter back: see {@link DuplicateFilter#setBack}. */
  void setBack(long time) {
    @Nullable Handover past = handover;
    if (past != null) {
      past.setBack(time);
    }
    if (sharded != null) {
      sharded.setBack(time);
      return;
    }
    guard.enter();
    try {
      filter.setBack(time);
    } finally {
      guard.exit();
    }
  }

  /** Returns whether a record of this hash and time could not be checked. Changes nothing. */
  boolean isTooLate(long hash, long time) {
    return (sharded == null ? readable() : sharded).isTooLate(hash, time);
  }

  /** Returns whether a hash would be rejected at this time. Changes nothing. */
  boolean mightContain(long hash, long time) {
    return readable().mightContain(hash, time) || isKnown(hash, time);
  }

  /**
   * Returns which hashes would be rejected at this time, as {@link DuplicateFilter#mightContainAll}
   * does. Changes nothing.
   */
  int mightContainAll(long[] hashes, int offset, int count, long time, long[] seen) {
    int rejected = readable().mightContainAll(hashes, offset, count, time, seen);
    if (handover == null) {
      return rejected;
    }
    for (int i = 0; i < count; i++) {
      seen[i >>> 6] |= (isKnown(hashes[offset + i], time) ? 1L : 0) << i;
    }
    return Answers.count(seen, (count + Long.SIZE - 1) / Long.SIZE);
  }

  /** Returns whether a predecessor knows a hash as a duplicate at this time. */
  private boolean isKnown(long hash, long time) {
    @Nullable Handover past = handover;
    return past != null
        && past.knows(hash, isOfTime() ? time : records())
        && !isTooLate(hash, time);
  }

  /**
   * Returns whether a predecessor with other hashes knows a key as a duplicate at this time.
   *
   * @param hash the hash of the key here
   */
  boolean isKnown(long hash, ToLongFunction<Hash64> key, long time) {
    @Nullable Handover past = handover;
    return past != null
        && past.knowsKey(key, isOfTime() ? time : records())
        && !isTooLate(hash, time);
  }

  private boolean isOfTime() {
    return filter.spec().window().isTime();
  }

  /** Counts a hash that a predecessor knows as a duplicate, and remembers it if necessary. */
  void admitKnown(long hash, long time) {
    @Nullable Handover past = handover;
    boolean copied = past == null || past.copies();
    @Nullable Audit watching = audit;
    if (sharded == null) {
      guard.enter();
      try {
        admitKnownAlone(hash, time, copied);
      } finally {
        guard.exit();
      }
    } else if (watching == null || !watching.follows(hash)) {
      sharded.admitKnown(hash, time, copied);
    } else {
      synchronized (watching) {
        sharded.admitKnown(hash, time, copied);
        watching.observeKnown(hash, time);
      }
    }
  }

  private void admitKnownAlone(long hash, long time, boolean copied) {
    if (copied) {
      filter.admit(hash, time);
    } else {
      filter.skip(time);
    }
    if (audit != null) {
      audit.observeKnown(hash, time);
    }
    records++;
  }

  /** Checks a hash of this time, and remembers it. Returns whether it is admitted. */
  boolean admit(long hash, long time) {
    if (handover != null && isKnown(hash, time)) {
      admitKnown(hash, time);
      return false;
    }
    @Nullable Audit watching = audit;
    if (sharded != null) {
      if (watching == null || !watching.follows(hash)) {
        return sharded.admit(hash, time);
      }
      // So that the audit sees the answers for a key in the order in which the filter gave them.
      synchronized (watching) {
        return admitFollowed(watching, hash, time);
      }
    }
    guard.enter();
    try {
      return admitAlone(hash, time);
    } finally {
      guard.exit();
    }
  }

  private boolean admitAlone(long hash, long time) {
    boolean fresh;
    if (audit != null && audit.follows(hash)) {
      fresh = admitFollowed(audit, hash, time);
    } else {
      fresh = filter.admit(hash, time);
      if (audit != null) {
        audit.observe(hash, time, fresh);
      }
    }
    records++;
    admitted += fresh ? 1 : 0;
    return fresh;
  }

  /** Admits a hash that the audit follows. The audit does not see records that were too late. */
  private boolean admitFollowed(Audit watching, long hash, long time) {
    long[] fresh = new long[1];
    long[] late = new long[1];
    filter.admitAll(new long[] {hash}, new long[] {time}, 0, 1, fresh, late);
    observe(watching, new long[] {hash}, new long[] {time}, 0, 1, fresh, late);
    return fresh[0] != 0;
  }

  private static void observe(
      Audit watching,
      long[] hashes,
      long @Nullable [] times,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    if (times == null || late == null) { // without a time, no record is late
      watching.observeAll(hashes, offset, count, fresh);
      return;
    }
    for (int i = 0; i < count; i++) {
      if (((late[i >>> 6] >>> i) & 1) == 0) {
        boolean isFresh = ((fresh[i >>> 6] >>> i) & 1) != 0;
        watching.observe(hashes[offset + i], BatchingFilter.timeOf(times, offset + i), isFresh);
      }
    }
  }

  /**
   * Counts and remembers a hash if it is a duplicate at this time. Returns whether it is one; if
   * not, it is neither counted nor remembered.
   */
  boolean admitDuplicate(long hash, long time) {
    if (handover != null && isKnown(hash, time)) {
      admitKnown(hash, time);
      return true;
    }
    if (sharded != null) {
      return admitShardedDuplicate(sharded, hash, time);
    }
    guard.enter();
    try {
      return filter.mightContain(hash, time) && !admitAlone(hash, time);
    } finally {
      guard.exit();
    }
  }

  private boolean admitShardedDuplicate(ShardedFilter sharded, long hash, long time) {
    @Nullable Audit watching = audit;
    if (watching == null || !watching.follows(hash)) {
      return sharded.admitDuplicate(hash, time);
    }
    synchronized (watching) {
      boolean late = sharded.isTooLate(hash, time);
      boolean seen = sharded.admitDuplicate(hash, time);
      if (seen && !late) {
        watching.observe(hash, time, false);
      }
      return seen;
    }
  }

  /**
   * Checks hashes in one call, and remembers them.
   *
   * @param times the times of the hashes, as {@link DuplicateFilter#admitAll} takes them; null if
   *     there is no window of time
   * @param fresh receives the answers, as {@link DuplicateFilter#admitAll} gives them
   * @param late receives what was too late, as {@link DuplicateFilter#admitAll} gives it; may be
   *     null
   * @return the number of hashes that were admitted
   */
  int admitAll(
      long[] hashes,
      long @Nullable [] times,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    @Nullable Audit watching = audit; // a merge may end it meanwhile
    @Nullable Handover past = handover;
    if (past == null && (watching == null || sharded == null)) {
      return admitTogether(hashes, times, offset, count, fresh, late);
    }
    long @Nullable [] known =
        past == null
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
    if (sharded != null) {
      return sharded.admitAll(hashes, times, offset, count, fresh, late);
    }
    guard.enter();
    try {
      long @Nullable [] tooLate = late == null && audit != null ? new long[fresh.length] : late;
      int more = filter.admitAll(hashes, times, offset, count, fresh, tooLate);
      records += count;
      admitted += more;
      if (audit != null) {
        observe(audit, hashes, times, offset, count, fresh, tooLate);
      }
      return more;
    } finally {
      guard.exit();
    }
  }

  /**
   * Checks hashes one by one that a predecessor knows, or that an audit of shards follows, which
   * needs its lock for them. The others are checked in runs.
   *
   * @param known a bit for each hash that a predecessor knows; null: none
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
    @Nullable Audit locking = sharded == null ? null : watching;
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
          more += admitOne(locking, hashes, times, at, run, oneLate);
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

  private int admitOne(
      @Nullable Audit locking,
      long[] hashes,
      long @Nullable [] times,
      int at,
      long[] fresh,
      long[] late) {
    if (sharded == null || locking == null || !locking.follows(hashes[at])) {
      return admitTogether(hashes, times, at, 1, fresh, late);
    }
    synchronized (locking) {
      int more = sharded.admitAll(hashes, times, at, 1, fresh, late);
      observe(locking, hashes, times, at, 1, fresh, late);
      return more;
    }
  }

  /**
   * Returns an independent and equal state, taken at one moment.
   *
   * @param spare an earlier copy, whose memory is then used again; null: none
   */
  Snapshot copy(@Nullable Snapshot spare) {
    if (sharded == null) {
      guard.enterIntact();
      try {
        return copyNow(spare);
      } finally {
        guard.exit();
      }
    }
    synchronized (moment) { // in the same order as admitSharded
      return sharded.alone(() -> copyNow(spare));
    }
  }

  private Snapshot copyNow(@Nullable Snapshot spare) {
    @Nullable Audit watching = audit;
    DuplicateFilter filterCopy = FilterMerge.copy(filter, spare == null ? null : spare.filter());
    Snapshot copy = Snapshot.of(filterCopy, records(), admitted());
    return with(watching == null ? null : watching.continuedFor(filter.spec()), copy);
  }

  /** Forgets all keys, all counts, and the results of the audit, for all threads at one moment. */
  void clear() {
    synchronized (moment) {
      handover = null;
      dropped = 0;
      if (sharded != null) {
        sharded.alone(
            () -> {
              sharded.clear();
              clearAudit();
              return null;
            });
        return;
      }
      guard.enter();
      try {
        DuplicateFilter empty = Filters.emptied((BatchingFilter) filter);
        VarHandle.releaseFence(); // threads that only read counts see a filter that is complete
        filter = empty;
        clearAudit();
        records = 0;
        admitted = 0;
        guard.renew();
      } finally {
        guard.exit();
      }
    }
  }

  private void clearAudit() {
    @Nullable Audit watching = audit;
    if (watching != null) {
      StateCopy.copy(new Audit(watching.spec(), filter.spec()), watching); // it stays the lock
    }
  }

  /**
   * Merges the keys of another filter into this one. The audit ends, because neither audit has seen
   * the other's records. Filters in shards may be in use meanwhile.
   *
   * @param latest the time to which a later time of the other filter is set back
   */
  void merge(WatchedFilter other, long latest) {
    FilterMerge.requireAlike(filter, other.filter);
    synchronized (moment) {
      dropped = Counts.sum(dropped, other.dropped);
      if (handover != null || other.handover != null) {
        List<Snapshot> past = Snapshot.mergePredecessors(snapshot(), other.snapshot());
        handover = Handover.of(past, filter.spec());
      }
    }
    DuplicateFilter from = other.filter;
    if (latest < Long.MAX_VALUE) {
      from = other.copy(null).filter();
      from.setBack(latest);
    }
    if (sharded != null) {
      audit = null; // from the first merged shard on
      FilterMerge.mergeInto(filter, from);
      return;
    }
    guard.enterIntact();
    try {
      other.guard.enterIntact();
      try {
        FilterMerge.mergeInto(filter, from);
        records = Counts.sum(records, other.records);
        admitted = Counts.sum(admitted, other.admitted);
        audit = null;
      } finally {
        other.guard.exit();
      }
    } finally {
      guard.exit();
    }
  }
}
