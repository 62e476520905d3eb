package dev.unseen.lab.paper;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.text.Require;
import java.util.List;
import java.util.stream.Collectors;

/**
 * X as the paper derives it (Bera et al. 2012, sections 3.2, 4.1, 4.3 and 5.1), to be compared with
 * what holds ({@link dev.unseen.plan.predict.Predictions}). All its recurrences have one form. With
 * x = X^(1/k), the chance that one bit is 1:
 *
 * <pre>  x' = x {X + (1 - X)(1 - r)} + (1 - X) a = x + (1 - X)(a - r x)  </pre>
 *
 * where a is the chance that an element reported distinct sets the bit h, and r that it resets it:
 *
 * <pre>
 *   BSBF             a = 1/s   r = 1/s       section 4.1
 *   BSBFSD           a = 1/s   r = 1/(ks)    section 4.3
 *   RLBSBF           a = 1/s   r = L/s^2     section 5.1, with L = s x the expected load
 *   RSBF, m &lt;= p     a = 1/m   r = 1/m       section 3.2; before m = s, x = 1 - (1 - 1/s)^m
 *   RSBF, m &gt; p      a = 1/s   r = 1/s       section 3.2; p = s/p*
 * </pre>
 *
 * Each lets X grow to 1, and that is where the argument goes wrong. It adds up, over all elements
 * l, the chance that l set the bit and nothing has reset it since. But these do not exclude each
 * other: a bit that is 1 when l sets it again is counted twice. So the bit seems to gain 1 - X per
 * element that chooses it, where on a stream of new keys it gains 1 - x, the chance that it was 0;
 * nearly all elements that choose a bit of a full filter find it set, and still cost a reset
 * elsewhere. With 1 - x for the gain, BSBF and RLBSBF settle below 1 from k = 2 on; only BSBFSD,
 * and k = 1, do fill up in the end.
 */
public final class PaperTheory {
  private static final List<FilterKind> TREATED =
      List.of(FilterKind.RSBF, FilterKind.BSBF, FilterKind.BSBFSD, FilterKind.RLBSBF);

  /** Up to here the recurrence is followed element by element. */
  static final long STEPPED = 100_000;

  private final FilterKind kind;
  private final int k;
  private final double s;
  private final double threshold;

  private PaperTheory(FilterSpec spec) {
    this.kind = spec.kind();
    this.k = spec.hashes();
    this.s = bankBits(spec);
    this.threshold = spec.get(Parameter.THRESHOLD);
  }

  /**
   * Returns the theory of this filter.
   *
   * @throws IllegalArgumentException if the paper has none for this kind
   */
  public static PaperTheory of(FilterSpec spec) {
    if (!TREATED.contains(spec.kind())) {
      throw new IllegalArgumentException(
          "kind '%s' has no recurrence in the paper; choose one of: %s"
              .formatted(
                  spec.kind().id(),
                  TREATED.stream().map(FilterKind::id).collect(Collectors.joining(", "))));
    }
    return new PaperTheory(spec);
  }

  /**
   * Returns s, the positions of a bank. For SBF it is the number of cells that one of K hashes
   * would have.
   */
  private static double bankBits(FilterSpec spec) {
    long words = spec.memoryBytes() / Long.BYTES / spec.get(Parameter.CELL_BITS);
    return (double) (words * Long.SIZE) / spec.hashes();
  }

  /** Returns the framework for element e_(m+1) of a stream of uniform draws from U keys. */
  public PaperMoment at(double m, double universe) {
    return new PaperMoment(x(m), PaperMoment.distinctChance(m, universe));
  }

  /** Returns X_(m+1), the chance that all bits of an element are 1 after m elements. */
  public double x(double m) {
    Require.that(m >= 0 && m < 1e18, "m", m, "0 to 1e18");
    return m <= STEPPED ? stepped((long) m) : continuous(m);
  }

  /** Returns x by the recurrence itself, applied m times. */
  double stepped(long m) {
    double x = 0;
    for (double i = 1; i <= m; i++) {
      boolean first = kind == FilterKind.RSBF && i <= s;
      x += first ? (1 - x) / s : (1 - Math.pow(x, k)) * (1 - x * resets(x)) * pace(i);
    }
    return Math.pow(x, k);
  }

  /** Returns a, the chance that an element is inserted (s/m in phase 2 of RSBF) and chooses h. */
  private double pace(double m) {
    return kind == FilterKind.RSBF && m <= s / threshold ? 1 / m : 1 / s;
  }

  /** Returns r/a. */
  private double resets(double x) {
    return switch (kind) {
      case BSBFSD -> 1.0 / k;
      case RLBSBF -> x;
      default -> 1;
    };
  }

  /**
   * Returns x by the differential equation that the recurrence becomes when s is large, dx/dm = a
   * (1 - X)(1 - x r/a). It is solved for v = -ln(1 - x), which has no upper limit.
   */
  double continuous(double m) {
    double v = 0;
    double from = 0;
    if (kind == FilterKind.RSBF) {
      double first = Math.min(m, s);
      v = -first * Math.log1p(-1 / s);
      from = Math.max(first, Math.min(m, s / threshold));
      v = RungeKutta.solve(this::rise, v, from > first ? Math.log(from / first) : 0); // dm/m
    }
    v = RungeKutta.solve(this::rise, v, (m - from) / s);
    return Math.pow(-Math.expm1(-v), k);
  }

  /**
   * Returns (1 - X)(1 - x r/a)/(1 - x), where the first and the last factor together are 1 + x +
   * ... + x^(k-1).
   */
  private double rise(double v) {
    double x = -Math.expm1(-v);
    double sum = 1;
    for (int i = 1; i < k; i++) {
      sum = 1 + x * sum;
    }
    double kept =
        switch (kind) {
          case BSBFSD -> 1 - x / k;
          case RLBSBF -> Math.exp(-v) * (1 + x);
          default -> Math.exp(-v);
        };
    return sum * kept;
  }

  /**
   * Returns FPR_(m+1) of RSBF without p*, for m above s (section 3.2, first equation, from the
   * authors' earlier work).
   */
  public static double reservoirFprWithoutThreshold(double m, double universe, double s, int k) {
    double reported = 1 - k * s / m + Math.pow((1 - 1 / Math.E) * s / m, k);
    return PaperMoment.distinctChance(m, universe) * reported;
  }

  /**
   * Returns the false positive rate at which SBF settles on distinct elements, its stable point
   * (Deng and Rafiei 2006, theorem 2 and section 4.1): with Max = 2^d - 1 and m cells,
   *
   * <pre>  FPS = (1 - (1 / (1 + 1/(P (1/K - 1/m))))^Max)^K  </pre>
   */
  public static double stablePoint(FilterSpec spec) {
    if (spec.kind() != FilterKind.SBF) {
      throw new IllegalArgumentException(
          "kind '%s' has no stable point; only sbf has one".formatted(spec.kind().id()));
    }
    int hashes = spec.hashes();
    double cells = bankBits(spec) * hashes;
    int max = (1 << spec.get(Parameter.CELL_BITS)) - 1;
    double perHash = spec.get(Parameter.DECREMENTS) * (1.0 / hashes - 1 / cells);
    return Math.pow(1 - Math.pow(1 / (1 + 1 / perHash), max), hashes);
  }
}
