package dev.unseen.lab.paper;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.text.Require;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Follows X as the paper derives it (Bera et al. 2012, sections 3.2, 4.1, 4.3 and 5.1), element by
 * element. {@link dev.unseen.plan.predict.Predictions} says what holds.
 */
final class PaperTheory {
  /*
   * Let x = X^(1/k), the chance that one bit h is 1. The paper adds up P_trans over all elements l:
   * the chance that l is reported distinct, is inserted and chooses h, and that no later element i
   * resets h, which is the product NR of {X_i + (1 - X_i)(1 - r_i)}:
   *
   *   x_(m+1) = sum over l of (1 - X_l) a_l NR_l,   NR_l = product over i = l+1 to m
   *
   * One more element multiplies every term by the same factor and adds one term, so the sum is also
   * the recurrence x' = x {X + (1 - X)(1 - r)} + (1 - X) a. It is followed here in that form, with
   * the terms of each phase of RSBF summed separately: A_(1-s), A_(s-p) and A_(p-m).
   *
   *   BSBF                a = 1/s   r = 1/s       section 4.1
   *   BSBFSD              a = 1/s   r = 1/(ks)    section 4.3
   *   RLBSBF              a = 1/s   r = L/s^2     section 5.1, with L = s x the expected load
   *   RSBF, m <= s        x = 1 - (1 - 1/s)^m     section 3.2, phase 1
   *   RSBF, s < m <= p    a = 1/m   r = 1/m       phase 2; p = s/p*
   *   RSBF, m > p         a = 1/s   r = 1/s       phase 3
   *
   * The paper prints the recurrence of phase 2 for all m <= p. At m = 1 that would be X_2 = 1, so it
   * is applied from s on, like the sums from which it comes.
   */

  /** The filters whose X the paper derives. */
  static final List<FilterKind> TREATED =
      List.of(FilterKind.RSBF, FilterKind.BSBF, FilterKind.BSBFSD, FilterKind.RLBSBF);

  private final FilterKind kind;
  private final int k;
  private final double s;
  private final double p;
  private final double[] sums = new double[3];
  private long m;

  private PaperTheory(FilterSpec spec) {
    this.kind = spec.kind();
    this.k = spec.hashes();
    this.s = (double) spec.bits() / k;
    this.p = s / spec.get(Parameter.THRESHOLD);
  }

  /**
   * Creates the theory of this filter before its first element.
   *
   * @throws IllegalArgumentException if the paper has none for this kind
   */
  static PaperTheory of(FilterSpec spec) {
    if (!TREATED.contains(spec.kind())) {
      throw new IllegalArgumentException(
          "kind '%s' has no recurrence in the paper; choose one of: %s"
              .formatted(
                  spec.kind().id(),
                  TREATED.stream().map(FilterKind::id).collect(Collectors.joining(", "))));
    }
    return new PaperTheory(spec);
  }

  /** Continues up to element e_m, and returns this. */
  PaperTheory after(long elements) {
    Require.that(elements >= m, "elements", elements, "at least " + m + ", which have passed");
    while (m < elements) {
      m++;
      step((double) m);
    }
    return this;
  }

  private void step(double i) {
    double x = bit();
    if (kind == FilterKind.RSBF && i <= s) {
      sums[0] += (1 - x) / s;
      return;
    }
    boolean sampled = kind == FilterKind.RSBF && i <= p;
    double gain = (1 - x()) / (sampled ? i : s);
    double kept = 1 - gain * resets(x);
    for (int phase = 0; phase < sums.length; phase++) {
      sums[phase] *= kept;
    }
    sums[kind != FilterKind.RSBF ? 0 : sampled ? 1 : 2] += gain;
  }

  /** Returns r/a. */
  private double resets(double x) {
    return switch (kind) {
      case BSBFSD -> 1.0 / k;
      case RLBSBF -> x;
      default -> 1;
    };
  }

  private double bit() {
    return sums[0] + sums[1] + sums[2];
  }

  /** Returns X_(m+1), the chance that all bits of the next element are 1. */
  double x() {
    double bit = bit();
    double all = bit;
    for (int i = 1; i < k; i++) {
      all *= bit;
    }
    return all;
  }

  /**
   * Returns A_(1-s), A_(s-p) and A_(p-m): how much of the chance that a bit is 1 is due to elements
   * of each phase of RSBF. The other filters have one phase.
   */
  List<Double> sums() {
    return DoubleStream.of(sums).boxed().toList();
  }

  /** Returns the framework for the next element of a stream of uniform draws from U keys. */
  PaperMoment moment(double universe) {
    return PaperMoment.derived(x(), PaperMoment.distinctChance((double) m, universe));
  }

  /**
   * Returns FPR_(m+1) of RSBF without p*, for m above s (section 3.2, first equation, from the
   * authors' earlier work). Below about ks it is negative.
   */
  static double reservoirFprWithoutThreshold(double m, double universe, double s, int k) {
    double reported = 1 - k * s / m + Math.pow((1 - 1 / Math.E) * s / m, k);
    return PaperMoment.distinctChance(m, universe) * reported;
  }
}
