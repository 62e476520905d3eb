package dev.unseen.plan.predict;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.plan.stream.SampledStreamModel;
import dev.unseen.plan.stream.StreamModel;

/**
 * Predicts the errors of a filter on a sample, where it matters which records of a key come when,
 * and distances alone do not say it: RECENCY treats popular keys differently, and RSBF stores only
 * some records. It runs the filter itself on a share of the keys, with the same share of its
 * memory. It takes some milliseconds.
 *
 * <p>Reference: Waldspurger et al., <i>Cache modeling and optimization using miniature
 * simulations</i>, USENIX ATC 2017.
 */
final class MiniatureModel {
  private static final double MOST_RECORDS = 400_000;
  private static final double LINE_BYTES = 64;
  private static final double LEAST_LINES = 256;

  /** With this number of bytes per record nothing is forgotten, so that no simulation is needed. */
  private static final long AMPLE_BYTES = 64;

  private static final long MANY_RECORDS = 1 << 14;

  private MiniatureModel() {}

  /** Predicts the errors by a miniature if it is possible and needed, otherwise by a model. */
  static Prediction predictOr(KindProfile.Model model, FilterSpec spec, StreamModel stream) {
    return stream instanceof SampledStreamModel sample
            && sample.hasDistances()
            && spec.memoryBytes() <= AMPLE_BYTES * Math.max(MANY_RECORDS, sample.size())
        ? predict(spec, sample)
        : model.predict(spec, stream);
  }

  private static Prediction predict(FilterSpec spec, SampledStreamModel sample) {
    double lines = spec.storageBytes() / LINE_BYTES;
    double share = Math.min(1, Math.max(MOST_RECORDS / sample.size(), LEAST_LINES / lines));
    long bytes = (long) (Math.max(1, Math.round(share * lines)) * LINE_BYTES);
    DuplicateFilter filter = Filters.create(spec.part(bytes, 0));
    long chosen = share == 1 ? -1L : (long) Math.scalb(share, 63) << 1;
    int[] key = new int[sample.size()]; // the position of its first record
    long distinct = 0;
    long duplicates = 0;
    long passed = 0;
    double falsePositives = 0;
    for (int i = 0; i < key.length; i++) {
      int back = sample.distance(i);
      key[i] = back == 0 ? i : key[i - back];
      long hash = Mix.mix(key[i] + Mix.GOLDEN);
      // Not by the mixed hash itself, which selects the line.
      if (Long.compareUnsigned(Mix.mix(~hash), chosen) <= 0) {
        distinct += back == 0 ? 1 : 0;
        duplicates += back == 0 ? 0 : 1;
        // Estimated, because rare errors are better not counted.
        falsePositives += back == 0 ? filter.estimatedFpr() : 0;
        boolean fresh = filter.admit(hash);
        passed += back != 0 && fresh ? 1 : 0;
      }
    }
    double fnr = duplicates == 0 ? 0 : (double) passed / duplicates;
    double fpr = distinct == 0 ? 0 : falsePositives / distinct;
    return new Prediction(fpr, fnr, filter.estimatedFpr(), fnr, filter.load());
  }
}
