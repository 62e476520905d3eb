package dev.unseen.bench;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import dev.unseen.bits.Mix;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.apache.commons.collections4.bloomfilter.BitMapExtractor;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;

/**
 * The structures that others would use for the same purpose. The Bloom filters have the same false
 * positive rate, with half of their bits set; the sets and the cache hold whole keys, as many as
 * the memory has room for.
 */
final class Peers {
  /** The k that has the fewest false positives at {@link Scenario#FPR}. */
  static final int BLOOM_HASHES = 13;

  private static final double LN2 = Math.log(2);

  private Peers() {}

  /** Returns the number of keys for which a Bloom filter of this number of bits has that rate. */
  private static long keysFor(long bits) {
    return (long) (bits * LN2 * LN2 / -Math.log(Scenario.FPR));
  }

  /** Guava's filter, whose {@code put} returns whether a bit has changed. */
  static final class Guava implements SpeedContestant {
    /** The number of bytes that it writes before its words. */
    private static final int HEAD = 6;

    private final BloomFilter<Long> filter;
    private final long memoryBytes;

    Guava(Scenario scenario) {
      BloomFilter<Long> empty =
          BloomFilter.create(
              Funnels.longFunnel(), keysFor(scenario.memoryBytes() * 8), Scenario.FPR);
      try {
        this.memoryBytes = RandomBits.sizeOf(empty::writeTo) - HEAD;
        this.filter =
            scenario.steady()
                ? BloomFilter.readFrom(
                    buffered(RandomBits.insteadOf(empty::writeTo, memoryBytes)),
                    Funnels.longFunnel())
                : empty;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean add(long key) {
      return filter.put(key);
    }

    @Override
    public long memoryBytes() {
      return memoryBytes;
    }

    @Override
    public double load() {
      return Math.pow(filter.expectedFpp(), 1.0 / BLOOM_HASHES);
    }
  }

  /** Spark's filter, which Spark uses for joins. */
  static final class Spark implements SpeedContestant {
    private final org.apache.spark.util.sketch.BloomFilter filter;

    Spark(Scenario scenario) {
      long bits = scenario.memoryBytes() * 8;
      org.apache.spark.util.sketch.BloomFilter empty =
          org.apache.spark.util.sketch.BloomFilter.create(keysFor(bits), bits);
      try {
        this.filter =
            scenario.steady()
                ? org.apache.spark.util.sketch.BloomFilter.readFrom(
                    buffered(RandomBits.insteadOf(empty::writeTo, empty.bitSize() / 8)))
                : empty;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean add(long key) {
      return filter.putLong(key);
    }

    @Override
    public long memoryBytes() {
      return filter.bitSize() / 8;
    }

    @Override
    public double load() {
      return Math.pow(filter.expectedFpp(), 1.0 / BLOOM_HASHES);
    }
  }

  /** The filter of Apache DataSketches. */
  static final class DataSketches implements SpeedContestant {
    private static final int NUMBER_OF_ONES = 24;
    private static final int BITS = 32;

    private final org.apache.datasketches.filters.bloomfilter.BloomFilter filter;

    DataSketches(Scenario scenario) {
      var empty = BloomFilterBuilder.createBySize(scenario.memoryBytes() * 8, BLOOM_HASHES, 1);
      this.filter = scenario.steady() ? filled(empty) : empty;
    }

    private static org.apache.datasketches.filters.bloomfilter.BloomFilter filled(
        org.apache.datasketches.filters.bloomfilter.BloomFilter filter) {
      filter.update(1L); // an empty one is written without its bits
      ByteBuffer bytes = ByteBuffer.wrap(filter.toByteArray()).order(ByteOrder.nativeOrder());
      long ones = 0;
      for (int i = BITS; i < bytes.capacity(); i += Long.BYTES) {
        long word = Mix.mix(i);
        bytes.putLong(i, word);
        ones += Long.bitCount(word);
      }
      bytes.putLong(NUMBER_OF_ONES, ones);
      return org.apache.datasketches.filters.bloomfilter.BloomFilter.heapify(Memory.wrap(bytes));
    }

    @Override
    public boolean add(long key) {
      return !filter.queryAndUpdate(key);
    }

    @Override
    public long memoryBytes() {
      return filter.getCapacity() / 8;
    }

    @Override
    public double load() {
      return (double) filter.getBitsUsed() / filter.getCapacity();
    }
  }

  /**
   * The filter of Apache Commons Collections, which needs hashes from outside; it has 256 MiB at
   * most.
   */
  static final class Commons implements SpeedContestant {
    private final SimpleBloomFilter filter;

    Commons(Scenario scenario) {
      int bits = (int) Math.min(scenario.memoryBytes() * 8, Integer.MAX_VALUE - 63);
      this.filter = new SimpleBloomFilter(Shape.fromKM(BLOOM_HASHES, bits));
      if (scenario.steady()) {
        BitMapExtractor random =
            consumer -> {
              for (int i = 0; i < (bits + 63) / 64; i++) {
                // Bits after the last one would be rejected.
                if (!consumer.test(i < bits / 64 ? Mix.mix(i) : 0)) {
                  return false;
                }
              }
              return true;
            };
        filter.merge(random);
      }
    }

    @Override
    public boolean add(long key) {
      long mixed = Mix.mix(key);
      Hasher hasher = new EnhancedDoubleHasher(mixed, Mix.mix(mixed + Mix.GOLDEN));
      if (filter.contains(hasher)) {
        return false;
      }
      filter.merge(hasher);
      return true;
    }

    @Override
    public long memoryBytes() {
      return (filter.getShape().getNumberOfBits() + 63L) / 64 * 8;
    }

    @Override
    public double load() {
      return (double) filter.cardinality() / filter.getShape().getNumberOfBits();
    }
  }

  /**
   * The cache that many pipelines use to remove duplicates. Its bytes per entry are those of the
   * lab.
   */
  static final class CaffeineCache implements SpeedContestant {
    private static final int BYTES_PER_ENTRY = 64;

    private final ConcurrentMap<Long, Boolean> seen;
    private final long capacity;

    CaffeineCache(Scenario scenario) {
      this.capacity = scenario.memoryBytes() / BYTES_PER_ENTRY;
      this.seen =
          Caffeine.newBuilder()
              .maximumSize(capacity)
              .executor(Runnable::run) // evicts in the measured thread
              .<Long, Boolean>build()
              .asMap();
      for (long i = 0; scenario.steady() && i < capacity; i++) {
        seen.put(Mix.mix(~i), true);
      }
    }

    @Override
    public boolean add(long key) {
      return seen.putIfAbsent(key, true) == null;
    }

    @Override
    public long memoryBytes() {
      return capacity * BYTES_PER_ENTRY;
    }

    @Override
    public double load() {
      return (double) seen.size() / capacity;
    }
  }

  /**
   * fastutil's set of longs. When it is full, it is cleared, which is the only way for it to stay
   * within its memory.
   */
  static final class Fastutil implements SpeedContestant {
    private static final float LOAD = 0.75f;

    private final int slots;
    private final int capacity;
    private final LongOpenHashSet seen;

    Fastutil(Scenario scenario) {
      this.slots = Integer.highestOneBit((int) (scenario.memoryBytes() / Long.BYTES));
      this.capacity = (int) (slots * (double) LOAD) - 1;
      this.seen = new LongOpenHashSet(capacity, LOAD);
      for (int i = 0; scenario.steady() && i < capacity / 2; i++) {
        seen.add(Mix.mix(~(long) i));
      }
    }

    @Override
    public boolean add(long key) {
      if (seen.size() >= capacity) {
        seen.clear();
      }
      return seen.add(key);
    }

    @Override
    public long memoryBytes() {
      return (long) slots * Long.BYTES;
    }

    @Override
    public double load() {
      return (double) seen.size() / capacity;
    }
  }

  /** Java's own set, which is cleared when it is full. */
  static final class JavaSet implements SpeedContestant {
    /** A node of 32 bytes, a Long of 16 (24 without compressed pointers), 4 to 8 of the table. */
    private static final int BYTES_PER_KEY = 56;

    private final int capacity;
    private final Set<Long> seen;

    JavaSet(Scenario scenario) {
      this.capacity = (int) (scenario.memoryBytes() / BYTES_PER_KEY);
      this.seen = new HashSet<>((int) (capacity / 0.75) + 1);
      for (int i = 0; scenario.steady() && i < capacity / 2; i++) {
        seen.add(Mix.mix(~(long) i));
      }
    }

    @Override
    public boolean add(long key) {
      if (seen.size() >= capacity) {
        seen.clear();
      }
      return seen.add(key);
    }

    @Override
    public long memoryBytes() {
      return (long) capacity * BYTES_PER_KEY;
    }

    @Override
    public double load() {
      return (double) seen.size() / capacity;
    }
  }

  private static InputStream buffered(InputStream in) {
    return new BufferedInputStream(in, 1 << 16);
  }
}
