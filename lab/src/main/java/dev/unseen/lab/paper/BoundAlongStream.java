package dev.unseen.lab.paper;

import dev.unseen.lab.trial.Tally;
import dev.unseen.plan.InformationBound;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the information bound along a growing stream, averaged as the cumulative rates are.
 *
 * <p>For FPR it is the least rate of a filter without false negatives. For FNR it is the least rate
 * at the FPR that a reference filter, RLBSBF, had at each part of the stream.
 */
final class BoundAlongStream {
  private BoundAlongStream() {}

  /**
   * Returns the bound in percent at each tally of the reference, for this number of bits of memory.
   */
  static List<Double> of(Figure.Measure measure, List<Tally> reference, long bits) {
    return measure == Figure.Measure.FPR ? fpr(reference, bits) : fnr(reference, bits);
  }

  private static List<Double> fpr(List<Tally> reference, long bits) {
    return reference.stream()
        .map(t -> 100 * InformationBound.leastAverageFpr((double) bits, (double) t.distinct()))
        .toList();
  }

  private static List<Double> fnr(List<Tally> reference, long bits) {
    List<Double> percents = new ArrayList<>();
    Tally before = new Tally(0, 0, 0, 0, 0);
    double missed = 0;
    for (Tally t : reference) {
      Tally part = t.since(before);
      double keys = (t.distinct() + before.distinct()) / 2.0;
      double least = part.fpr() == 0 ? 0 : InformationBound.leastFnr(bits / keys, part.fpr());
      missed += least * part.duplicates();
      percents.add(t.duplicates() == 0 ? 0 : 100 * missed / t.duplicates());
      before = t;
    }
    return percents;
  }
}
