package dev.unseen.bench;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.hash.Funnels;
import dev.unseen.bits.Mix;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongPredicate;
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
  private static final long SMALL_BYTES = 1 << 10;

  private Peers() {}

  private record Peer(LongPredicate adding, long memoryBytes, DoubleSupplier loading)
      implements SpeedContestant {
    @Override
    public int addAll(KeyBlock keys, int from, int to) {
      int fresh = 0;
      for (int i = from; i < to; i++) {
        if (adding.test(keys.number(i))) {
          fresh++;
        }
      }
      return fresh;
    }

    @Override
    public double load() {
      return loading.getAsDouble();
    }
  }

  /** Returns the number of keys for which a Bloom filter of this memory has that rate. */
  private static long keysFor(long memoryBytes) {
    return (long) (memoryBytes * 8 * LN2 * LN2 / -Math.log(Scenario.FPR));
  }

  private static double loadOfBloom(double expectedFpr) {
    return Math.pow(expectedFpr, 1.0 / BLOOM_HASHES);
  }

  /** Returns Guava's filter, whose {@code put} returns whether a bit has changed. */
  static SpeedContestant guava(Scenario scenario) {
    int headBytes = 6;
    var small =
        com.google.common.hash.BloomFilter.create(
            Funnels.longFunnel(), keysFor(SMALL_BYTES), Scenario.FPR);
    try {
      var filter =
          com.google.common.hash.BloomFilter.readFrom(
              buffered(RandomBits.after(small::writeTo, headBytes, scenario)),
              Funnels.longFunnel());
      return new Peer(filter::put, scenario.memoryBytes(), () -> loadOfBloom(filter.expectedFpp()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns Spark's filter, which Spark uses for joins. */
  static SpeedContestant spark(Scenario scenario) {
    var small =
        org.apache.spark.util.sketch.BloomFilter.create(keysFor(SMALL_BYTES), SMALL_BYTES * 8);
    try {
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      small.writeTo(written);
      int headBytes = (int) (written.size() - small.bitSize() / 8);
      var filter =
          org.apache.spark.util.sketch.BloomFilter.readFrom(
              buffered(RandomBits.after(small::writeTo, headBytes, scenario)));
      return new Peer(
          filter::putLong, filter.bitSize() / 8, () -> loadOfBloom(filter.expectedFpp()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static SpeedContestant dataSketches(Scenario scenario) {
    var empty = BloomFilterBuilder.createBySize(scenario.memoryBytes() * 8, BLOOM_HASHES, 1);
    var filter = scenario.steady() ? filled(empty) : empty;
    return new Peer(
        key -> !filter.queryAndUpdate(key),
        filter.getCapacity() / 8,
        () -> (double) filter.getBitsUsed() / filter.getCapacity());
  }

  private static org.apache.datasketches.filters.bloomfilter.BloomFilter filled(
      org.apache.datasketches.filters.bloomfilter.BloomFilter filter) {
    int numberOfOnesAt = 24;
    int bitsAt = 32;
    filter.update(1L); // an empty one is written without its bits
    ByteBuffer bytes = ByteBuffer.wrap(filter.toByteArray()).order(ByteOrder.nativeOrder());
    long ones = 0;
    for (int i = bitsAt; i < bytes.capacity(); i += Long.BYTES) {
      long word = Mix.mix(i);
      bytes.putLong(i, word);
      ones += Long.bitCount(word);
    }
    bytes.putLong(numberOfOnesAt, ones);
    return org.apache.datasketches.filters.bloomfilter.BloomFilter.heapify(Memory.wrap(bytes));
  }

  /**
   * Returns the filter of Apache Commons Collections, which needs hashes from outside; it has 256
   * MiB at most.
   */
  static SpeedContestant commons(Scenario scenario) {
    int bits = (int) Math.min(scenario.memoryBytes() * 8, Integer.MAX_VALUE - 63);
    SimpleBloomFilter filter = new SimpleBloomFilter(Shape.fromKM(BLOOM_HASHES, bits));
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
    LongPredicate add =
        key -> {
          long mixed = Mix.mix(key);
          Hasher hasher = new EnhancedDoubleHasher(mixed, Mix.mix(mixed + Mix.GOLDEN));
          if (filter.contains(hasher)) {
            return false;
          }
          filter.merge(hasher);
          return true;
        };
    return new Peer(add, (bits + 63L) / 64 * 8, () -> (double) filter.cardinality() / bits);
  }

  /**
   * Returns the cache that many pipelines use to remove duplicates. Its bytes per entry are those
   * of the lab.
   */
  static SpeedContestant caffeine(Scenario scenario) {
    int bytesPerEntry = 64;
    long capacity = scenario.memoryBytes() / bytesPerEntry;
    ConcurrentMap<Long, Boolean> seen =
        Caffeine.newBuilder()
            .maximumSize(capacity)
            .executor(Runnable::run) // evicts in the measured thread
            .<Long, Boolean>build()
            .asMap();
    for (long i = 0; scenario.steady() && i < capacity; i++) {
      seen.put(Mix.mix(~i), true);
    }
    return new Peer(
        key -> seen.putIfAbsent(key, true) == null,
        capacity * bytesPerEntry,
        () -> (double) seen.size() / capacity);
  }

  static SpeedContestant fastutil(Scenario scenario) {
    float load = 0.75f;
    int slots = Integer.highestOneBit((int) (scenario.memoryBytes() / Long.BYTES));
    int capacity = (int) (slots * (double) load) - 1;
    LongOpenHashSet seen = new LongOpenHashSet(capacity, load);
    return new Peer(
        clearedWhenFull(scenario, capacity, seen, seen::add),
        (long) slots * Long.BYTES,
        () -> (double) seen.size() / capacity);
  }

  static SpeedContestant javaSet(Scenario scenario) {
    // A node of 32 bytes, a Long of 16 (24 without compressed pointers), 4 to 8 of the table.
    int bytesPerKey = 56;
    int capacity = (int) (scenario.memoryBytes() / bytesPerKey);
    Set<Long> seen = new HashSet<>((int) (capacity / 0.75) + 1);
    return new Peer(
        clearedWhenFull(scenario, capacity, seen, seen::add),
        (long) capacity * bytesPerKey,
        () -> (double) seen.size() / capacity);
  }

  /**
   * Fills half of a set if the scenario requires it. Returns how a key is added: when the set is
   * full, it is cleared first, which is the only way for it to stay within its memory.
   */
  private static LongPredicate clearedWhenFull(
      Scenario scenario, int capacity, Set<Long> seen, LongPredicate add) {
    for (int i = 0; scenario.steady() && i < capacity / 2; i++) {
      seen.add(Mix.mix(~(long) i));
    }
    return key -> {
      if (seen.size() >= capacity) {
        seen.clear();
      }
      return add.test(key);
    };
  }

  private static InputStream buffered(InputStream in) {
    return new BufferedInputStream(in, 1 << 16);
  }
}
