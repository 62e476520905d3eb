package dev.unseen.lab.trial;

import dev.unseen.bits.Mix;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.io.InputException;
import dev.unseen.io.KeyReader;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.stream.NamedStream;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.state.Words;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * A stream in memory: the hashes of its keys and the truth about them, computed once for hundreds
 * of runs. It takes 8 bytes and one bit per record.
 */
public final class HeldStream {
  private static final int BLOCK = 1 << 12;
  private static final double HEAP_SHARE = 0.6;

  private final String name;
  private final boolean uniformKeys;
  private long[] hashes = new long[1 << 12];
  private long[] first = new long[hashes.length / Long.SIZE]; // bits: the first of its key
  private int records;
  private long distinct;
  private long digest;

  private HeldStream(String name, boolean uniformKeys) {
    this.name = name;
    this.uniformKeys = uniformKeys;
  }

  /** Reads all records. */
  public static HeldStream read(String name, KeyReader keys, long seed) throws InputException {
    HeldStream stream = new HeldStream(name, false);
    Hash64 hash = HashKind.XXH3.create(seed);
    Hash64 truthHigh = HashKind.XXH3.create(0x5EED_0001);
    Hash64 truthLow = HashKind.XXH3.create(0x5EED_0002);
    SeenHashes seen = new SeenHashes();
    while (keys.next()) {
      byte[] key = keys.buffer();
      boolean fresh =
          seen.add(
              truthHigh.hash(key, keys.offset(), keys.length()),
              truthLow.hash(key, keys.offset(), keys.length()));
      stream.add(hash.hash(key, keys.offset(), keys.length()), fresh);
    }
    return stream;
  }

  /** Computes all records of a stream that has a name. */
  public static HeldStream of(NamedStream named, long seed) {
    return of(named.name(), named.stream(), named.uniformKeys(), seed);
  }

  /**
   * Computes all records.
   *
   * @param uniformKeys whether all keys seen so far are equally likely to come again
   */
  public static HeldStream of(String name, SyntheticStream source, boolean uniformKeys, long seed) {
    HeldStream stream = new HeldStream(name, uniformKeys);
    stream.grow(source.records());
    Hash64 hash = HashKind.XXH3.create(seed);
    Words seen = new Words((source.keySpace() + Long.SIZE - 1) / Long.SIZE);
    for (long i = 0; i < source.records(); i++) {
      long key = source.key(i);
      stream.add(hash.hash(key), seen.setBit(key) != 0);
    }
    return stream;
  }

  private void add(long hash, boolean fresh) {
    if (records == hashes.length) {
      grow(2L * records);
    }
    hashes[records] = hash;
    if (fresh) {
      first[records / Long.SIZE] |= 1L << records;
      distinct++;
    }
    records++;
    digest = Mix.mix(digest + hash);
  }

  /**
   * Returns this stream, or if it has more records than these, the records of one key in N, where N
   * is the least power of two that is enough. A key is taken by its hash, with all its records, so
   * at equal memory per distinct key errors are about those of the whole stream (Waldspurger et
   * al., <i>Efficient MRC construction with SHARDS</i>, FAST 2015).
   */
  public HeldStream sampled(long mostRecords) {
    long oneIn = 1;
    while (records / oneIn > mostRecords) {
      oneIn *= 2;
    }
    if (oneIn == 1) {
      return this;
    }
    HeldStream sample = new HeldStream("%s, 1 key in %d".formatted(name, oneIn), uniformKeys);
    for (int i = 0; i < records; i++) {
      if ((Mix.mix(hashes[i] ^ Mix.GOLDEN) & (oneIn - 1)) == 0) {
        sample.add(hashes[i], isFirst(i));
      }
    }
    return sample;
  }

  private void grow(long length) {
    long most = (long) (HEAP_SHARE * Runtime.getRuntime().maxMemory() / Long.BYTES);
    if (length > Math.min(most, 1 << 30)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s (%,d records or more) must fit into memory, at most %,d records;"
                  + " use a part of it, a larger --scale, or UNSEEN_JAVA_OPTS=-Xmx for a larger"
                  + " heap",
              name,
              length,
              Math.min(most, 1 << 30)));
    }
    hashes = Arrays.copyOf(hashes, (int) Math.max(length, hashes.length));
    first = Arrays.copyOf(first, hashes.length / Long.SIZE + 1);
  }

  /**
   * Runs the stream through a contestant.
   *
   * @param salt changes the hashes of the keys: equal salts give equal hashes, and 0 leaves them
   *     unchanged
   * @param progress receives the number of records of each part that has passed
   */
  public Tally run(Contestant contestant, long salt, LongConsumer progress) {
    long[] block = new long[BLOCK];
    long[] fresh = new long[BLOCK / Long.SIZE];
    long falsePositives = 0;
    long falseNegatives = 0;
    for (int from = 0; from < records; from += BLOCK) {
      int count = Math.min(BLOCK, records - from);
      for (int i = 0; i < count; i++) {
        long hash = hashes[from + i];
        block[i] = salt == 0 ? hash : Mix.mix(hash + salt * Mix.GOLDEN);
      }
      contestant.admitAll(block, count, fresh);
      for (int i = 0; i < count; i += Long.SIZE) {
        long valid = count - i < Long.SIZE ? (1L << count) - 1 : -1;
        long wrong = (fresh[i / Long.SIZE] ^ first[(from + i) / Long.SIZE]) & valid;
        falsePositives += Long.bitCount(wrong & ~fresh[i / Long.SIZE]);
        falseNegatives += Long.bitCount(wrong & fresh[i / Long.SIZE]);
      }
      progress.accept(count);
    }
    return new Tally(records, distinct, falsePositives, falseNegatives, 0);
  }

  /** Returns the hashes of the keys of all records. */
  public long[] hashes() {
    return Arrays.copyOf(hashes, records);
  }

  private boolean isFirst(int i) {
    return ((first[i / Long.SIZE] >>> i) & 1) != 0;
  }

  /** Returns the number of distinct keys after each of {@code steps} equal parts. */
  public long[] growth(int steps) {
    long[] growth = new long[steps];
    long keys = 0;
    int at = 0;
    for (int step = 0; step < steps; step++) {
      long end = (long) records * (step + 1) / steps;
      for (; at < end; at++) {
        keys += isFirst(at) ? 1 : 0;
      }
      growth[step] = keys;
    }
    return growth;
  }

  /** Returns the name of the stream. */
  public String name() {
    return name;
  }

  /**
   * Returns whether all keys seen so far are equally likely to come again, so that the information
   * bound holds.
   */
  public boolean uniformKeys() {
    return uniformKeys;
  }

  /** Returns the number of records. */
  public long records() {
    return records;
  }

  /** Returns the number of distinct keys. */
  public long distinct() {
    return distinct;
  }

  /** Returns a description in one line, which is equal for equal streams only. */
  public String id() {
    return "%s %d %016x".formatted(name, records, digest);
  }
}
