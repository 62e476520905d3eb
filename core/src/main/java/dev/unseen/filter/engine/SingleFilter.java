package dev.unseen.filter.engine;

import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.base.OverlapGuard;
import dev.unseen.state.Counts;
import java.util.function.Supplier;

/** A filter for one thread. A second thread that uses it at the same time fails. */
final class SingleFilter extends FilterPart implements CountingFilter {
  private final OverlapGuard guard;

  SingleFilter(BatchingFilter filter, long records, long admitted) {
    super(filter);
    this.guard = filter.guard();
    this.records = Math.min(records, Counts.MOST);
    this.admitted = Math.min(admitted, Counts.MOST);
  }

  @Override
  void enter() {
    guard.enter();
  }

  @Override
  void exit() {
    guard.exit();
  }

  @Override
  public DuplicateFilter filter() {
    return filter;
  }

  @Override
  public DuplicateFilter readable() {
    guard.requireIdle();
    return filter;
  }

  @Override
  public void dropLate(boolean drop) {
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
      guard.exit();
    }
  }

  @Override
  public void clear(Runnable also) {
    clear();
    also.run();
    guard.renew();
  }

  @Override
  public void merge(CountingFilter other, DuplicateFilter keys) {
    alone(() -> other.alone(() -> mergeNow((SingleFilter) other, keys)));
  }

  private Void mergeNow(SingleFilter other, DuplicateFilter keys) {
    FilterMerge.mergeInto(filter, keys);
    records = Counts.sum(records, other.records);
    admitted = Counts.sum(admitted, other.admitted);
    return null;
  }
}
