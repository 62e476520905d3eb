import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Whether the Vector API would pay: finds a tag of one byte among the 32 tags of a line, by long
 * arithmetic (what core does, four words at a time) and by one vector of 32 bytes. Half of the tags
 * are there. Run it with {@code bench/compare vector}; see docs/benchmarks.md.
 *
 * <p>An experiment: it is no part of the build, as the Vector API is still an incubator and must be
 * asked for at the command line of every user.
 */
final class TagSearch {
  private static final int LINE = 8; // words, of which the first four hold tags
  private static final int TAG_WORDS = 4;
  private static final int SEARCHES = 1 << 20;
  private static final int ROUNDS = 21;
  private static final int BATCH = 1024;

  private static final long LOW = 0x0101010101010101L;
  private static final long LOW_SEVEN = 0x7F7F7F7F7F7F7F7FL;

  private final long[] words;
  private final int[] lines = new int[SEARCHES];
  private final byte[] tags = new byte[SEARCHES];

  private TagSearch(int bytes) {
    SplittableRandom random = new SplittableRandom(1);
    words = random.longs(bytes / Long.BYTES).toArray();
    for (int i = 0; i < SEARCHES; i++) {
      lines[i] = random.nextInt(words.length / LINE) * LINE;
      long there = words[lines[i] + random.nextInt(TAG_WORDS)] >>> (8 * random.nextInt(8));
      tags[i] = (byte) (random.nextBoolean() ? there : random.nextInt());
    }
  }

  /** The place of the first byte that equals the tag, or 32. */
  private static int findByLongs(long[] words, int at, byte tag) {
    long wanted = LOW * (tag & 0xFF);
    for (int i = 0; i < TAG_WORDS; i++) {
      long differs = words[at + i] ^ wanted;
      // The highest bit of each byte that is zero; exact, as no carry leaves a byte.
      long zero = ~(((differs & LOW_SEVEN) + LOW_SEVEN) | differs | LOW_SEVEN);
      if (zero != 0) {
        return 8 * i + (Long.numberOfTrailingZeros(zero) >>> 3);
      }
    }
    return 32;
  }

  /** The same without a branch until all words are seen. */
  private static int findByLongsAtOnce(long[] words, int at, byte tag) {
    long wanted = LOW * (tag & 0xFF);
    long mask =
        (packed(words[at] ^ wanted))
            | (packed(words[at + 1] ^ wanted) << 8)
            | (packed(words[at + 2] ^ wanted) << 16)
            | (packed(words[at + 3] ^ wanted) << 24);
    return Long.numberOfTrailingZeros(mask | 1L << 32);
  }

  /** A bit for each byte that is zero. */
  private static long packed(long differs) {
    long zero = ~(((differs & LOW_SEVEN) + LOW_SEVEN) | differs | LOW_SEVEN);
    return ((zero >>> 7) * 0x0102040810204080L) >>> 56;
  }

  private static int findByVector(long[] words, int at, byte tag) {
    ByteVector line = LongVector.fromArray(LongVector.SPECIES_256, words, at).reinterpretAsBytes();
    return Long.numberOfTrailingZeros(line.compare(VectorOperators.EQ, tag).toLong() | 1L << 32);
  }

  private long byLongs(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += findByLongs(words, lines[i], tags[i]);
    }
    return sum;
  }

  private long byLongsAtOnce(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += findByLongsAtOnce(words, lines[i], tags[i]);
    }
    return sum;
  }

  private long byVector(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += findByVector(words, lines[i], tags[i]);
    }
    return sum;
  }

  private interface Way {
    long run(int from, int to);
  }

  public static void main(String[] args) {
    System.out.println(
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    for (int kib : new int[] {16, 1024, 262_144}) {
      TagSearch search = new TagSearch(kib << 10);
      String[] names = {"longs", "longs, no branch", "vector"};
      Way[] ways = {search::byLongs, search::byLongsAtOnce, search::byVector};
      double[][] nanos = new double[ways.length][ROUNDS];
      long[] sums = new long[ways.length];
      for (int round = -10; round < ROUNDS; round++) {
        for (int way = 0; way < ways.length; way++) {
          double time = search.time(ways[way], sums, way);
          if (round >= 0) {
            nanos[way][round] = time;
          }
        }
      }
      if (Arrays.stream(sums).distinct().count() != 1) {
        throw new AssertionError("the ways differ: " + Arrays.toString(sums));
      }
      for (int way = 0; way < ways.length; way++) {
        Arrays.sort(nanos[way]);
        System.out.printf(
            Locale.ROOT,
            "%,7d KiB  %-16s %5.2f ns a search%n",
            kib,
            names[way],
            nanos[way][ROUNDS / 2]);
      }
    }
  }

  /** By the thread's own time; the ways take turns. */
  private double time(Way way, long[] sums, int number) {
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    long before = thread.getCurrentThreadCpuTime();
    long sum = 0;
    for (int i = 0; i < SEARCHES; i += BATCH) {
      sum += way.run(i, i + BATCH);
    }
    sums[number] = sum;
    return (double) (thread.getCurrentThreadCpuTime() - before) / SEARCHES;
  }
}
