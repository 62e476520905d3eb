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
 * A filter with its counts and with the audit that watches it, so that no hash is taken in without
 * being counted and measured. For one thread, or for many if the filter is in shards.
 */
final class WatchedFilter {
  private DuplicateFilter filter;
  private ShardedFilter sharded; // the same, if it is for many threads; else null
  private Audit audit; // null: none
  private long records; // of a filter for one thread: shards count for themselves
  private long admitted;

  /** Goes on from a state. */
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

  /** Returns the filter if it is in shards; else null. */
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

  /** Takes in a hash that counts as seen at a time; whether it is admitted. */
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
    synchronized (watching) { // so that it sees a key's answers in the order of the filter
      boolean fresh = filter.admit(hash);
      watching.advanceTo(time);
      watching.observe(hash, fresh);
      return fresh;
    }
  }

  /**
   * Takes in hashes within one step of the window, all at once.
   *
   * @param times at which they count as seen, from {@code first} on; one for all if there is one
   * @param fresh receives the answers, as {@link DuplicateFilter#admitAll} gives them
   * @return how many were admitted
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
    for (int i = 0; i < count; i++) { // within a step of the filter, time goes on for the truth
      audit.advanceTo(times[first + i]);
      audit.observe(hashes[offset + i], ((fresh[i >>> 6] >>> i) & 1) != 0);
    }
  }

  /** Threads meet at the followed hashes only: those are decided one by one, the others in runs. */
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

  /** Returns a state of its own that is equal to this one, of one moment. */
  Snapshot copy() {
    Audit watching = audit;
    synchronized (watching == null ? this : watching) { // in the order of admitSharded
      if (sharded != null) {
        sharded.pause();
      }
      try {
        Snapshot copy = Snapshot.of(FilterMerge.copy(filter), records(), admitted());
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

  /** Forgets all keys, all counts, and what the audit measured. */
  void clear() {
    FilterSpec spec = filter.spec();
    if (sharded == null) {
      filter = null; // so that there is never room for two
      hold(spec.build());
    } else {
      sharded.clear();
    }
    audit = audit == null ? null : new Audit(audit.spec(), spec);
    records = 0;
    admitted = 0;
  }

  /**
   * Joins what another one has seen; the audit ends, since neither has seen the other's records.
   */
  void merge(WatchedFilter other) {
    FilterMerge.mergeInto(filter, other.filter);
    records = Counts.sum(records, other.records);
    admitted = Counts.sum(admitted, other.admitted);
    audit = null;
  }
}
