package dev.unseen;

import dev.unseen.bits.Answers;
import java.util.Spliterator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Returns the records of a source that are new, in order. It reads a block of records ahead, which
 * the gate decides in one call, and returns the new ones before it reads from the source again.
 *
 * <pre>
 * size is 1 at first
 * repeat:
 *   take a record from the source; it may take its time, since nothing is held back
 *   while there are fewer than size, the next is available, and all this took less than the patience:
 *     take another
 *   decide all of them, and return the new ones
 *   size becomes 1 if it took longer than the patience, else up to twice as large
 * </pre>
 *
 * <p>Because a block grows from 1 record, a caller that stops early has wasted no more records than
 * were read before, and a source that is slow from its start is never read ahead.
 *
 * @param <T> the type of the records
 */
final class LookAhead<T> implements Spliterator<T> {
  /**
   * Twice as far as filters look ahead in a batch; 1024 is not faster: {@code bench/compare
   * through}.
   */
  private static final int BLOCK = 256;

  /** Nanoseconds for which the records of one block may wait for each other. */
  private static final long PATIENCE = 1_000_000;

  /** The number of records that are read between two looks at the clock. */
  private static final int UNTIMED = 8;

  private final Spliterator<? extends T> source;
  private final HashedBlock<T> block;
  private final Consumer<T> taking = this::take;
  private final @Nullable Object[] records = new @Nullable Object[BLOCK];
  private final long[] fresh = new long[BLOCK / Long.SIZE];
  private final @Nullable BooleanSupplier ready; // null: if the source knows its size
  private int size = 1;
  private int count; // the number of records in the block
  private int next; // the first of them that has not been returned
  private boolean ended;
  private @Nullable Throwable failure; // thrown after the records of the block

  LookAhead(
      Spliterator<? extends T> source, @Nullable BooleanSupplier ready, Deduplicator<T> dedup) {
    this.source = source;
    this.ready = ready;
    this.block = new HashedBlock<>(dedup, BLOCK);
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    while (true) {
      while (next < count) {
        int at = next++;
        T record = at(at);
        if (isFresh(at)) {
          action.accept(record);
          return true;
        }
      }
      if (!readBlock()) {
        return false;
      }
    }
  }

  @Override
  public void forEachRemaining(Consumer<? super T> action) {
    do {
      while (next < count) {
        int at = next++;
        T record = at(at);
        if (isFresh(at)) {
          action.accept(record);
        }
      }
    } while (readBlock());
  }

  private T at(int place) {
    T record = peek(place);
    records[place] = null;
    return record;
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // only take puts records there
  private T peek(int place) {
    return (T) records[place];
  }

  private boolean isFresh(int place) {
    return Answers.has(fresh, place);
  }

  /** Reads and decides the next block. Returns false at the end of the source. */
  private boolean readBlock() {
    if (failure != null) {
      Throwable cause = failure;
      failure = null;
      LookAhead.<RuntimeException>rethrow(cause);
    }
    if (ended) {
      return false;
    }
    next = 0;
    count = 0;
    try {
      gather();
    } catch (Throwable e) { // thrown when the records before it have been returned
      failure = e;
    }
    decide();
    return count > 0 || failure != null;
  }

  private void decide() {
    int gathered = count;
    count = 0; // nothing is returned if the gate fails
    if (gathered == 1) {
      fresh[0] = block.admitFirst(peek(0)) ? 1 : 0;
    } else if (gathered > 1) {
      try {
        block.admit(gathered, this::peek, fresh);
      } catch (LateRecordException e) { // thrown when the records before it have been returned
        failure = e;
        ended = true;
        gathered = e.index();
      }
    }
    count = gathered;
  }

  private void gather() {
    if (ready == null && !source.hasCharacteristics(SIZED)) {
      ended = !source.tryAdvance(taking);
      return;
    }
    long start = System.nanoTime();
    boolean late = false;
    while (!ended && count < size && !late && (count == 0 || isReady())) {
      ended = !source.tryAdvance(taking);
      late = count % UNTIMED == 0 && isLate(start);
    }
    size = late || isLate(start) ? 1 : Math.min(BLOCK, Math.max(1, 2 * count));
  }

  private boolean isReady() {
    return ready == null || ready.getAsBoolean();
  }

  private static boolean isLate(long start) {
    return System.nanoTime() - start > PATIENCE;
  }

  private void take(T record) {
    block.put(count, record);
    records[count] = record;
    count++;
  }

  /** Throws an exception that the source may throw without declaring it. */
  @SuppressWarnings("unchecked") // the cast only changes the type that the compiler sees
  private static <E extends Throwable> void rethrow(Throwable e) throws E {
    throw (E) e;
  }

  /** Returns null: the records that were read ahead come before the others. */
  @Override
  public @Nullable Spliterator<T> trySplit() {
    return null;
  }

  @Override
  public long estimateSize() {
    return Long.MAX_VALUE;
  }

  @Override
  public int characteristics() {
    return ORDERED;
  }
}
