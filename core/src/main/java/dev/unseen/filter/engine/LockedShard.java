package dev.unseen.filter.engine;

import dev.unseen.filter.FilterSpec;
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
public final class LockedShard extends SingleFilter implements Stateful {
  private static final AtomicLong CREATED = new AtomicLong();

  private final int index;
  private final long order = CREATED.getAndIncrement(); // in which the locks of two are taken
  private final ReentrantLock lock = new ReentrantLock();

  LockedShard(int index, FilterSpec spec) {
    super(Filters.create(spec), 0, 0);
    this.index = index;
  }

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

  @Override
  public void count(long taken, long let) {
    enter();
    super.count(taken, let);
    exit();
  }

  /** Reads what a hash needs into the caches, without the lock. */
  long readAhead(long hash) {
    return filter.readAhead(hash);
  }

  /** Merges a shard of the same number into this one, with the lock of the older taken first. */
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
      count(Counts.sum(records, other.records), Counts.sum(admitted, other.admitted));
    }
    return null;
  }

  @Override
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

  @Override
  public long records() {
    return alone(super::records);
  }

  @Override
  public long admitted() {
    return alone(super::admitted);
  }

  @Override
  public void state(StateVisitor visitor) throws IOException {
    records = visitor.count("records", records);
    admitted = visitor.number("admitted", Math.min(admitted, records), 0, records);
    filter.state(visitor);
  }
}
