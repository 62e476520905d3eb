package dev.unseen.filter;

import dev.unseen.bits.Answers;
import dev.unseen.hash.Mix;
import dev.unseen.state.Counts;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A filter for any number of threads: 128 {@linkplain Shard shards} of a 128th of the memory each,
 * with a lock each. A hash belongs to one of them, always the same.
 *
 * <p>The answers to one key are those of some order of its records, one after the other. With one
 * thread, equal specs and equal hashes give equal answers.
 *
 * <p>Shards that are to be joined need hashes of one secret, or of one seed: give it to all
 * processes that hold some of them.
 *
 * <p>The number of shards is the same for all filters, so that shards can move between threads,
 * processes and machines. A filter may hold only some of them: {@link #of(FilterSpec, Collection)}.
 * It then refuses a hash that belongs to a shard it does not hold.
 */
public final class ShardedFilter implements DuplicateFilter {
  /** How many shards a whole filter has. */
  public static final int SHARDS = 128;

  private static final int SHARD_SHIFT = Long.SIZE - 7;
  private static final long SALT = 0x2545F4914F6CDD1DL;

  private final FilterSpec spec;
  private final Shard[] shards = new Shard[SHARDS]; // null: not held here
  private final AtomicLong now = new AtomicLong(Long.MIN_VALUE);

  private ShardedFilter(FilterSpec spec, Stream<Shard> held) {
    this.spec = spec;
    held.forEach(this::hold);
  }

  private void hold(Shard shard) {
    shards[shard.index()] = shard;
    shard.joins(now);
  }

  /**
   * Makes an empty filter that holds all shards; the spec is that of all of them together.
   *
   * @throws IllegalArgumentException if the memory is too small to be divided, or if there is a
   *     window of records: shards do not know of each other's records
   */
  public static ShardedFilter of(FilterSpec spec) {
    return of(spec, IntStream.range(0, SHARDS).toArray());
  }

  /**
   * Makes an empty filter that holds these shards only.
   *
   * @param spec of all 128 shards together
   * @param indices of the shards to hold, 0 to 127
   */
  public static ShardedFilter of(FilterSpec spec, int... indices) {
    requireDivisible(spec);
    return new ShardedFilter(
        spec, IntStream.of(indices).mapToObj(i -> new Shard(checkIndex(i), partOf(spec, i))));
  }

  /**
   * Makes a filter that holds these shards as they are, for example those that another process has
   * written. They belong to this filter from then on, and to no other.
   *
   * @param spec of all 128 shards together
   * @throws IllegalArgumentException if a shard is not of this spec, or comes twice
   */
  public static ShardedFilter of(FilterSpec spec, Collection<Shard> shards) {
    requireDivisible(spec);
    ShardedFilter filter = new ShardedFilter(spec, Stream.empty());
    for (Shard shard : shards) {
      if (!shard.filter().spec().equals(partOf(spec, shard.index()))) {
        throw new IllegalArgumentException(
            "shard %d is of another filter than the others: its spec or its seed differs; join shards of one filter only"
                .formatted(shard.index()));
      }
      if (filter.holds(shard.index())) {
        throw new IllegalArgumentException(
            "shard %d comes twice; name each shard once".formatted(shard.index()));
      }
      filter.hold(shard);
    }
    return filter;
  }

  private static void requireDivisible(FilterSpec spec) {
    if (spec.memoryBytes() / SHARDS < FilterSpec.MIN_MEMORY_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "memory (%,d bytes) must be at least %,d bytes for %d shards: their number is fixed, so that they can move between processes",
              spec.memoryBytes(),
              SHARDS * FilterSpec.MIN_MEMORY_BYTES,
              SHARDS));
    }
    if (!spec.window().isNone() && !spec.window().isTime()) {
      throw new IllegalArgumentException(
          "%s cannot be kept by shards, which do not know of each other's records; use a window of time, or a filter for one thread"
              .formatted(spec.window()));
    }
  }

  /** Returns the bytes that the storage of one shard takes. */
  public static long shardBytes(FilterSpec spec) {
    return partOf(spec, 0).storageBytes();
  }

  private static FilterSpec partOf(FilterSpec spec, int shard) {
    return spec.part(spec.memoryBytes() / SHARDS, Mix.mix(spec.seed() + (shard + 1) * Mix.GOLDEN));
  }

  /** Returns the shard that a hash belongs to, 0 to 127. */
  public static int shardOf(long hash) {
    return (int) (Mix.mix(hash ^ SALT) >>> SHARD_SHIFT);
  }

  private static int checkIndex(int index) {
    if (index < 0 || index >= SHARDS) {
      throw new IllegalArgumentException("shard (%d) must be 0 to %d".formatted(index, SHARDS - 1));
    }
    return index;
  }

  /** Returns whether a shard is held here. */
  public boolean holds(int index) {
    return shards[checkIndex(index)] != null;
  }

  /** Returns the shards that are held here, in the order of their numbers. */
  public List<Shard> shards() {
    return Stream.of(shards).filter(Objects::nonNull).toList();
  }

  /**
   * Returns a shard.
   *
   * @throws IllegalArgumentException if it is not held here
   */
  public Shard shard(int index) {
    if (!holds(index)) {
      throw notHeld(index, "");
    }
    return shards[index];
  }

  /** Returns a filter that shows one shard of this one, to write it. */
  public ShardedFilter view(Shard shard) {
    ShardedFilter one = new ShardedFilter(spec, Stream.empty());
    one.shards[shard.index()] = shard; // it goes on with the time of this filter
    return one;
  }

  /** Forgets everything that its shards have seen, and the time. */
  public void clear() {
    now.set(Long.MIN_VALUE);
    shards().forEach(Shard::clear);
  }

  /** Holds one more shard, which is empty. */
  Shard add(int index) {
    Shard shard = new Shard(index, partOf(spec, index));
    hold(shard);
    return shard;
  }

  private IllegalArgumentException notHeld(int index, String what) {
    return new IllegalArgumentException(
        "%sshard %d is not held here (held: %s); ask the process that holds it"
            .formatted(what, index, ShardNumbers.text(shards())));
  }

  private Shard shardFor(long hash) {
    Shard shard = shards[shardOf(hash)];
    if (shard == null) {
      throw notHeld(shardOf(hash), "a key belongs to another process: ");
    }
    return shard;
  }

  @Override
  public boolean admit(long hash) {
    return shardFor(hash).admit(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return shardFor(hash).mightContain(hash, Long.MIN_VALUE);
  }

  @Override
  public boolean mightContain(long hash, long millis) {
    return shardFor(hash).mightContain(hash, millis);
  }

  /**
   * Sorts the hashes by shard, in their order, so that each lock is taken once for a batch; shards
   * do not influence each other, so the answers are those of one by one. A hash of a shard that is
   * not held fails the call before any hash is taken in.
   */
  @Override
  public int admitAll(long[] hashes, int offset, int count, long[] fresh) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = Answers.clear(fresh, count);
    int[] begin = new int[SHARDS + 1];
    for (int i = 0; i < count; i++) {
      begin[shardOf(hashes[offset + i]) + 1]++;
    }
    for (int shard = 0; shard < SHARDS; shard++) {
      if (begin[shard + 1] > 0 && shards[shard] == null) {
        throw notHeld(shard, "a key belongs to another process: ");
      }
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

  /** Returns the records taken in so far. */
  public long records() {
    return shards().stream().mapToLong(Shard::records).reduce(0, Counts::sum);
  }

  /** Returns how many of them were admitted. */
  public long admitted() {
    return shards().stream().mapToLong(Shard::admitted).reduce(0, Counts::sum);
  }

  @Override
  public double load() {
    return average(DuplicateFilter::load);
  }

  @Override
  public double estimatedFpr() {
    return average(DuplicateFilter::estimatedFpr);
  }

  @Override
  public OptionalLong forgotten() {
    if (shards().stream().anyMatch(shard -> shard.filter().forgotten().isEmpty())) {
      return OptionalLong.empty();
    }
    return OptionalLong.of((long) sum(filter -> (double) filter.forgotten().orElse(0)));
  }

  @Override
  public double estimatedCardinality() {
    return sum(DuplicateFilter::estimatedCardinality);
  }

  /**
   * Returns how much of the window the memory covers: see {@link Windowed#coverage}; 1 if there is
   * none.
   */
  public double coverage() {
    return average(filter -> filter instanceof Windowed windowed ? windowed.coverage() : 1);
  }

  private double average(ToDoubleFunction<DuplicateFilter> value) {
    return sum(value) / Math.max(1, shards().size());
  }

  private double sum(ToDoubleFunction<DuplicateFilter> value) {
    return shards().stream().mapToDouble(shard -> shard.ask(value)).sum();
  }

  @Override
  public long memoryBytes() {
    return shards().size() * shardBytes(spec);
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  /** Holds all threads back until {@link #resume}, so that all shards are of one moment. */
  public void pause() {
    shards().forEach(Shard::pause);
  }

  /** Ends {@link #pause}; by the thread that called that. */
  public void resume() {
    shards().forEach(Shard::resume);
  }
}
