package dev.unseen.bits;

import dev.unseen.state.Storage;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * A long-indexed array of 64-bit words, all zero at first: the storage of every filter.
 *
 * <p>A Java array ends at 2^31 - 1 elements, 16 GiB of longs. This one is an array of chunks of 512
 * MiB, so that it ends where the heap ends, and a filter of the usual sizes is one chunk.
 *
 * <p>Eight words from a multiple of eight on lie in one cache line, as far as Java lets us: a large
 * array begins at a multiple of 64 bytes in the default collector, and its elements 16 bytes later,
 * so six words are left free before the first.
 */
public final class Words implements Storage {
  private static final int CHUNK_SHIFT = 26;
  private static final int CHUNK_WORDS = 1 << CHUNK_SHIFT;
  private static final int CHUNK_MASK = CHUNK_WORDS - 1;

  private static final int LEAD = 6; // words before the first, so that lines of eight are aligned

  private static final ThreadLocal<Boolean> LATER = ThreadLocal.withInitial(() -> false);

  private final long[][] chunks;
  // The chunk if there is but one, else null: saves a read at each access, a tenth of the time of
  // RLBSBF in the cache.
  private long[] only;
  private final long length;

  /**
   * Allocates {@code length} words; refuses, with the way out, what the heap cannot hold. Within
   * {@link #allocatedLater} it allocates nothing.
   */
  public Words(long length) {
    this.length = length;
    this.chunks = new long[Math.toIntExact((length + CHUNK_MASK) >>> CHUNK_SHIFT)][];
    if (!LATER.get()) {
      requireHeapFor(length * Long.BYTES);
      for (int i = 0; i < chunks.length; i++) {
        allocate((long) i << CHUNK_SHIFT);
      }
    }
  }

  /**
   * Makes something whose words have no memory yet, for a reader who does not believe what a file
   * says of its size: {@link #allocate} takes memory as the bytes come, and one who only looks at
   * the numbers beside the words takes none. It is a call around a constructor, since what has
   * words allocates them there.
   */
  public static <T> T allocatedLater(Supplier<T> maker) {
    LATER.set(true);
    try {
      return maker.get();
    } finally {
      LATER.remove();
    }
  }

  @Override
  public void allocate(long index) {
    int chunk = (int) (index >>> CHUNK_SHIFT);
    if (chunks[chunk] != null) {
      return;
    }
    long words = Math.min(CHUNK_WORDS, length - ((long) chunk << CHUNK_SHIFT));
    try {
      chunks[chunk] = new long[LEAD + (int) words];
    } catch (OutOfMemoryError e) {
      throw heapTooSmall(length * Long.BYTES, Runtime.getRuntime().maxMemory(), e);
    }
    only = chunks.length == 1 ? chunks[0] : null;
  }

  /**
   * Refuses memory that the heap of this process can never hold.
   *
   * @throws IllegalArgumentException that names the size, the limit and the way out
   */
  public static void requireHeapFor(long bytes) {
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap) {
      throw heapTooSmall(bytes, heap, null);
    }
  }

  private static IllegalArgumentException heapTooSmall(long bytes, long heap, Throwable cause) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "memory (%,d bytes) must fit into the heap of this Java process (%,d bytes at most);"
                + " ask for less, or start Java with a larger -Xmx",
            bytes,
            heap),
        cause);
  }

  /** The count of words. */
  @Override
  public long length() {
    return length;
  }

  /** The word at an index. */
  public long get(long index) {
    return chunk(index)[inChunk(index)];
  }

  /** Writes the word at an index. */
  public void set(long index, long word) {
    chunk(index)[inChunk(index)] = word;
  }

  /**
   * The array that holds an index: 2^26 words of this one, or fewer, from a multiple of that on.
   */
  @Override
  public long[] chunk(long index) {
    return only != null ? only : chunks[(int) (index >>> CHUNK_SHIFT)];
  }

  @Override
  public int offset(long index) {
    return inChunk(index);
  }

  /** Where in {@link #chunk} the word of an index is. */
  public static int inChunk(long index) {
    return LEAD + ((int) index & CHUNK_MASK);
  }

  /** Whether a bit is set; bit 0 is the lowest of word 0. */
  public boolean getBit(long bit) {
    return ((get(bit >>> 6) >>> bit) & 1) != 0;
  }

  /** Sets a bit; 1 if it was clear, else 0. */
  public int setBit(long bit) {
    long[] chunk = chunk(bit >>> 6);
    int index = inChunk(bit >>> 6);
    long word = chunk[index];
    chunk[index] = word | (1L << bit);
    return (int) ((~word >>> bit) & 1);
  }

  /** Clears a bit; 1 if it was set, else 0. */
  public int clearBit(long bit) {
    long[] chunk = chunk(bit >>> 6);
    int index = inChunk(bit >>> 6);
    long word = chunk[index];
    chunk[index] = word & ~(1L << bit);
    return (int) ((word >>> bit) & 1);
  }

  /** Sets each bit that is set in another array of the same length. */
  public void or(Words other) {
    for (int i = 0; i < chunks.length; i++) {
      for (int j = 0; j < chunks[i].length; j++) {
        chunks[i][j] |= other.chunks[i][j];
      }
    }
  }

  /** Counts the set bits from one on, up to but not including another. */
  public long countOnes(long from, long to) {
    long ones = 0;
    for (long bit = from; bit < to; ) {
      long end = Math.min(to, (bit | 63) + 1);
      ones += Long.bitCount(get(bit >>> 6) & mask(bit, end));
      bit = end;
    }
    return ones;
  }

  /** Counts the set bits, from one on, up to but not including another, of words in an array. */
  static long countOnes(long[] words, int offset, long from, long to) {
    long ones = 0;
    for (long bit = from; bit < to; ) {
      long end = Math.min(to, (bit | 63) + 1);
      ones += Long.bitCount(words[offset + (int) (bit >>> 6)] & mask(bit, end));
      bit = end;
    }
    return ones;
  }

  /** Of one word, the bits from one on, up to but not including another. */
  private static long mask(long from, long to) {
    return (-1L >>> (64 - (to - from))) << from;
  }

  /** Counts the set bits of the whole array. */
  public long countOnes() {
    long ones = 0;
    for (long[] chunk : chunks) {
      for (long word : chunk) {
        ones += Long.bitCount(word);
      }
    }
    return ones;
  }
}
