package dev.unseen.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.stream.Streams;
import dev.unseen.plan.predict.Prediction;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.StreamModel;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the planner says of RECENCY on a loop, against a run: within 3 points, of the whole stream
 * and of its passes from the third on. The runs have 1,500 lines or more, so that chance moves
 * their rates by less than a tenth of that. At 16 bits per key nearly all keys fit, few lines tell
 * anything, and the filter needs several passes: 3.9 % are predicted, and 16.9 % are measured.
 */
final class LoopPredictionTest {
  private static final int KEYS = 200_000;

  @ParameterizedTest
  @CsvSource({"2, 1e-3", "4, 1e-3", "8, 1e-3", "8, 1e-4", "24, 1e-3"})
  void recency_on_a_loop_is_predicted(double bitsPerKey, double maxFpr) {
    long bytes = Math.round(bitsPerKey * KEYS / 8);
    FilterSpec spec = FilterSpec.builder(FilterKind.RECENCY, bytes).maxFpr(maxFpr).seed(1).build();
    long[] passes = {2 * KEYS, 8 * KEYS};
    List<Tally> run =
        SyntheticTrial.run(
                Streams.loop(8 * KEYS, KEYS), List.of(Filters.create(spec)), passes, any -> {})
            .get(0);
    Prediction prediction = Predictions.of(spec, StreamModel.loop(8 * KEYS, KEYS));
    assertThat(prediction.fnr()).as("all passes").isCloseTo(run.get(1).fnr(), within(0.03));
    double later = run.get(1).falseNegatives() - run.get(0).falseNegatives();
    double predictedLater = prediction.finalFnr();
    assertThat(predictedLater)
        .as("from the third pass on")
        .isCloseTo(later / (6 * KEYS), within(0.03));
    assertThat(prediction.fpr()).isCloseTo(run.get(1).fpr(), within(5e-4));
  }
}
