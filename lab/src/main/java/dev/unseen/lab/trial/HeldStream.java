package dev.unseen.lab.trial;

import dev.unseen.bits.Mix;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.io.InputException;
import dev.unseen.io.KeyReader;
import dev.unseen.lab.rival.Contestant;
import dev.unseen.lab.stream.NamedStream;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.state.Words;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * A stream in memory: the hashes of its keys and the truth about them, computed once for hundreds
 * of runs. It takes 8 bytes and one bit per record.
 */
public final class HeldStream {
  private static final int BLOCK = 1 << 12;
  private static final double HEAP_SHARE = 0.6;

  private final String name;
  private final Optional<StreamModel> model;
  private long[] hashes = new long[1 << 12];
  private long[] first = new long[hashes.length / Long.SIZE]; // bits: the first of its key
  private int records;
  private long distinct;
  private long digest;

  private HeldStream(String name, Optional<StreamModel> model) {
    this.name = name;
    this.model = model;
  }

  /** A hash of 128 bits. Two of a billion keys share one with a chance of 1e-21. */
  private record Identity(long high, long low) {}

  /** Reads all records. */
  public static HeldStream read(String name, KeyReader keys, long seed) throws InputException {
    HeldStream stream = new HeldStream(name, Optional.empty());
    Hash64 hash = HashKind.XXH3.create(seed);
    Hash64 truthHigh = HashKind.XXH3.create(0x5EED_0001);
    Hash64 truthLow = HashKind.XXH3.create(0x5EED_0002);
    Set<Identity> seen = new HashSet<>();
    while (keys.next()) {
      byte[] key = keys.buffer();
      long high = truthHigh.hash(key, keys.offset(), keys.length());
      long low = truthLow.hash(key, keys.offset(), keys.length());
      boolean fresh = seen.add(new Identity(high, low));
      stream.add(hash.hash(key, keys.offset(), keys.length()), fresh);
    }
    return stream;
  }

  /** Computes all records of a stream that has a name. */
  public static HeldStream of(NamedStream named, long seed) {
    return of(named.name(), named.stream(), named.model(), seed);
  }

  /** Computes all records of a stream for which there is no bound. */
  public static HeldStream of(String name, SyntheticStream source, long seed) {
    return of(name, source, Optional.empty(), seed);
  }

  private static HeldStream of(
      String name, SyntheticStream source, Optional<StreamModel> model, long seed) {
    HeldStream stream = new HeldStream(name, model);
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
    HeldStream sample = new HeldStream("%s, 1 key in %d".formatted(name, oneIn), Optional.empty());
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

  public String name() {
    return name;
  }

  /** Returns the model of the stream if the information bound holds for it. */
  public Optional<StreamModel> model() {
    return model;
  }

  public long records() {
    return records;
  }

  public long distinct() {
    return distinct;
  }

  /** Returns a description in one line, which is equal for equal streams only. */
  public String id() {
    return "%s %d %016x".formatted(name, records, digest);
  }
}
