package dev.unseen;

import dev.unseen.audit.Audit;
import dev.unseen.bits.Answers;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterMerge;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.state.Counts;
import dev.unseen.state.StateCopy;

/**
 * Combines a filter with its counts and its audit, so that every hash is counted and measured. It
 * is for one thread, or for many threads if the filter is in shards.
 */
final class WatchedFilter {
  private DuplicateFilter filter;
  private ShardedFilter sharded; // the same filter if it is for many threads, else null
  private Audit audit; // null: no audit
  private long records; // for a filter for one thread; shards have their own counts
  private long admitted;

  /** Creates a filter that continues from a state. */
  WatchedFilter(Snapshot state) {
    hold(state.filter());
    this.audit = state.audit().orElse(null);
    this.records = state.records();
    this.admitted = state.admitted();
  }

  private void hold(DuplicateFilter next) {
    filter = next;
    sharded = next instanceof ShardedFilter many ? many : null;
  }

  DuplicateFilter filter() {
    return filter;
  }

  /** Returns the filter if it is in shards, else null. */
  ShardedFilter sharded() {
    return sharded;
  }

  long records() {
    return sharded == null ? records : sharded.records();
  }

  long admitted() {
    return sharded == null ? admitted : sharded.admitted();
  }

  /** Returns the state: filter, counts and audit. */
  Snapshot snapshot() {
    long taken = records();
    Snapshot state = Snapshot.of(filter, taken, Math.min(taken, admitted()));
    return audit == null ? state : state.with(audit);
  }

  /**
   * Checks a hash that counts as seen at this time, and remembers it. Returns whether it is
   * admitted.
   */
  boolean admit(long hash, long time) {
    if (sharded != null) {
      return admitSharded(hash, time);
    }
    boolean fresh = filter.admit(hash);
    records++;
    admitted += fresh ? 1 : 0;
    if (audit != null) {
      audit.advanceTo(time);
      audit.observe(hash, fresh);
    }
    return fresh;
  }

  private boolean admitSharded(long hash, long time) {
    Audit watching = audit;
    if (watching == null || !watching.follows(hash)) {
      return filter.admit(hash);
    }
    synchronized (
        watching) { // so that the audit sees the answers for a key in the order in which the filter
      // gave them
      boolean fresh = filter.admit(hash);
      watching.advanceTo(time);
      watching.observe(hash, fresh);
      return fresh;
    }
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
    if (sharded != null && audit != null) {
      return admitAudited(hashes, offset, count, times, first, fresh);
    }
    int more = filter.admitAll(hashes, offset, count, fresh);
    if (sharded == null) {
      records += count;
      admitted += more;
      if (audit != null) {
        observe(hashes, offset, count, times, first, fresh);
      }
    }
    return more;
  }

  private void observe(
      long[] hashes, int offset, int count, long[] times, int first, long[] fresh) {
    if (times.length == 1) {
      audit.advanceTo(times[0]);
      audit.observeAll(hashes, offset, count, fresh);
      return;
    }
    for (int i = 0;
        i < count;
        i++) { // the audit needs exact times, even within one step of the filter
      audit.advanceTo(times[first + i]);
      audit.observe(hashes[offset + i], ((fresh[i >>> 6] >>> i) & 1) != 0);
    }
  }

  /**
   * Checks hashes with an audit. Followed hashes are decided one by one under the audit's lock, and
   * the others in runs without it.
   */
  private int admitAudited(
      long[] hashes, int offset, int count, long[] times, int first, long[] fresh) {
    long[] run = new long[Answers.clear(fresh, count)];
    int more = 0;
    for (int from = 0; from < count; ) {
      int to = from;
      while (to < count && !audit.follows(hashes[offset + to])) {
        to++;
      }
      more += filter.admitAll(hashes, offset + from, to - from, run);
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
    Audit watching = audit;
    synchronized (watching == null ? this : watching) { // in the same order as admitSharded
      if (sharded != null) {
        sharded.pause();
      }
      try {
        DuplicateFilter filterCopy =
            FilterMerge.copy(filter, spare == null ? null : spare.filter());
        Snapshot copy = Snapshot.of(filterCopy, records(), admitted());
        if (watching == null) {
          return copy;
        }
        Audit auditCopy = new Audit(watching.spec(), filter.spec());
        StateCopy.copy(watching, auditCopy);
        return copy.with(auditCopy);
      } finally {
        if (sharded != null) {
          sharded.resume();
        }
      }
    }
  }

  /** Forgets all keys, all counts, and the results of the audit. */
  void clear() {
    FilterSpec spec = filter.spec();
    if (sharded == null) {
      filter = null; // so that two filters are never in memory at once
      hold(spec.build());
    } else {
      sharded.clear();
    }
    audit = audit == null ? null : new Audit(audit.spec(), spec);
    records = 0;
    admitted = 0;
  }

  /**
   * Merges the keys of another filter into this one. The audit ends, because neither audit has seen
   * the other's records.
   */
  void merge(WatchedFilter other) {
    FilterMerge.mergeInto(filter, other.filter);
    records = Counts.sum(records, other.records);
    admitted = Counts.sum(admitted, other.admitted);
    audit = null;
  }
}
