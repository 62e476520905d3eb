package dev.unseen.filter;

import dev.unseen.bits.StateVisitor;
import dev.unseen.bits.Stateful;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.hash.Mix;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A filter for any number of threads: 128 filters of a 128th of the memory each, with a lock each.
 * A hash belongs to one of them, always the same.
 *
 * <p>The answers to one key are those of some order of its records, one after the other. With one
 * thread, equal specs and equal hashes give equal answers.
 *
 * <p>The number of shards is the same for all, so that saved shards can move between threads,
 * processes and machines.
 */
public final class ShardedFilter implements DuplicateFilter {
  /** How many filters there are inside. */
  public static final int SHARDS = 128;

  private static final int SHARD_SHIFT = Long.SIZE - 7;
  private static final long SALT = 0x2545F4914F6CDD1DL;

  private final FilterSpec spec;
  private final Shard[] shards = new Shard[SHARDS];
  private final AtomicLong now = new AtomicLong(Long.MIN_VALUE);

  private ShardedFilter(FilterSpec spec) {
    this.spec = spec;
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new Shard(specOf(spec, i), now);
    }
  }

  /**
   * Makes an empty one; the spec is of all shards together.
   *
   * @throws IllegalArgumentException if the memory is too small to be divided, or if there is a
   *     window of records: shards do not know of each other's records
   */
  public static ShardedFilter of(FilterSpec spec) {
    if (spec.memoryBytes() / SHARDS < FilterSpec.MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "memory (%,d bytes) must be at least %,d bytes for %d shards",
              spec.memoryBytes(),
              SHARDS * FilterSpec.MIN_MEMORY_BYTES,
              SHARDS));
    }
    if (!spec.window().isNone() && !spec.window().isTime()) {
      throw new IllegalArgumentException(
          "%s cannot be kept by shards, which do not know of each other's records; use a window of time, or a filter for one thread"
              .formatted(spec.window()));
    }
    return new ShardedFilter(spec);
  }

  /** The bytes that its storage will take. */
  public static long storageBytes(FilterSpec spec) {
    return SHARDS * specOf(spec, 0).storageBytes();
  }

  private static FilterSpec specOf(FilterSpec spec, int shard) {
    return spec.part(spec.memoryBytes() / SHARDS, Mix.mix(spec.seed() + (shard + 1) * Mix.GOLDEN));
  }

  /** The shard that a hash belongs to, 0 to 127. */
  public static int shardOf(long hash) {
    return (int) (Mix.mix(hash ^ SALT) >>> SHARD_SHIFT);
  }

  @Override
  public boolean admit(long hash) {
    return shards[shardOf(hash)].admit(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return shards[shardOf(hash)].mightContain(hash);
  }

  /**
   * Sorts the hashes by shard, in their order, so that each lock is taken once for a batch; shards
   * do not influence each other, so the answers are those of one by one.
   */
  @Override
  public int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = (count + Long.SIZE - 1) / Long.SIZE;
    if (fresh.length < words) {
      throw new IllegalArgumentException(
          "fresh (%d words) must have a bit for each of %d hashes: %d words"
              .formatted(fresh.length, count, words));
    }
    int[] begin = new int[SHARDS + 1];
    for (int i = 0; i < count; i++) {
      begin[shardOf(hashes[offset + i]) + 1]++;
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      begin[shard + 1] += begin[shard];
    }
    int[] next = Arrays.copyOf(begin, SHARDS);
    int[] from = new int[count];
    long[] sorted = new long[count];
    for (int i = 0; i < count; i++) {
      long hash = hashes[offset + i];
      int to = next[shardOf(hash)]++;
      sorted[to] = hash;
      from[to] = i;
    }
    Arrays.fill(fresh, 0, words, 0);
    long[] answers = new long[words];
    int admitted = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
      int size = begin[shard + 1] - begin[shard];
      if (size > 0) {
        admitted += shards[shard].admitAll(sorted, begin[shard], size, answers);
        for (int i = 0; i < size; i++) {
          int at = from[begin[shard] + i];
          fresh[at / Long.SIZE] |= ((answers[i / Long.SIZE] >>> i) & 1) << at;
        }
      }
    }
    return admitted;
  }

  /** Each shard follows when it is used next. */
  @Override
  public void advanceTo(long millis) {
    if (millis > now.get()) {
      now.accumulateAndGet(millis, Math::max);
    }
  }

  /** The records taken in so far. */
  public long records() {
    return Stream.of(shards).mapToLong(Shard::records).sum();
  }

  /** Those of them that were admitted. */
  public long admitted() {
    return Stream.of(shards).mapToLong(Shard::admitted).sum();
  }

  @Override
  public double load() {
    return average(DuplicateFilter::load);
  }

  @Override
  public double estimatedFpr() {
    return average(DuplicateFilter::estimatedFpr);
  }

  /**
   * How much of the window the memory covers: see {@link Windowed#coverage}; 1 if there is none.
   */
  public double coverage() {
    return average(filter -> filter instanceof Windowed windowed ? windowed.coverage() : 1);
  }

  private double average(ToDoubleFunction<DuplicateFilter> value) {
    return Stream.of(shards).mapToDouble(shard -> shard.ask(value)).sum() / SHARDS;
  }

  @Override
  public long memoryBytes() {
    return storageBytes(spec);
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  /** Holds all threads back until {@link #resume}, so that all shards are of one moment. */
  public void pause() {
    for (Shard shard : shards) {
      shard.lock.lock();
      shard.catchUp();
    }
  }

  /** Ends {@link #pause}; by the thread that called that. */
  public void resume() {
    for (Shard shard : shards) {
      shard.lock.unlock();
    }
  }

  /** For snapshots alone. */
  @SuppressWarnings("exports")
  public List<Stateful> parts() {
    return List.of(shards);
  }

  /** What a merge joins one by one. */
  List<Shard> shards() {
    return List.of(shards);
  }

  /** One filter, its lock, and its counts. */
  static final class Shard implements Stateful {
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong now; // of all shards
    final BatchingFilter filter;
    private long records;
    private long admitted;

    Shard(FilterSpec spec, AtomicLong now) {
      this.now = now;
      this.filter = (BatchingFilter) spec.build();
    }

    boolean admit(long hash) {
      lock.lock();
      try {
        catchUp();
        boolean fresh = filter.admit(hash);
        records++;
        admitted += fresh ? 1 : 0;
        return fresh;
      } finally {
        lock.unlock();
      }
    }

    int admitAll(long[] hashes, int offset, int count, long[] fresh) {
      lock.lock();
      try {
        catchUp();
        int more = filter.admitAll(hashes, offset, count, fresh);
        records += count;
        admitted += more;
        return more;
      } finally {
        lock.unlock();
      }
    }

    boolean mightContain(long hash) {
      lock.lock();
      try {
        catchUp();
        return filter.mightContain(hash);
      } finally {
        lock.unlock();
      }
    }

    /** Tells the filter the time, which was told to all shards. */
    void catchUp() {
      if (now.get() != Long.MIN_VALUE) {
        filter.advanceTo(now.get());
      }
    }

    double ask(ToDoubleFunction<DuplicateFilter> value) {
      lock.lock();
      try {
        return value.applyAsDouble(filter);
      } finally {
        lock.unlock();
      }
    }

    long records() {
      lock.lock();
      try {
        return records;
      } finally {
        lock.unlock();
      }
    }

    long admitted() {
      lock.lock();
      try {
        return admitted;
      } finally {
        lock.unlock();
      }
    }

    boolean isEmpty() {
      return records() == 0;
    }

    /** Adds the counts of another shard. */
    void count(Shard other) {
      records += other.records();
      admitted += other.admitted();
    }

    @Override
    public void state(StateVisitor visitor) throws IOException {
      records = visitor.number("records", records, 0, Long.MAX_VALUE);
      admitted = visitor.number("admitted", admitted, 0, Long.MAX_VALUE);
      filter.state(visitor);
    }
  }
}
