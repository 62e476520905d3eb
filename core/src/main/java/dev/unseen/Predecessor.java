package dev.unseen;

import dev.unseen.clock.ClockState;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;

/**
 * A filter that another one has replaced. No key is added to it, and it is asked about keys until
 * nothing that it knows can matter.
 *
 * <p>If both filters have windows of the same unit, a key that this filter knows counts as seen at
 * its own time, and the new window decides. Otherwise its age is unknown, and it counts as seen
 * when the filter was replaced.
 */
final class Predecessor {
  private final Snapshot state;
  private final Window window; // of the filter that has replaced this one
  private final boolean hasTimes; // whether its times can be compared with that window
  private final long replacedAt; // in milliseconds or records, as the window
  private final long ahead; // of the number of its own records before that of all records
  private final boolean
      stays; // whether it is needed permanently, because its successor never evicts
  private final long held;
  private final boolean hashesAlike;
  private final Hash64 keyHash;

  /** Creates a predecessor with the counts at which it was replaced, by a filter of this spec. */
  Predecessor(Snapshot state, FilterSpec successor) {
    Window own = state.spec().window();
    long latest = state.clock().latest();
    this.state = state;
    this.window = successor.window();
    this.hasTimes = !own.isNone() && !window.isNone() && own.isTime() == window.isTime();
    this.replacedAt =
        !window.isTime()
            ? state.records()
            : latest == ClockState.NEVER ? state.savedAtMillis() : latest;
    this.ahead = hasTimes && !window.isTime() ? state.filter().recordsOfWindow() - replacedAt : 0;
    this.stays = successor.kind() == FilterKind.BLOOM;
    this.hashesAlike = state.spec().hashesLike(successor);
    this.keyHash = state.spec().keyHash();
    this.held = Math.round(state.filter().estimatedCardinality());
  }

  Snapshot state() {
    return state;
  }

  DuplicateFilter filter() {
    return state.filter();
  }

  boolean hashesAlike() {
    return hashesAlike;
  }

  Hash64 keyHash() {
    return keyHash;
  }

  /** Returns whether it has kept all keys, so that no duplicate gets through because of it. */
  boolean hasEvictedNone() {
    return Report.of(state).estimatedFnr().high() == 0;
  }

  long held() {
    return held;
  }

  /**
   * Returns whether a hash was seen less than a window before or after a moment, in milliseconds or
   * records, so that its record is a duplicate. Any thread may call this.
   */
  boolean knows(long hash, long moment) {
    if (filter() instanceof ShardedFilter sharded) { // it may have ended for some of the shards
      return sharded.holds(ShardedFilter.shardOf(hash)) && contains(hash, moment);
    }
    synchronized (this) { // a filter for one thread may use scratch space
      return contains(hash, moment);
    }
  }

  private boolean contains(long hash, long moment) {
    return hasTimes
        ? filter().wasSeen(hash, since(moment + ahead), until(moment + ahead))
        : isRecent(moment) && filter().mightContain(hash);
  }

  private boolean isRecent(long moment) {
    return window.isNone() || (replacedAt > since(moment) && replacedAt < until(moment));
  }

  private long since(long moment) {
    return moment < Long.MIN_VALUE + window.length() ? Long.MIN_VALUE : moment - window.length();
  }

  private long until(long moment) {
    return moment > Long.MAX_VALUE - window.length() ? Long.MAX_VALUE : moment + window.length();
  }

  void readAhead(long hash) {
    if (state.filter() instanceof ShardedFilter sharded) {
      if (sharded.holds(ShardedFilter.shardOf(hash))) {
        sharded.readAhead(hash);
      }
    } else {
      ((BatchingFilter) state.filter()).readAhead(hash);
    }
  }

  /**
   * Returns what is left at a moment until nothing that it knows can matter: milliseconds or
   * records, as the window; without a window the number of new keys.
   */
  long left(long moment, long admitted) {
    if (stays) {
      return Long.MAX_VALUE;
    }
    return window.isNone()
        ? Math.max(0, held - (admitted - state.admitted()))
        : Math.max(0, replacedAt + window.length() + window.lateness() - moment);
  }

  void setBack(long millis) {
    state.filter().setBack(millis);
  }
}
