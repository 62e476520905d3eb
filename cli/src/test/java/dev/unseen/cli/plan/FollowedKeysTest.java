package dev.unseen.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.bits.Mix;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordOptions;
import dev.unseen.plan.stream.StreamModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sample of the keys shows what all of them would. Seeds are fixed. */
final class FollowedKeysTest {
  private static final int RECORDS = 400_000;

  @TempDir private Path dir;

  /** Record i has the key that the stream says. */
  private static FollowedKeys follow(int mostKeys, int recent, LongUnaryOperator stream) {
    FollowedKeys keys = new FollowedKeys(mostKeys, recent);
    for (int i = 0; i < RECORDS; i++) {
      keys.add(Mix.mix(stream.applyAsLong(i) + 1));
    }
    return keys;
  }

  private static LongUnaryOperator uniform(int universe) {
    SplittableRandom random = new SplittableRandom(7);
    return i -> random.nextInt(universe);
  }

  @Test
  void all_keys_are_counted_while_they_fit() {
    FollowedKeys keys = follow(1 << 20, 1 << 10, i -> i % 1000);
    assertThat(keys.keys()).isEqualTo(1000);
    assertThat(keys.oneIn()).isEqualTo(1);
    assertThat(keysOf(keys.model())).isCloseTo(1000, within(1.0));
  }

  private static double keysOf(StreamModel model) {
    return model.distinct(model.records());
  }

  /** 4,096 to 8,192 keys are followed: 5 % are four standard errors, 1 in 16,000. */
  @Test
  void a_share_of_the_keys_stands_for_all() {
    FollowedKeys exact = follow(1 << 20, 1 << 10, uniform(150_000));
    FollowedKeys thinned = follow(1 << 13, 1 << 10, uniform(150_000));
    assertThat(thinned.oneIn()).isGreaterThan(8);
    assertThat((double) thinned.keys())
        .isCloseTo((double) exact.keys(), within(0.05 * exact.keys()));
    assertThat(thinned.keysError()).isBetween(0.02, 0.04);
    assertThat(keysOf(thinned.model())).isCloseTo(keysOf(exact.model()), within(0.05 * 140_000));
    for (double window : new double[] {100, 5_000, 100_000}) {
      assertThat(thinned.model().unseen(window))
          .as("window %s", window)
          .isCloseTo(exact.model().unseen(window), within(0.03));
    }
  }

  /** A third of the records have one key, which is followed with a chance of 1 in 32 only. */
  @Test
  void a_key_that_comes_very_often_counts_as_it_is() {
    LongUnaryOperator rest = uniform(150_000);
    LongUnaryOperator stream = i -> i % 3 == 0 ? 1_000_000 : rest.applyAsLong(i);
    LongUnaryOperator same = uniform(150_000);
    FollowedKeys exact = follow(1 << 20, 1 << 10, stream);
    FollowedKeys thinned =
        follow(1 << 13, 1 << 10, i -> i % 3 == 0 ? 1_000_000 : same.applyAsLong(i));
    assertThat(thinned.model().unseen(10)).isCloseTo(exact.model().unseen(10), within(0.005));
    assertThat(keysOf(thinned.model()))
        .isCloseTo(keysOf(exact.model()), within(0.05 * keysOf(exact.model())));
  }

  @Test
  void reading_ends_in_time_and_says_so() throws Exception {
    Path file = Files.writeString(dir.resolve("long"), "record\n".repeat(500_000));
    DescribedStream stream =
        SampledFile.read(
            file.toString(), RecordOptions.of(new GivenOptions(Map.of())), Duration.ZERO)
            .stream();
    assertThat(stream.model().records()).isLessThan(100_000);
    assertThat(stream.notes()).hasSize(1);
    assertThat(stream.notes().get(0))
        .matches(
            "(?s)Reading stopped after 0 s, at \\d[.]?\\d* % of the file: the plan is for this"
                + " part[.]\nFor all of it: --records 5[.]00e5 --distinct 1[.]00e0[.][.]4[.]\\d+e5");
  }
}
