package dev.unseen.filter.engine;

import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.base.OverlapGuard;
import dev.unseen.state.Counts;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A filter with its counts, for one thread at a time. A second thread fails, or waits. */
sealed class SingleFilter implements CountingFilter permits LockedShard {
  volatile BatchingFilter filter; // volatile, because some threads only read it
  long records;
  long admitted;
  private final OverlapGuard guard;

  SingleFilter(BatchingFilter filter, long records, long admitted) {
    this.filter = filter;
    this.guard = filter.guard();
    this.records = Math.min(records, Counts.MOST);
    this.admitted = Math.min(admitted, Counts.MOST);
  }

  /** Begins to change the filter. */
  void enter() {
    guard.enter();
  }

  /** Ends the change that {@link #enter} has begun. */
  void exit() {
    guard.exit();
  }

  private void change(Runnable work) {
    enter();
    try {
      work.run();
    } finally {
      exit();
    }
  }

  @Override
  public BatchingFilter filter() {
    return filter;
  }

  @Override
  public DuplicateFilter readable() {
    guard.requireIdle();
    return filter;
  }

  @Override
  public final boolean admit(long hash, long millis) {
    enter();
    try {
      return admitNow(hash, millis);
    } finally {
      exit();
    }
  }

  private boolean admitNow(long hash, long millis) {
    boolean fresh = filter.admit(hash, millis);
    records++;
    admitted += fresh ? 1 : 0;
    return fresh;
  }

  @Override
  public final int admitAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    enter();
    try {
      int more = filter.admitAll(hashes, millis, offset, count, fresh, late);
      records += count;
      admitted += more;
      return more;
    } finally {
      exit();
    }
  }

  @Override
  public final boolean admitDuplicate(long hash, long millis) {
    enter();
    try {
      return filter.mightContain(hash, millis) && !admitNow(hash, millis);
    } finally {
      exit();
    }
  }

  @Override
  public final void admitKnown(long hash, long millis, boolean copied) {
    enter();
    try {
      if (copied) {
        filter.admit(hash, millis);
      } else {
        filter.skip(millis);
      }
      records++;
    } finally {
      exit();
    }
  }

  @Override
  public final void advanceTo(long millis) {
    change(() -> filter.advanceTo(millis));
  }

  @Override
  public final void setBack(long millis) {
    change(() -> filter.setBack(millis));
  }

  @Override
  public final void dropLate(boolean drop) {
    filter.dropLate(drop);
  }

  @Override
  public long records() {
    return Math.min(records, Counts.MOST);
  }

  @Override
  public long admitted() {
    return Math.min(admitted, Counts.MOST);
  }

  @Override
  public <T> T alone(Supplier<T> work) {
    guard.enterIntact();
    try {
      return work.get();
    } finally {
      exit();
    }
  }

  final void clear() {
    change(
        () -> {
          filter = Filters.emptied(filter);
          records = 0;
          admitted = 0;
        });
  }

  @Override
  public final void clear(Runnable also) {
    clear();
    also.run();
    guard.renew();
  }

  @Override
  public final void merge(CountingFilter other, DuplicateFilter keys) {
    alone(() -> other.alone(() -> mergeNow((SingleFilter) other, keys)));
  }

  private Void mergeNow(SingleFilter other, DuplicateFilter keys) {
    FilterMerge.mergeInto(filter, keys);
    count(Counts.sum(records, other.records), Counts.sum(admitted, other.admitted));
    return null;
  }

  /** Sets the counts. */
  void count(long taken, long let) {
    records = taken;
    admitted = let;
  }
}
