package dev.unseen;

import dev.unseen.audit.Audit;
import dev.unseen.bits.Answers;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.OverlapGuard;
import dev.unseen.filter.engine.FilterMerge;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.ClockState;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.Counts;
import dev.unseen.state.StateCopy;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Combines a filter with its counts and its audit, so that every hash is counted and measured. It
 * is for one thread, or for many threads if the filter is in shards.
 */
final class WatchedFilter {
  private final boolean timed; // whether there is a window of time
  private final boolean byOwnTimes; // whether each record is compared by its own time
  private final ShardedFilter sharded; // the filter if it is for many threads, else null
  private final Object moment; // held where filter and audit must be of one moment
  private final OverlapGuard guard; // of a filter for one thread, else null
  private DuplicateFilter filter;
  private Audit audit; // null: no audit
  private long records; // for a filter for one thread; shards have their own counts
  private long admitted;

  /** Creates a filter that continues from a state. */
  WatchedFilter(Snapshot state) {
    this.timed = state.spec().window().isTime();
    this.byOwnTimes = state.spec().window().lateness() > 0;
    this.sharded = state.filter() instanceof ShardedFilter many ? many : null;
    this.audit = state.audit().orElse(null);
    this.moment = audit == null ? this : audit;
    this.records = Math.min(state.records(), Counts.MOST);
    this.admitted = Math.min(state.admitted(), Counts.MOST);
    this.filter = state.filter();
    this.guard = filter instanceof BatchingFilter one ? one.guard() : null;
  }

  DuplicateFilter filter() {
    return filter;
  }

  /** Returns the filter if it is in shards, else null. */
  ShardedFilter sharded() {
    return sharded;
  }

  long records() {
    return sharded == null ? Math.min(records, Counts.MOST) : sharded.records();
  }

  long admitted() {
    return sharded == null ? Math.min(admitted, Counts.MOST) : sharded.admitted();
  }

