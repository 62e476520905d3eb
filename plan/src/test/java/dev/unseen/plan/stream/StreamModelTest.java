package dev.unseen.plan.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.predict.Predictions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StreamModelTest {
  static List<StreamModel> models() {
    return List.of(
        StreamModel.shuffled(1e6, 6e5),
        StreamModel.shuffled(1e6, 1e6),
        StreamModel.shuffled(1e6, 100),
        StreamModel.uniform(1e6, 3e5),
        StreamModel.loop(1e6, 3e5),
        StreamModel.recent(1e6, 0.4, RepeatDistances.uniformWithin(5e4)),
        StreamModel.endless(0.4, RepeatDistances.halfLife(5e4)),
        StreamModel.endless(
            0.9,
            RepeatDistances.histogram(new TreeMap<>(Map.of(10L, 2.0, 4000L, 1.0, 9000L, 3.0)))));
  }

  @ParameterizedTest
  @MethodSource("models")
  void distinct_keys_are_the_integral_of_unseen(StreamModel model) {
    assertThat(model.unseen(0)).isCloseTo(1, within(1e-12));
    assertThat(model.distinct(0)).isZero();
    int steps = 200_000;
    double h = 1e6 / steps;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
      sum += h * model.unseen((i + 0.5) * h);
      assertThat(model.unseen((i + 1) * h)).isLessThanOrEqualTo(model.unseen(i * h) + 1e-15);
    }
    assertThat(model.distinct(1e6)).isCloseTo(sum, within(2e-4 * sum));
  }

  @Test
  void a_shuffled_stream_has_its_distinct_keys_at_its_end() {
    assertThat(StreamModel.shuffled(1e9, 6e8).distinct(1e9)).isCloseTo(6e8, within(1e-3));
  }

  @Test
  void a_loop_knows_when_each_key_comes_again_and_others_do_not() {
    StreamModel loop = StreamModel.loop(1e6, 3e5);
    assertThat(loop.period()).hasValue(3e5);
    assertThat(loop.keys()).isEqualTo(3e5);
    assertThat(loop.newShare()).isCloseTo(0.3, within(1e-12));
    assertThat(loop.unseen(3e5 - 1)).isEqualTo(1);
    assertThat(loop.unseen(3e5)).isZero();
    assertThat(StreamModel.uniform(1e6, 3e5).period()).isEmpty();
    assertThatThrownBy(() -> StreamModel.loop(10, 11))
        .hasMessage("keys (11.0) must be at least 1 and at most the records");
  }

  @Test
  void a_histogram_of_one_entry_is_uniform() {
    RepeatDistances uniform = RepeatDistances.uniformWithin(1000);
    RepeatDistances histogram = RepeatDistances.histogram(new TreeMap<>(Map.of(1000L, 7.0)));
    for (double w : new double[] {0, 1, 10.5, 999, 1000, 5000}) {
      assertThat(histogram.within(w)).isCloseTo(uniform.within(w), within(1e-12));
      assertThat(histogram.meanUpTo(w)).isCloseTo(uniform.meanUpTo(w), within(1e-9));
    }
  }

  /** Each distance below 32 has a bucket of its own; 1/(n - g) for each of them. */
  @Test
  void a_sample_counts_a_distance_by_the_places_it_can_have() {
    RepeatSample sample = new RepeatSample();
    sample.first(); // a
    sample.repeat(1); // a
    sample.first(); // b
    sample.repeat(2); // a
    StreamModel model = sample.model();
    assertThat(model.unseen(0)).isEqualTo(1);
    assertThat(model.unseen(1)).isCloseTo(1 - 1.0 / 3, within(1e-12));
    assertThat(model.unseen(2)).isCloseTo(1 - 1.0 / 3 - 1.0 / 2, within(1e-12));
    assertThat(model.unseen(4)).isEqualTo(model.unseen(2));
    assertThat(model.distinct(1)).isCloseTo(1 - 1.0 / 6, within(1e-12));
  }

  @Test
  void a_sample_keeps_long_distances_to_a_32nd() {
    RepeatSample sample = new RepeatSample();
    for (int i = 0; i < 3_000_000; i++) {
      sample.first();
    }
    sample.repeat(1_000_000);
    StreamModel model = sample.model();
    assertThat(model.unseen(1_000_000 * (1 - 1.0 / 32))).isEqualTo(1);
    assertThat(model.unseen(1_000_000 * (1 + 1.0 / 32))).isCloseTo(1 - 1 / 2e6, within(1e-8));
  }

  /** Its distances are not kept one by one; RSBF is then predicted from their counts. */
  @Test
  void a_sample_may_be_longer_than_what_is_kept_of_it() {
    RepeatSample sample = new RepeatSample();
    int n = RepeatSample.MOST_LINKED + 1000;
    for (int i = 0; i < n; i++) {
      if (i % 4 == 3) {
        sample.repeat(2);
      } else {
        sample.first();
      }
    }
    StreamModel model = sample.model();
    assertThat(model.records()).isEqualTo(n);
    assertThat(model.distinct(n)).isCloseTo(0.75 * n, within(1e-3 * n));
    FilterSpec spec = FilterSpec.of(FilterKind.RSBF, 1 << 16);
    assertThat(((SampledStreamModel) model).hasDistances()).isFalse();
    assertThat(Predictions.of(spec, model).fnr()).isBetween(0.0, 1.0);
  }

  @Test
  void a_sample_rejects_distances_beyond_its_start() {
    RepeatSample sample = new RepeatSample();
    assertThatThrownBy(sample::model).hasMessage("records (0) must be at least 1 in a sample");
    sample.first();
    assertThatThrownBy(() -> sample.repeat(2))
        .hasMessage("distance (2) must be 1 to the records before");
    assertThatThrownBy(() -> sample.repeat(0))
        .hasMessage("distance (0) must be 1 to the records before");
  }

  @Test
  void rejects_impossible_streams() {
    assertThatThrownBy(() -> StreamModel.shuffled(100, 200))
        .hasMessage("distinct (200.0) must be at least 1 and at most the records");
    assertThatThrownBy(() -> StreamModel.uniform(100, 0))
        .hasMessage("universe (0.0) must be at least 1");
    assertThatThrownBy(() -> StreamModel.endless(1, RepeatDistances.halfLife(3)))
        .hasMessage("repeat share (1.0) must be at least 0, below 1");
    assertThatThrownBy(() -> RepeatDistances.halfLife(0))
        .hasMessage("half-life (0.0) must be above 0");
    assertThatThrownBy(() -> RepeatDistances.uniformWithin(0.5))
        .hasMessage("window (0.5) must be at least 1");
    assertThatThrownBy(() -> RepeatDistances.histogram(new TreeMap<>()))
        .hasMessage("histogram ({}) must have entries, of distances from 1 on");
    assertThatThrownBy(() -> RepeatDistances.histogram(new TreeMap<>(Map.of(1L, 0.0))))
        .hasMessage("sum of weights (0.0) must be above 0, and finite");
  }
}
