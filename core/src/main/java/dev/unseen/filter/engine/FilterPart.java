package dev.unseen.filter.engine;

import dev.unseen.filter.base.BatchingFilter;
import org.jspecify.annotations.Nullable;

/** A filter with its counts, which one thread changes at a time: others wait, or fail. */
abstract sealed class FilterPart permits SingleFilter, LockedShard {
  volatile BatchingFilter filter; // volatile, because some threads only read it
  long records;
  long admitted;

  FilterPart(BatchingFilter filter) {
    this.filter = filter;
  }

  abstract void enter();

  abstract void exit();

  public boolean admit(long hash, long millis) {
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

  public int admitAll(
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

  public boolean admitDuplicate(long hash, long millis) {
    enter();
    try {
      return filter.mightContain(hash, millis) && !admitNow(hash, millis);
    } finally {
      exit();
    }
  }

  public void admitKnown(long hash, long millis, boolean copied) {
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

  public void advanceTo(long millis) {
    enter();
    try {
      filter.advanceTo(millis);
    } finally {
      exit();
    }
  }

  public void setBack(long millis) {
    enter();
    try {
      filter.setBack(millis);
    } finally {
      exit();
    }
  }

  void clear() {
    enter();
    try {
      filter = Filters.emptied(filter);
      records = 0;
      admitted = 0;
    } finally {
      exit();
    }
  }
}
