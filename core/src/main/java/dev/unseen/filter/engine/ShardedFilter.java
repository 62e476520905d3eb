package dev.unseen.filter.engine;

import dev.unseen.bits.Answers;
import dev.unseen.bits.Mix;
import dev.unseen.error.OptionException;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.state.Counts;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A filter for any number of threads. It consists of 128 {@linkplain LockedShard shards}, each with
 * a lock and with a 128th of the memory. A hash always belongs to the same shard.
 *
 * <p>For each key, the answers are those that one thread would get in some order of its records.
 * With only one thread, equal specs and equal hashes give equal answers.
 *
 * <p>Shards can be merged only if their keys were hashed with the same secret or seed: give it to
 * all processes that hold shards of one filter.
 *
 * <p>The number of shards is the same for all filters, so that shards can move between threads,
 * processes and machines. A filter may hold only some of them: {@link #of(FilterSpec, Collection)}.
 * It then rejects a hash that belongs to a shard it does not hold.
 */
public final class ShardedFilter implements DuplicateFilter, CountingFilter {
  public static final int SHARDS = 128;

  private static final int SHARD_SHIFT = Long.SIZE - 7;
  private static final long SALT = 0x2545F4914F6CDD1DL;

  private final FilterSpec spec;
  private volatile LockedShard[] shards =
      new LockedShard[SHARDS]; // null: not held here; never written to
  private volatile boolean dropsLate;

  @SuppressWarnings("unused") // written so that the reads are not optimized away
  private long touched;

  private ShardedFilter(FilterSpec spec, Stream<LockedShard> held) {
    this.spec = spec;
    held.forEach(this::hold);
  }

  private void hold(LockedShard shard) {
    shard.filter().dropLate(dropsLate);
    put(shard);
  }

  private void put(LockedShard shard) {
    LockedShard[] more =
        shards.clone(); // so that other threads see a shard only when it is complete
    more[shard.index()] = shard;
    shards = more;
  }

  public static ShardedFilter of(FilterSpec spec) {
    return of(spec, IntStream.range(0, SHARDS).toArray());
  }

  /** Creates an empty filter of this spec that holds only these shards, 0 to 127. */
  public static ShardedFilter of(FilterSpec spec, int... indices) {
    if (indices.length > 0) {
      requireDivisible(spec);
    }
    return new ShardedFilter(
        spec, IntStream.of(indices).mapToObj(i -> new LockedShard(checkIndex(i), partOf(spec, i))));
  }

  /**
   * Creates a filter of this spec from shards, which from then on belong to it and to no other.
   *
   * @throws IllegalArgumentException if a shard has another spec, or occurs twice
   */
  public static ShardedFilter of(FilterSpec spec, Collection<LockedShard> shards) {
    if (!shards.isEmpty()) {
      requireDivisible(spec);
    }
    ShardedFilter filter = new ShardedFilter(spec, Stream.empty());
    for (LockedShard shard : shards) {
      if (!shard.filter().spec().equals(partOf(spec, shard.index()))) {
        throw new IllegalArgumentException(
            "shard %d belongs to another filter than the other shards: its spec or its seed differs; use shards of one filter only"
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

  /** Rejects a filter with too little memory for shards, or with a window of records. */
  public static void requireDivisible(FilterSpec spec) {
    if (spec.memoryBytes() / SHARDS < FilterSpec.MIN_MEMORY_BYTES) {
      throw OptionException.outOfRange(
              "memory",
              String.format(Locale.ROOT, "%,d bytes", spec.memoryBytes()),
              String.format(
                  Locale.ROOT,
                  "at least %,d bytes for %d shards",
                  SHARDS * FilterSpec.MIN_MEMORY_BYTES,
                  SHARDS))
          .remedy("the number of shards is fixed, so that they can move between processes");
    }
    if (!spec.window().isNone() && !spec.window().isTime()) {
      throw OptionException.outOfRange(
              "window",
              spec.window().text() + " records",
              "a time for a filter in shards, which do not know each other's records")
          .remedy("use a window of time, or a filter for one thread");
    }
  }

  public static long shardBytes(FilterSpec spec) {
    return partOf(spec, 0).storageBytes();
  }

  private static FilterSpec partOf(FilterSpec spec, int shard) {
    return spec.part(spec.memoryBytes() / SHARDS, Mix.mix(spec.seed() + (shard + 1) * Mix.GOLDEN));
  }

  public static int shardOf(long hash) {
    return (int) (Mix.mix(hash ^ SALT) >>> SHARD_SHIFT);
  }

  private static int checkIndex(int index) {
    if (index < 0 || index >= SHARDS) {
      throw new IllegalArgumentException("shard (%d) must be 0 to %d".formatted(index, SHARDS - 1));
    }
    return index;
  }

  public boolean holds(int index) {
    return shards[checkIndex(index)] != null;
  }

  /** Returns the shards that this filter holds, in the order of their numbers. */
  public List<LockedShard> shards() {
    return Stream.of(shards).filter(Objects::nonNull).toList();
  }

  public List<Integer> shardNumbers() {
    return shards().stream().map(LockedShard::index).toList();
  }

  /** Returns the shard with this number, and fails if it is not held. */
  public LockedShard shard(int index) {
    if (!holds(index)) {
      throw notHeld(index, "");
    }
    return shards[index];
  }

  /** Returns a filter with only this shard, so that the shard can be written. */
  public ShardedFilter view(LockedShard shard) {
    ShardedFilter one = new ShardedFilter(spec, Stream.empty());
    one.put(shard);
    return one;
  }

  @Override
  public void clear(Runnable also) {
    alone(
        () -> {
          shards().forEach(LockedShard::clear);
          also.run();
          return null;
        });
  }

  @Override
  public void merge(CountingFilter other, DuplicateFilter keys) {
    FilterMerge.mergeInto(this, keys);
  }

  @Override
  public ShardedFilter filter() {
    return this;
  }

  @Override
  public ShardedFilter readable() {
    return this;
  }

  /** Returns the shard with this number. If this filter does not hold it, an empty one is added. */
  synchronized LockedShard shardOrNew(int index) {
    if (!holds(index)) {
      hold(new LockedShard(index, partOf(spec, index)));
    }
    return shards[index];
  }

  private IllegalArgumentException notHeld(int index, String what) {
    return new IllegalArgumentException(
        "%sshard %d is not held here (held: %s); ask the process that holds it"
            .formatted(what, index, ShardNumbers.text(shardNumbers())));
  }

  private LockedShard shardFor(long hash) {
    LockedShard shard = shards[shardOf(hash)];
    if (shard == null) {
      throw notHeld(shardOf(hash), "a key belongs to another process: ");
    }
    return shard;
  }

  @Override
  public boolean admit(long hash, long millis) {
    return shardFor(hash).admit(hash, millis);
  }

  @Override
  public boolean admitDuplicate(long hash, long millis) {
    return shardFor(hash).admitDuplicate(hash, millis);
  }

  @Override
  public boolean mightContain(long hash, long millis) {
    return shardFor(hash).mightContain(hash, millis);
  }

  @Override
  public int admitAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] fresh,
      long @Nullable [] late) {
    return decideAll(hashes, millis, offset, count, fresh, late, false);
  }

  @Override
  public void dropLate(boolean drop) {
    dropsLate = drop;
    shards().forEach(shard -> shard.filter().dropLate(drop));
  }

  @Override
  public boolean isTooLate(long hash, long millis) {
    return shardFor(hash).ask(filter -> filter.isTooLate(hash, millis));
  }

  /** Receives the sum of what was read ahead, so that the reads are not optimized away. */
  private void touch(long sum) {
    if (sum == SALT) { // all but never, so that threads do not write to a place they share
      touched = sum;
    }
  }

  @Override
  public int mightContainAll(long[] hashes, int offset, int count, long millis, long[] seen) {
    return decideAll(hashes, new long[] {millis}, offset, count, seen, null, true);
  }

  /**
   * Sorts the hashes by shard and keeps their order within each, so that each lock is taken once
   * per batch, and asks only, at one time for all, or admits. If a hash belongs to a shard that is
   * not held, the call fails before the first hash is processed.
   */
  private int decideAll(
      long[] hashes,
      long @Nullable [] millis,
      int offset,
      int count,
      long[] to,
      long @Nullable [] lateTo,
      boolean asks) {
    Objects.checkFromIndexSize(offset, count, hashes.length);
    int words = Answers.clear(to, count);
    if (lateTo != null) {
      Answers.clear(lateTo, count);
    }
    LockedShard[] held = shards;
    int[] end = new int[SHARDS]; // at first the number of hashes of each shard, then where they end
    byte[] shardOf = new byte[count];
    long sum = 0;
    for (int i = 0; i < count; i++) {
      long hash = hashes[offset + i];
      int index = shardOf(hash);
      shardOf[i] = (byte) index;
      end[index]++;
      LockedShard shard = held[index];
      if (shard == null) {
        throw notHeld(index, "a key belongs to another process: ");
      }
      sum +=
          shard.readAhead(hash); // these reads wait together; under the locks each would wait alone
    }
    touch(sum);
    for (int shard = 0, begin = 0; shard < SHARDS; shard++) {
      int size = end[shard];
      end[shard] = begin;
      begin += size;
    }
    int[] from = new int[count];
    long[] sorted = new long[count];
    long @Nullable [] each = millis != null && millis.length > 1 ? millis : null;
    long[] eachSorted = new long[each == null ? 0 : count];
    for (int i = 0; i < count; i++) {
      int at = end[shardOf[i]]++;
      sorted[at] = hashes[offset + i];
      if (each != null) {
        eachSorted[at] = each[offset + i];
      }
      from[at] = i;
    }
    long @Nullable [] times = each == null ? millis : eachSorted;
    long[] answers = new long[words];
    long @Nullable [] late = lateTo == null ? null : new long[words];
    int set = 0;
    // Each batch begins after the shard of its first hash, so that threads do not all begin with
    // the same one and then follow each other from lock to lock.
    int start = count == 0 ? 0 : end[shardOf[0]];
    for (int done = 0, begin = start == count ? 0 : start; done < count; ) {
      int shard = shardOf[from[begin]];
      int size = end[shard] - begin;
      long time = BatchingFilter.timeOf(times, begin);
      if (size == 1 && late == null) { // most are alone in a batch of a hundred: no block
        int at = from[begin];
        boolean one =
            asks
                ? held[shard].mightContain(sorted[begin], time)
                : held[shard].admit(sorted[begin], time);
        to[at / Long.SIZE] |= (one ? 1L : 0) << at;
        set += one ? 1 : 0;
      } else {
        set +=
            asks
                ? held[shard].mightContainAll(sorted, begin, size, time, answers)
                : held[shard].admitAll(sorted, times, begin, size, answers, late);
        scatter(answers, from, begin, size, to);
        if (late != null && lateTo != null) {
          scatter(late, from, begin, size, lateTo);
        }
      }
      done += size;
      begin = begin + size == count ? 0 : begin + size;
    }
    return set;
  }

  /** Copies the answers for sorted hashes to the places where the hashes came from. */
  private static void scatter(long[] answers, int[] from, int begin, int size, long[] to) {
    for (int i = 0; i < size; i++) {
      int at = from[begin + i];
      to[at / Long.SIZE] |= ((answers[i / Long.SIZE] >>> i) & 1) << at;
    }
  }

  @Override
  public void setBack(long millis) {
    shards().forEach(shard -> shard.setBack(millis));
  }

  @Override
  public void admitKnown(long hash, long millis, boolean copied) {
    shardFor(hash).admitKnown(hash, millis, copied);
  }

  @Override
  public boolean wasSeen(long hash, long after, long before) {
    return shardFor(hash).ask(filter -> filter.wasSeen(hash, after, before));
  }

  public void readAhead(long hash) {
    touch(shardFor(hash).readAhead(hash));
  }

  @Override
  public void advanceTo(long millis) {
    shards().forEach(shard -> shard.advanceTo(millis));
  }

  @Override
  public long records() {
    return shards().stream().mapToLong(LockedShard::records).reduce(0, Counts::sum);
  }

  @Override
  public long admitted() {
    return shards().stream().mapToLong(LockedShard::admitted).reduce(0, Counts::sum);
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
  public OptionalLong evicted() {
    boolean counted = sum(filter -> filter.evicted().isEmpty() ? 1 : 0) == 0;
    return counted
        ? OptionalLong.of((long) sum(filter -> (double) filter.evicted().orElse(0)))
        : OptionalLong.empty();
  }

  @Override
  public double estimatedCardinality() {
    return sum(DuplicateFilter::estimatedCardinality);
  }

  @Override
  public double coverage() {
    return average(DuplicateFilter::coverage);
  }

  @Override
  public long evictedEarly() {
    return (long) sum(DuplicateFilter::evictedEarly);
  }

  private double average(ToDoubleFunction<DuplicateFilter> value) {
    return sum(value) / Math.max(1, shards().size());
  }

  private double sum(ToDoubleFunction<DuplicateFilter> value) {
    return shards().stream().mapToDouble(shard -> shard.ask(value::applyAsDouble)).sum();
  }

  @Override
  public long tooLate() {
    return (long) sum(DuplicateFilter::tooLate);
  }

  @Override
  public long memoryBytes() {
    return shards().isEmpty() ? 0 : shards().size() * shardBytes(spec);
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  @Override
  public <T> T alone(Supplier<T> work) {
    List<LockedShard> held = shards();
    held.forEach(LockedShard::enter);
    try {
      return work.get();
    } finally {
      held.forEach(LockedShard::exit);
    }
  }
}