  /** Returns the state: filter, counts and audit. */
  Snapshot snapshot() {
    Audit watching = audit;
    long taken = records();
    Snapshot state = Snapshot.of(filter, taken, Math.min(taken, admitted()));
    return watching == null ? state : state.with(watching);
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

  /** Sets the time of the filter. Before the first plausible time there is none to set. */
  void advanceTo(long time) {
    if (sharded != null) {
      stepTo(time);
      return;
    }
    guard.enter();
    try {
      stepTo(time);
    } finally {
      guard.exit();
    }
  }

  private void stepTo(long time) {
    if (timed && time != ClockState.NEVER) {
      filter.advanceTo(time);
    }
  }

  /** Returns the time to set in shards, or the earliest one, which sets none. */
  private long stepOf(long time) {
    return timed ? time : ClockState.NEVER;
  }

  /**
   * Checks a hash that counts as seen at this time, and remembers it. Returns whether it is
   * admitted.
   */
  boolean admit(long hash, long time) {
    if (sharded != null) {
      return admitSharded(hash, time);
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
    if (byOwnTimes) {
      fresh = filter.admit(hash, time);
    } else {
      stepTo(time);
      fresh = filter.admit(hash);
    }
    records++;
    admitted += fresh ? 1 : 0;
    if (audit != null) {
      audit.observe(hash, time, fresh);
    }
    return fresh;
  }

  /**
   * Counts and remembers a hash if it is a duplicate at this time. Returns whether it is one; if
   * not, it is neither counted nor remembered.
   */
  boolean admitDuplicate(long hash, long time) {
    if (sharded != null) {
      return admitShardedDuplicate(hash, time);
    }
    guard.enter();
    try {
      if (!byOwnTimes) {
        stepTo(time);
      }
      return filter.mightContain(hash, byOwnTimes ? time : DuplicateFilter.NOW)
          && !admitAlone(hash, time);
    } finally {
      guard.exit();
    }
  }

  private boolean admitShardedDuplicate(long hash, long time) {
    Audit watching = audit;
    if (watching == null || !watching.follows(hash)) {
      return sharded.admitDuplicate(hash, stepOf(time));
    }
    synchronized (watching) {
      boolean seen = sharded.admitDuplicate(hash, stepOf(time));
      if (seen) {
        watching.observe(hash, time, false);
      }
      return seen;
    }
  }

  private boolean admitSharded(long hash, long time) {
    Audit watching = audit;
    if (watching == null || !watching.follows(hash)) {
      return admitInShard(hash, time);
    }
    // So that the audit sees the answers for a key in the order in which the filter gave them.
    synchronized (watching) {
      boolean fresh = admitInShard(hash, time);
      watching.observe(hash, time, fresh);
      return fresh;
    }
  }

  private boolean admitInShard(long hash, long time) {
    return byOwnTimes ? sharded.admit(hash, time) : sharded.admitAt(hash, stepOf(time));
  }

  /**
   * Checks hashes that each have their own time in one call, and remembers them. The filter
   * compares records by their own time.
   *
   * @param times the times at which they count as seen, from 0 on
   * @return the number of hashes that were admitted
   */
  int admitAllByOwnTimes(long[] hashes, int offset, int count, long[] times, long[] fresh) {
    long[] keys = offset == 0 ? hashes : Arrays.copyOfRange(hashes, offset, offset + count);
    if (sharded != null) {
      int more = 0;
      Answers.clear(fresh, count);
      for (int i = 0; i < count; i++) {
        boolean one = admitSharded(keys[i], times[i]);
        fresh[i >>> 6] |= (one ? 1L : 0) << i;
        more += one ? 1 : 0;
      }
      return more;
    }
    guard.enter();
    try {
      int more = filter.admitAll(keys, times, 0, count, fresh, null);
      records += count;
      admitted += more;
      if (audit != null) {
        observe(keys, 0, count, times, 0, fresh);
      }
      return more;
    } finally {
      guard.exit();
    }
  }

  /** Returns whether each record is compared by its own time. */
  boolean isByOwnTimes() {
    return byOwnTimes;
  }

  /**
   * Checks hashes within one step of the window in one call, and remembers them.
   *
   * @param times the times at which they count as seen, from {@code first} on; if there is only
   *     one, it applies to all
   * @param fresh receives the answers, as {@link DuplicateFilter#admitAll} gives them
   * @return the number of hashes that were admitted
   */
  int admitAll(long[] hashes, int offset, int count, long[] times, int first, long[] fresh) {
    if (sharded != null) {
      return admitAudited(hashes, offset, count, times, first, fresh);
    }
    guard.enter();
    try {
      stepTo(times[first]);
      int more = filter.admitAll(hashes, offset, count, fresh);
      records += count;
      admitted += more;
      if (audit != null) {
        observe(hashes, offset, count, times, first, fresh);
      }
      return more;
    } finally {
      guard.exit();
    }
  }

  private void observe(
      long[] hashes, int offset, int count, long[] times, int first, long[] fresh) {
    if (times.length == 1) {
      audit.advanceTo(times[0]);
      audit.observeAll(hashes, offset, count, fresh);
      return;
    }
    // The audit needs exact times, even within one step of the filter.
    for (int i = 0; i < count; i++) {
      boolean isFresh = ((fresh[i >>> 6] >>> i) & 1) != 0;
      audit.observe(hashes[offset + i], times[first + i], isFresh);
    }
  }

  /**
   * Checks hashes of a filter in shards. Followed hashes of an audit are decided one by one under
   * its lock, and the others in runs without it.
   */
  private int admitAudited(
      long[] hashes, int offset, int count, long[] times, int first, long[] fresh) {
    long step = stepOf(times[first]);
    Audit watching = audit;
    if (watching == null) {
      return sharded.admitAllAt(hashes, offset, count, step, fresh);
    }
    long[] run = new long[Answers.clear(fresh, count)];
    int more = 0;
    for (int from = 0; from < count; ) {
      int to = from;
      while (to < count && !watching.follows(hashes[offset + to])) {
        to++;
      }
      more += sharded.admitAllAt(hashes, offset + from, to - from, step, run);
      Answers.copy(run, to - from, fresh, from);
      if (to < count) {
        long time = times.length == 1 ? times[0] : times[first + to];
        boolean one = admitSharded(hashes[offset + to], time);
        fresh[to >>> 6] |= (one ? 1L : 0) << to;
        more += one ? 1 : 0;
      }
      from = to + 1;
    }
    return more;
  }

  /**
   * Returns an independent and equal state, taken at one moment.
   *
   * @param spare an earlier copy, whose memory is then used again; null: none
   */
  Snapshot copy(Snapshot spare) {
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

  private Snapshot copyNow(Snapshot spare) {
    Audit watching = audit;
    DuplicateFilter filterCopy = FilterMerge.copy(filter, spare == null ? null : spare.filter());
    Snapshot copy = Snapshot.of(filterCopy, records(), admitted());
    if (watching == null) {
      return copy;
    }
    Audit auditCopy = new Audit(watching.spec(), filter.spec());
    StateCopy.copy(watching, auditCopy);
    return copy.with(auditCopy);
  }

  /** Forgets all keys, all counts, and the results of the audit, for all threads at one moment. */
  void clear() {
    synchronized (moment) {
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
        DuplicateFilter empty = ((BatchingFilter) filter).emptied();
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
    Audit watching = audit;
    if (watching != null) {
      StateCopy.copy(new Audit(watching.spec(), filter.spec()), watching); // it stays the lock
    }
  }

  /**
   * Merges the keys of another filter into this one. The audit ends, because neither audit has seen
   * the other's records. Filters in shards may be in use meanwhile.
   */
  void merge(WatchedFilter other) {
    FilterMerge.requireAlike(filter, other.filter);
    if (sharded != null) {
      audit = null; // from the first merged shard on
      FilterMerge.mergeInto(filter, other.filter);
      return;
    }
    guard.enterIntact();
    try {
      other.guard.enterIntact();
      try {
        FilterMerge.mergeInto(filter, other.filter);
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
