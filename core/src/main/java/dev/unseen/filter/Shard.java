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
 * One of the 128 parts of a {@link ShardedFilter}: an independent filter with its own lock and
 * counts. A shard can be saved, moved to another process and merged without the rest of the filter.
 */
public final class Shard implements Stateful {
  private final int index;
  private final ReentrantLock lock = new ReentrantLock();
  private BatchingFilter filter;
  private AtomicLong now = new AtomicLong(Long.MIN_VALUE); // shared by all shards of a filter
  private long records;
  private long admitted;

  /** Creates an empty shard. */
  Shard(int index, FilterSpec spec) {
    this.index = index;
    this.filter = (BatchingFilter) spec.build();
  }

  /** Uses this time, which the shards of a filter share, from now on. */
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

  int mightContainAll(long[] hashes, int offset, int count, long millis, long[] seen) {
    lock.lock();
    try {
      return filter.mightContainAll(hashes, offset, count, Math.max(millis, now.get()), seen);
    } finally {
      lock.unlock();
    }
  }

  /** Reads what a hash needs into the caches, without the lock. */
  long readAhead(long hash) {
    BatchingFilter present = filter;
    return present == null ? 0 : present.readAhead(hash); // null: it is being cleared
  }

  /** Tells the filter the time that all shards share. */
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
      filter = null; // so that two filters are never in memory at once
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

  /** Returns the number of this shard, 0 to 127. */
  public int index() {
    return index;
  }

  /** Returns the number of records that this shard has processed. */
  public long records() {
    lock.lock();
    try {
      return records;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of records that this shard has let through. */
  public long admitted() {
    lock.lock();
    try {
      return admitted;
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
