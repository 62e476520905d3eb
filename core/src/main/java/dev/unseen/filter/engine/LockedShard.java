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
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One of the 128 parts of a {@link ShardedFilter}: an independent filter with its own lock and
 * counts. A shard can be saved, moved to another process and merged without the rest of the filter.
 */
public final class LockedShard extends FilterPart implements Stateful {
  private static final AtomicLong CREATED = new AtomicLong();

  private final int index;
  private final long order = CREATED.getAndIncrement(); // in which the locks of two are taken
  private final ReentrantLock lock = new ReentrantLock();

  LockedShard(int index, FilterSpec spec) {
    super(Filters.create(spec));
    this.index = index;
  }

  /** Keeps all other threads away from this shard until {@link #exit}. */
  @Override
  void enter() {
    lock.lock();
  }

  @Override
  void exit() {
    lock.unlock();
  }

  boolean mightContain(long hash, long millis) {
    enter();
    try {
      return filter.mightContain(hash, millis);
    } finally {
      exit();
    }
  }

  int mightContainAll(long[] hashes, int offset, int count, long millis, long[] seen) {
    enter();
    try {
      return filter.mightContainAll(hashes, offset, count, millis, seen);
    } finally {
      exit();
    }
  }

  /** Sets the counts, which continue those of a filter that this one replaces. */
  public void count(long taken, long let) {
    alone(
        () -> {
          records = taken;
          admitted = let;
          return null;
        });
  }

  /** Reads what a hash needs into the caches, without the lock. */
  long readAhead(long hash) {
    return filter.readAhead(hash);
  }

  /**
   * Merges a shard of the same number into this one. The lock of the older is taken first, so that
   * two merges never wait for each other.
   */
  void merge(LockedShard other) {
    boolean isOlder = order < other.order;
    LockedShard first = isOlder ? this : other;
    LockedShard second = isOlder ? other : this;
    first.alone(() -> second.alone(() -> mergeNow(other)));
  }

  private Void mergeNow(LockedShard other) {
    if (records == 0) {
      StateCopy.copy(other, this);
    } else if (other.records > 0) {
      FilterMerge.merge(filter, other.filter);
      records = Counts.sum(records, other.records);
      admitted = Counts.sum(admitted, other.admitted);
    }
    return null;
  }

  /** Does something while all other threads that need this shard wait. */
  public <T> T alone(Supplier<T> work) {
    enter();
    try {
      return work.get();
    } finally {
      exit();
    }
  }

  <T> T ask(Function<DuplicateFilter, T> question) {
    return alone(() -> question.apply(filter));
  }

  public int index() {
    return index;
  }

  public long records() {
    return alone(() -> Math.min(records, Counts.MOST));
  }

  public long admitted() {
    return alone(() -> Math.min(admitted, Counts.MOST));
  }

  public double load() {
    return ask(DuplicateFilter::load);
  }

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
