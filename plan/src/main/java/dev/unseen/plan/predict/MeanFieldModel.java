package dev.unseen.plan.predict;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.stream.StreamModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Predicts the errors of a filter on a stream without running either. It does what the paper's
 * theory set out to do, with the true load.
 *
 * <p>It walks along the stream in steps that grow with it. At each step the rate of resets, b, is
 * the only unknown: the filter's reports depend on the resets so far ({@link Lookback}), and the
 * resets depend on its reports ({@link FilterLaw}). It is found by the secant method. The model
 * assumes many independent positions; a filter of a few hundred bits will scatter around the
 * prediction.
 */
final class MeanFieldModel {
  /** A step is at most this share of the records so far, except for the first steps. */
  private static final double STEP = 0.06;

  /** A finite stream is divided into at least this number of steps. */
  private static final double LEAST_STEPS = 128;

  /** An endless stream is followed for this many times the memory of filter or stream. */
  private static final double ENDLESS = 1e6;

  /** The least number of steps in which the number of records doubles. */
  private static final int DOUBLING = 12;

  private static final double SETTLED = 1e-9;
  private static final double TOLERANCE = 1e-7;
  private static final int MOST_TRIES = 20;

  private final FilterLaw law;
  private final StreamModel stream;
  private final double memory;
  private final double records;
  private final double firstStep;
  private final Lookback lookback;
  private final ResetHistory history;

  private MeanFieldModel(FilterLaw law, StreamModel stream) {
    this.law = law;
    this.stream = stream;
    this.memory = memory();
    this.records = stream.isEndless() ? ENDLESS * memory : stream.records();
    this.firstStep = firstStep();
    double firstLag = Math.min(firstStep, 0.05 * law.bankBits() / law.hashes());
    LookbackGrid grid = new LookbackGrid(firstLag, records, stream, !law.storesAll());
    this.lookback = new Lookback(law, stream, grid);
    this.history = new ResetHistory(law.resetRate(0, FilterState.EMPTY));
  }

  /** Predicts the errors in about a millisecond. */
  static Prediction predict(FilterSpec spec, StreamModel stream) {
    return predict(new FilterLaw(spec), stream);
  }

  static Prediction predict(FilterLaw law, StreamModel stream) {
    return new MeanFieldModel(law, stream).run();
  }

  /** Returns filters with the default number of hashes first, then with the given ones. */
  static List<FilterSpec> candidates(FilterKind kind, long memoryBytes, long seed, int... hashes) {
    int usual = kind.defaultHashes();
    return IntStream.concat(IntStream.of(usual), Arrays.stream(hashes).filter(k -> k != usual))
        .mapToObj(k -> FilterSpec.builder(kind, memoryBytes).hashes(k).seed(seed).build())
        .toList();
  }

  /** Returns the records after which neither filter nor repeats bring anything new. */
  private double memory() {
    double w = law.bankBits();
    while (w < 1e30 && stream.unseen(w) > 1.001 * stream.unseen(w * 1024)) {
      w *= 2;
    }
    return w;
  }

  /** Returns a first step that is short for the memory, the stream, and its repeats. */
  private double firstStep() {
    double step = Math.min(0.03 * law.bankBits(), records / LEAST_STEPS);
    while (step > 1 && stream.unseen(step) < 0.95) {
      step /= 2;
    }
    return step;
  }

  private record Moment(double records, double load, double fnr) {}

  private Prediction run() {
    List<Moment> moments = new ArrayList<>();
    FilterState before = FilterState.EMPTY;
    double t = 0;
    double phase = 0; // where the present one began
    double falsePositives = 0;
    double falseNegatives = 0;
    double distinct = 0;
    while (t < records && !isSettled(moments)) {
      double step = Math.min(Math.max(firstStep, STEP * (t - phase)), records / stepsAtLeast());
      double end = Math.min(records, law.nextPhase(t));
      double next = t + step > end - step / 2 ? end : t + step;
      FilterState state = advance(next);
      double distinctNext = stream.distinct(next);
      falsePositives += (distinctNext - distinct) * (fpr(before) + fpr(state)) / 2;
      falseNegatives += (next - t) * (before.falseNegative() + state.falseNegative()) / 2;
      if (next == law.nextPhase(t)) {
        history.jumpTo(law.resetRate(next, state));
        phase = next;
        if (next == law.thirdPhase()) {
          lookback.fixLoad(state.load());
        }
      }
      t = next;
      distinct = distinctNext;
      before = state;
      moments.add(
          new Moment(t, state.load(), share(state.falseNegative(), 1 - state.firstChance())));
    }
    double finalFpr = fpr(before);
    double finalFnr = moments.get(moments.size() - 1).fnr();
    return new Prediction(
        stream.isEndless() ? finalFpr : share(falsePositives, distinct),
        stream.isEndless() ? finalFnr : share(falseNegatives, t - distinct),
        finalFpr,
        finalFnr,
        before.load());
  }

  /** Returns whether an endless stream has brought nothing new while it doubled. */
  private boolean isSettled(List<Moment> moments) {
    int n = moments.size();
    if (!stream.isEndless() || n <= DOUBLING) {
      return false;
    }
    Moment now = moments.get(n - 1);
    Moment then = moments.get(n - 1 - DOUBLING);
    return now.records() > 100 * memory
        && Math.abs(now.load() - then.load()) < SETTLED * now.load()
        && Math.abs(now.fnr() - then.fnr()) <= SETTLED * now.fnr();
  }

  private double stepsAtLeast() {
    return stream.isEndless() ? 1 : LEAST_STEPS;
  }

  private double fpr(FilterState state) {
    return law.ofAll(state.load());
  }

  private static double share(double part, double whole) {
    return whole > 0 ? Math.min(1, part / whole) : 0;
  }

  /** Adds the moment t to the history, with the reset rate that agrees with its own outcome. */
  private FilterState advance(double t) {
    double rate = history.lastRate();
    FilterState state = stateIf(t, rate);
    double phase = Math.nextDown(t); // a new one that begins at t is not yet in force
    double implied = law.resetRate(phase, state);
    if (!law.resetsDependOnState()) {
      history.removeLast();
      return stateIf(t, implied);
    }
    double triedBefore = rate;
    double errorBefore = implied - rate;
    rate = implied;
    for (int i = 0; i < MOST_TRIES; i++) {
      history.removeLast();
      state = stateIf(t, rate);
      double error = law.resetRate(phase, state) - rate;
      if (Math.abs(error) <= TOLERANCE * rate || error == errorBefore) {
        break;
      }
      double secant = rate - error * (rate - triedBefore) / (error - errorBefore);
      triedBefore = rate;
      errorBefore = error;
      rate = secant > 0 ? secant : rate / 2;
    }
    return state;
  }

  private FilterState stateIf(double t, double rate) {
    history.add(t, rate);
    return lookback.stateAt(t, history);
  }
}
