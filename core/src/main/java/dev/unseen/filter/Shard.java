package dev.unseen.filter;

import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;

/**
 * One of the 128 parts of a {@link ShardedFilter}: a filter of its own with its lock and its
 * counts. It can be saved, moved to another process and joined with others, without the rest of the
 * filter.
 */
public final class Shard implements Stateful {
  private final int index;
  private final ReentrantLock lock = new ReentrantLock();
  private BatchingFilter filter;
  private AtomicLong now = new AtomicLong(Long.MIN_VALUE); // of all shards of a filter
  private long records;
  private long admitted;

  /** An empty shard. */
  Shard(int index, FilterSpec spec) {
    this.index = index;
    this.filter = (BatchingFilter) spec.build();
  }

  /** Goes by the time of these shards from now on. */
  void joins(AtomicLong time) {
    now = time;
  }

  boolean admit(long hash) {
    lock.lock();
    try {
      catchUp();
      boolean fresh = filter.admit(hash);
      records++;
      admitted += fresh ? 1 : 0;
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    lock.lock();
    try {
      catchUp();
      int more = filter.admitAll(hashes, offset, count, fresh);
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
      return filter.mightContain(hash, Math.max(millis, now.get()));
    } finally {
      lock.unlock();
    }
  }

  /** Tells the filter the time, which was told to all shards. */
  private void catchUp() {
    if (now.get() != Long.MIN_VALUE) {
      filter.advanceTo(now.get());
    }
  }

  /** Forgets everything. */
  void clear() {
    lock.lock();
    try {
      FilterSpec spec = filter.spec();
      filter = null; // so that there is never room for two
      filter = (BatchingFilter) spec.build();
      records = 0;
      admitted = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Keeps all threads away from this shard until {@link #resume}. */
  void pause() {
    lock.lock();
    catchUp();
  }

  void resume() {
    lock.unlock();
  }

  double ask(ToDoubleFunction<DuplicateFilter> value) {
    lock.lock();
    try {
      return value.applyAsDouble(filter);
    } finally {
      lock.unlock();
    }
  }

  /** Returns which of the 128 shards it is: 0 to 127. */
  public int index() {
    return index;
  }

  /** Returns how many records it has taken in. */
  public long records() {
    lock.lock();
    try {
      return records;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many of them it has let through. */
  public long admitted() {
    lock.lock();
    try {
      return admitted;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the share of its memory that is in use. */
  public double load() {
    return ask(DuplicateFilter::load);
  }

  /** Returns the bytes of its storage. */
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  /** Returns the filter, which nobody may use but under the lock. */
  BatchingFilter filter() {
    return filter;
  }

  /** Adds the counts of another shard. */
  void count(Shard other) {
    records = Counts.sum(records, other.records());
    admitted = Counts.sum(admitted, other.admitted());
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
