package dev.unseen.state;

import dev.unseen.error.OptionException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An array of 64-bit words with a long index, all zero at first: the storage of every filter.
 *
 * <p>A Java array has at most 2^31 - 1 elements, which are 16 GiB of longs. This class uses an
 * array of chunks of 512 MiB each, so that only the heap limits it, and a filter of the usual sizes
 * is one chunk.
 *
 * <p>Eight words from a multiple of eight on lie in one cache line, as far as Java allows: in the
 * default collector a large array begins at a multiple of 64 bytes, and its elements 16 bytes
 * later, so six words are left free before the first.
 */
public final class Words {
  private static final int CHUNK_SHIFT = 26;
  private static final int CHUNK_WORDS = 1 << CHUNK_SHIFT;
  private static final int CHUNK_MASK = CHUNK_WORDS - 1;

  private static final int LEAD = 6; // words before the first, so that lines of eight are aligned

  private static final ThreadLocal<Boolean> LATER = ThreadLocal.withInitial(() -> false);

  private final long[][] chunks;
  // The chunk if there is only one, else null. This saves a read at each access, a tenth of the
  // time of RLBSBF in the cache.
  private long @Nullable [] only;
  private final long length;

  /** Allocates {@code length} words, or nothing within {@link #allocatedLater}. */
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
   * Creates an object whose words get their memory as the bytes arrive, for a reader that does not
   * trust the size in a file, or reads the numbers only. It wraps a constructor.
   */
  public static <T> T allocatedLater(Supplier<T> maker) {
    LATER.set(true);
    try {
      return maker.get();
    } finally {
      LATER.remove();
    }
  }

  /** Allocates the array that contains the word at an index, if it is not allocated yet. */
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

  /** Rejects memory that the heap of this process can never hold. */
  public static void requireHeapFor(long bytes) {
    long heap = Runtime.getRuntime().maxMemory();
    if (bytes > heap) {
      throw heapTooSmall(bytes, heap, null);
    }
  }

  private static OptionException heapTooSmall(long bytes, long heap, @Nullable Throwable cause) {
    return OptionException.outOfRange(
            "memory",
            String.format(Locale.ROOT, "%,d bytes", bytes),
            String.format(Locale.ROOT, "at most the heap of this Java process (%,d bytes)", heap))
        .remedy("use less memory, or a larger heap ({" + OptionException.HEAP + "})")
        .causedBy(cause);
  }

  public long length() {
    return length;
  }

  public long get(long index) {
    return chunk(index)[inChunk(index)];
  }

  public void set(long index, long word) {
    chunk(index)[inChunk(index)] = word;
  }

  /** Returns the array that contains the word at an index. */
  public long[] chunk(long index) {
    return only != null ? only : chunks[(int) (index >>> CHUNK_SHIFT)];
  }

  /** Returns the index within {@link #chunk} of the word at an index. */
  public static int inChunk(long index) {
    return LEAD + ((int) index & CHUNK_MASK);
  }

  /** Returns whether a bit is set. Bit 0 is the lowest bit of word 0. */
  public boolean getBit(long bit) {
    return ((get(bit >>> 6) >>> bit) & 1) != 0;
  }

  /** Sets a bit. Returns 1 if it was clear, else 0. */
  public int setBit(long bit) {
    long[] chunk = chunk(bit >>> 6);
    int index = inChunk(bit >>> 6);
    long word = chunk[index];
    chunk[index] = word | (1L << bit);
    return (int) ((~word >>> bit) & 1);
  }

  /** Clears a bit. Returns 1 if it was set, else 0. */
  public int clearBit(long bit) {
    long[] chunk = chunk(bit >>> 6);
    int index = inChunk(bit >>> 6);
    long word = chunk[index];
    chunk[index] = word & ~(1L << bit);
    return (int) ((word >>> bit) & 1);
  }

  /** Takes over the memory of another array of the same length, and clears it. */
  public void takeOver(Words other) {
    for (int i = 0; i < chunks.length; i++) {
      Arrays.fill(other.chunks[i], 0);
      chunks[i] = other.chunks[i];
    }
    only = other.only;
  }

  /** Sets each bit that is set in another array of the same length. */
  public void or(Words other) {
    for (int i = 0; i < chunks.length; i++) {
      for (int j = 0; j < chunks[i].length; j++) {
        chunks[i][j] |= other.chunks[i][j];
      }
    }
  }

  public long countOnes(long from, long to) {
    long ones = 0;
    for (long bit = from; bit < to; ) {
      long end = Math.min(to, (bit | 63) + 1);
      ones += Long.bitCount(get(bit >>> 6) & mask(bit, end));
      bit = end;
    }
    return ones;
  }

  /** Counts the set bits from {@code from} up to {@code to} of words in an array. */
  public static long countOnes(long[] words, int offset, long from, long to) {
    long ones = 0;
    for (long bit = from; bit < to; ) {
      long end = Math.min(to, (bit | 63) + 1);
      ones += Long.bitCount(words[offset + (int) (bit >>> 6)] & mask(bit, end));
      bit = end;
    }
    return ones;
  }

  /** Returns the bits of one word from {@code from} up to but not including {@code to}. */
  private static long mask(long from, long to) {
    return (-1L >>> (64 - (to - from))) << from;
  }

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
