package dev.unseen.filter.base;

import dev.unseen.bits.Answers;
import dev.unseen.filter.FilterSpec;
import dev.unseen.state.StateCopy;
import dev.unseen.state.Stateful;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The batch path that all filters share. A filter larger than the caches waits for memory at each
 * hash. A block of hashes is therefore first located and then touched: the words that it needs are
 * read, and because no read depends on another, the processor waits for many of them at once. Then
 * the block is decided one by one.
 */
public abstract class BatchingFilter implements DuplicateFilter, Stateful {
  /**
   * The positions in a block: more than the reads that a core has in flight, few for the L1 cache.
   */
  protected static final int POSITIONS = 128;

  private final FilterSpec spec;
  private final int block;
  private OverlapGuard guard = new OverlapGuard();
  private boolean dropsLate;

  @SuppressWarnings("unused") // written so that the reads are not optimized away
  private long touched;

  protected BatchingFilter(FilterSpec spec, int block) {
    this.spec = spec;
    this.block = block;
  }

  /**
   * Checks a block of hashes, and sets those of the bits {@code from..to-1} that are admitted or
   * too late.
   */
  protected abstract void admitBlock(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int from,
      int to,
      long[] fresh,
      long @Nullable [] late);

  /** Reads the words that a block of hashes needs, so that asking about them need not wait. */
  protected abstract void touchBlock(long[] hashes, int offset, int count);

  /**
   * Reads a word that a hash needs into the caches, if the filter can. Any thread may call this.
   */
  public long readAhead(long hash) {
    return 0;
  }

  /** Returns the guard for callers that are not certain to be the only thread. */
  public final OverlapGuard guard() {
    return guard;
  }

  /** Takes over the memory, cleared, and the guard of a filter that is not used any more. */
  public final void takeOver(BatchingFilter old) {
    guard = old.guard;
    dropsLate = old.dropsLate;
    StateCopy.storageOf(this).takeOver(StateCopy.storageOf(old));
  }

  /** Sets whether records that cannot be checked are rejected. It is not part of the state. */
  public final void dropLate(boolean drop) {
    dropsLate = drop;
  }

  protected final boolean dropsLate() {
    return dropsLate;
  }

  /** Returns the time of a hash of a batch with a time each, one for all, or none. */
  public static long timeOf(long @Nullable [] times, int at) {
    return times == null ? NOW : times.length == 1 ? times[0] : times[at];
  }

  /** Merges another filter of the same spec into this one. Neither is empty. */
  public abstract void merge(BatchingFilter other);

  /** Receives a sum of what was read, so that the reads are not optimized away. */
  protected final void touched(long sum) {
    touched = sum;
  }

  @Override
  public final int admitAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = Answers.clear(fresh, count);
    if (late != null) {
      Answers.clear(late, count);
    }
    for (int i = 0; i < count; i += block) {
      admitBlock(hashes, millis, offset + i, i, Math.min(i + block, count), fresh, late);
    }
    return Answers.count(fresh, words);
  }

  @Override
  public final int mightContainAll(long[] hashes, int offset, int count, long millis, long[] seen) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = Answers.clear(seen, count);
    for (int from = 0; from < count; from += block) {
      int to = Math.min(from + block, count);
      touchBlock(hashes, offset + from, to - from);
      for (int i = from; i < to; i++) {
        long bit = mightContain(hashes[offset + i], millis) ? 1 : 0;
        seen[i / Long.SIZE] |= bit << i;
      }
    }
    return Answers.count(seen, words);
  }

  @Override
  public final FilterSpec spec() {
    return spec;
  }
}
