package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.state.Counts;
import dev.unseen.state.StateCopy;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One of the 128 parts of a {@link ShardedFilter}: an independent filter with its own lock and
 * counts. A shard can be saved, moved to another process and merged without the rest of the filter.
 */
public final class LockedShard implements Stateful {
  private static final AtomicLong CREATED = new AtomicLong();

  private final int index;
  private final long order = CREATED.getAndIncrement(); // in which the locks of two are taken
  private final ReentrantLock lock = new ReentrantLock();
  private volatile BatchingFilter filter; // volatile, because prefetches read it without the lock
  private long records;
  private long admitted;

  /** Creates an empty shard. */
  LockedShard(int index, FilterSpec spec) {
    this.index = index;
    this.filter = Filters.create(spec);
  }

  /**
   * Admits a hash that was seen at this time. Times of other shards do not matter: each shard has
   * its own latest time.
   */
  boolean admit(long hash, long millis) {
    lock.lock();
    try {
      return count(filter.admit(hash, millis));
    } finally {
      lock.unlock();
    }
  }

  private boolean count(boolean fresh) {
    records++;
    admitted += fresh ? 1 : 0;
    return fresh;
  }

  /** Admits hashes that were seen at these times, in this order. */
  int admitAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    lock.lock();
    try {
      int more = filter.admitAll(hashes, millis, offset, count, fresh, late);
      records += count;
      admitted += more;
      return more;
    } finally {
      lock.unlock();
    }
  }

  boolean mightContain(long hash, long millis) {
    lock.lock();
    try {
      return filter.mightContain(hash, millis);
    } finally {
      lock.unlock();
    }
  }

  int mightContainAll(long[] hashes, int offset, int count, long millis, long[] seen) {
    lock.lock();
    try {
      return filter.mightContainAll(hashes, offset, count, millis, seen);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts a hash that is a duplicate, as another filter knows.
   *
   * @param copied whether this shard is to remember it, too
   */
  void admitKnown(long hash, long millis, boolean copied) {
    lock.lock();
    try {
      if (copied) {
        filter.admit(hash, millis);
      } else {
        filter.skip(millis);
      }
      records++;
    } finally {
      lock.unlock();
    }
  }

  boolean wasSeen(long hash, long after, long before) {
    lock.lock();
    try {
      return filter.wasSeen(hash, after, before);
    } finally {
      lock.unlock();
    }
  }

  /** Sets the counts, which continue those of a filter that this one replaces. */
  public void count(long taken, long let) {
    lock.lock();
    try {
      records = taken;
      admitted = let;
    } finally {
      lock.unlock();
    }
  }

  /** Moves the time of this shard on. */
  void advanceTo(long millis) {
    lock.lock();
    try {
      filter.advanceTo(millis);
    } finally {
      lock.unlock();
    }
  }

  void setBack(long millis) {
    lock.lock();
    try {
      filter.setBack(millis);
    } finally {
      lock.unlock();
    }
  }

  /** Reads what a hash needs into the caches, without the lock. */
  long readAhead(long hash) {
    return filter.readAhead(hash);
  }

  /**
   * Counts and remembers a hash if it is a duplicate. Returns whether it is one; if not, nothing
   * has changed.
   */
  boolean admitDuplicate(long hash, long millis) {
    lock.lock();
    try {
      return filter.mightContain(hash, millis) && !admit(hash, millis);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets everything. */
  void clear() {
    lock.lock();
    try {
      filter = Filters.emptied(filter);
      records = 0;
      admitted = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps all threads away from this shard until {@link #resume}. */
  void pause() {
    lock.lock();
  }

  void resume() {
    lock.unlock();
  }

  /**
   * Merges another shard of the same number into this one: see {@link FilterMerge}. Other threads
   * may use both. The lock of the older one is taken first, so that two merges never wait for each
   * other.
   */
  void merge(LockedShard other) {
    boolean isOlder = order < other.order;
    LockedShard first = isOlder ? this : other;
    LockedShard second = isOlder ? other : this;
    first.pause();
    try {
      second.pause();
      try {
        mergePaused(other);
      } finally {
        second.resume();
      }
    } finally {
      first.resume();
    }
  }

  private void mergePaused(LockedShard other) {
    if (records == 0) {
      StateCopy.copy(other, this);
    } else if (other.records > 0) {
      FilterMerge.merge(filter, other.filter);
      records = Counts.sum(records, other.records);
      admitted = Counts.sum(admitted, other.admitted);
    }
  }

  double ask(ToDoubleFunction<DuplicateFilter> value) {
    lock.lock();
    try {
      return value.applyAsDouble(filter);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of this shard, 0 to 127. */
  public int index() {
    return index;
  }

  /** Returns the number of records that this shard has processed. */
  public long records() {
    lock.lock();
    try {
      return Math.min(records, Counts.MOST);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of records that this shard has let through. */
  public long admitted() {
    lock.lock();
    try {
      return Math.min(admitted, Counts.MOST);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the share of the shard's memory in use, 0 to 1. */
  public double load() {
    return ask(DuplicateFilter::load);
  }

  /** Returns the size of the shard's storage in bytes. */
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  /** Returns the filter, which may be used only under the lock. */
  BatchingFilter filter() {
    return filter;
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    records = visitor.count("records", records);
    admitted = visitor.number("admitted", Math.min(admitted, records), 0, records);
    filter.state(visitor);
  }

  @Override
  public String toString() {
    return "Shard[%d, %d records, %d admitted]".formatted(index, records(), admitted());
  }
}
