package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A filter with a window against all times of all keys, while its memory suffices. */
final class WindowModelTest {
  private static final int RECORDS = 300;

  private final Map<Integer, List<Long>> times = new HashMap<>();

  @Property(tries = 500)
  void a_record_is_judged_by_its_own_time(Choices choices) {
    long length = choices.draw("window", longs(8, 2000));
    int lateEighths = choices.draw("lateness", oneOf(0, 1, 5, 8, 13, 16, 40, 400, 8000));
    boolean refreshes = choices.draw("refreshes", booleans());
    int few = choices.draw("keys", ints(1, 20));
    // Two lines hold about thirty times of a key: a longer lateness needs more keys.
    int keys = lateEighths > 8 * Window.STEPS ? 40 + few : few;
    long start = choices.draw("start", oneOf(-5000L, 0L, 1_700_000_000_000L));
    SplitMix64 random = new SplitMix64(choices.draw("seed", longs()));
    long lateness = length * lateEighths / 8;
    DuplicateFilter filter =
        Filters.create(
            FilterSpec.builder(FilterKind.RECENCY, 1 << 16)
                .window(new Window(length, Window.Unit.MILLISECONDS, lateness))
                .refresh(refreshes ? Refresh.ALWAYS : Refresh.NEVER)
                .maxFpr(1e-6)
                .build());
    times.clear();
    long clock = start;
    long latest = Long.MIN_VALUE;
    for (int i = 0; i < RECORDS; i++) {
      clock += random.below(random.chance(1, 5) ? length : length / 20 + 1);
      long behind = random.chance(1, 3) ? 0 : random.below(lateness + lateness / 4 + 1);
      long time = clock - (lateness == 0 ? 0 : behind);
      latest = Math.max(latest, time);
      int key = (int) random.below(keys);
      boolean tooLate = filter.isTooLate(0, time);
      boolean foretold = filter.mightContain(Mix.mix(key + 1), time);
      boolean admitted = filter.admit(Mix.mix(key + 1), time);
      assertThat(foretold).isEqualTo(!admitted);
      if (tooLate) {
        assertThat(admitted).isTrue();
        assertThat(latest - time).as("too late").isGreaterThanOrEqualTo(lateness);
        continue;
      }
      assertThat(latest - time).as("late").isLessThanOrEqualTo(lateness + length / 8 + 1);
      List<Long> seen = times.computeIfAbsent(key, any -> new ArrayList<>());
      long distance = distance(seen, time);
      if (distance >= length) {
        assertThat(admitted).as("distance %d", distance).isTrue();
      } else if (distance <= length - (length + 7) / 8) {
        assertThat(admitted).as("distance %d", distance).isFalse();
      }
      if (admitted || refreshes) {
        seen.add(time);
      }
    }
  }

  private static long distance(List<Long> seen, long time) {
    return seen.stream().mapToLong(other -> Math.abs(other - time)).min().orElse(Long.MAX_VALUE);
  }

  /** One by one or in batches; what was too late is reported in both. */
  @Property(tries = 100)
  void a_batch_gives_the_answers_of_one_by_one(Choices choices) {
    long length = choices.draw("window", longs(8, 2000));
    long lateness = choices.draw("lateness", longs(0, 3 * length));
    SplitMix64 random = new SplitMix64(choices.draw("seed", longs()));
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, 1 << 13)
            .window(new Window(length, Window.Unit.MILLISECONDS, lateness))
            .build();
    DuplicateFilter one = Filters.create(spec);
    DuplicateFilter all = Filters.create(spec);
    long[] hashes = new long[3000];
    long[] millis = new long[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = Mix.mix(random.below(2000));
      millis[i] = i * length / 500 - random.below(2 * lateness + 1);
    }
    long[] fresh = new long[hashes.length / 64 + 1];
    long[] late = new long[fresh.length];
    all.admitAll(hashes, millis, 0, hashes.length, fresh, late);
    for (int i = 0; i < hashes.length; i++) {
      long before = one.tooLate();
      boolean admitted = one.admit(hashes[i], millis[i]);
      boolean wasLate = one.tooLate() > before;
      assertThat(((fresh[i / 64] >>> i) & 1) == 1).isEqualTo(admitted);
      assertThat(((late[i / 64] >>> i) & 1) == 1).isEqualTo(wasLate);
    }
    assertThat(all.tooLate()).isEqualTo(one.tooLate());
  }

  /** Each shard has its own latest time, so what is too late depends on its own keys only. */
  @Property(tries = 50)
  void shards_give_the_answers_of_one_by_one(Choices choices) {
    long length = choices.draw("window", longs(8, 2000));
    long lateness = choices.draw("lateness", longs(0, 3 * length));
    SplitMix64 random = new SplitMix64(choices.draw("seed", longs()));
    Window window = new Window(length, Window.Unit.MILLISECONDS, lateness);
    FilterSpec spec = FilterSpec.builder(FilterKind.RECENCY, 1 << 16).window(window).build();
    ShardedFilter one = ShardedFilter.of(spec);
    ShardedFilter all = ShardedFilter.of(spec);
    long[] hashes = new long[1000];
    long[] millis = new long[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = Mix.mix(random.below(700));
      millis[i] = i * length / 200 - random.below(2 * lateness + 1);
    }
    long[] fresh = new long[hashes.length / 64 + 1];
    long[] late = new long[fresh.length];
    int admitted = all.admitAll(hashes, millis, 0, hashes.length, fresh, late);
    long[] latest = new long[ShardedFilter.SHARDS];
    Arrays.fill(latest, Long.MIN_VALUE);
    for (int i = 0; i < hashes.length; i++) {
      int shard = ShardedFilter.shardOf(hashes[i]);
      latest[shard] = Math.max(latest[shard], window.stepOf(millis[i]));
      boolean isLate = window.stepOf(millis[i]) < latest[shard] - window.lateSteps();
      assertThat(((fresh[i / 64] >>> i) & 1) == 1).isEqualTo(one.admit(hashes[i], millis[i]));
      assertThat(((late[i / 64] >>> i) & 1) == 1).as("record %d", i).isEqualTo(isLate);
    }
    assertThat(all.admitted()).isEqualTo(admitted).isEqualTo(one.admitted());
  }
}
