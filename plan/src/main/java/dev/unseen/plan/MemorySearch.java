package dev.unseen.plan;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.StreamModel;
import java.util.List;
import java.util.Optional;

/**
 * Finds the memory from which on a kind of filter meets the limits.
 *
 * <p>More memory is not better for every kind: a full BSBFSD forgets little, and RSBF ends with
 * about the same load in any memory. The search therefore starts at the largest memory of a coarse
 * grid that is enough, and goes down until it is no longer enough.
 */
final class MemorySearch {
  private static final int COARSE_BITS = 3; // each memory of the grid is 8 times the next
  private static final double PRECISION = 1.02;

  private final StreamModel stream;
  private final ErrorLimits limits;
  private final FilterKind kind;
  private final long seed;

  /** The candidate: settings that were enough in more memory are likely to be enough in less. */
  private int lastEnough;

  MemorySearch(StreamModel stream, ErrorLimits limits, FilterKind kind, long seed) {
    this.stream = stream;
    this.limits = limits;
    this.kind = kind;
    this.seed = seed;
  }

  MemoryNeed run() {
    long bytes = FilterSpec.MAX_MEMORY_BYTES;
    if (losesTooMany(bytes)) { // less memory would lose at least as many records
      return new MemoryNeed(kind, Optional.empty());
    }
    Optional<PlanOption> enough = enough(bytes);
    while (enough.isEmpty() && bytes >> COARSE_BITS >= FilterSpec.MIN_MEMORY_BYTES) {
      bytes >>= COARSE_BITS;
      enough = enough(bytes);
    }
    while (enough.isPresent() && bytes >> COARSE_BITS >= FilterSpec.MIN_MEMORY_BYTES) {
      Optional<PlanOption> less = enough(bytes >> COARSE_BITS);
      if (less.isEmpty()) {
        return new MemoryNeed(kind, Optional.of(refine(bytes >> COARSE_BITS, enough.get())));
      }
      bytes >>= COARSE_BITS;
      enough = less;
    }
    return new MemoryNeed(kind, enough);
  }

  private boolean losesTooMany(long bytes) {
    return candidates(bytes).stream()
        .noneMatch(spec -> Predictions.of(spec, stream).fpr() <= limits.maxFpr());
  }

  /** Searches between a memory that is too small and one that is enough. */
  private PlanOption refine(long tooSmall, PlanOption start) {
    PlanOption enough = start;
    double low = tooSmall;
    while (enough.spec().memoryBytes() > PRECISION * low) {
      double middle = Math.sqrt(low * enough.spec().memoryBytes());
      long bytes = roundUp((long) middle);
      Optional<PlanOption> option =
          bytes < enough.spec().memoryBytes() ? enough(bytes) : Optional.empty();
      if (option.isPresent()) {
        enough = option.get();
      } else {
        low = middle;
      }
    }
    return enough;
  }

  /** Rounds up to a number with seven significant binary digits, which is easier to write down. */
  private static long roundUp(long bytes) {
    long unit = Math.max(Long.BYTES, Long.highestOneBit(bytes) >> 6);
    return (bytes + unit - 1) / unit * unit;
  }

  private Optional<PlanOption> enough(long bytes) {
    List<FilterSpec> candidates = candidates(bytes);
    Optional<PlanOption> again = ifEnough(candidates.get(lastEnough));
    if (again.isPresent()) {
      return again;
    }
    for (int i = 0; i < candidates.size(); i++) {
      Optional<PlanOption> option =
          i == lastEnough ? Optional.empty() : ifEnough(candidates.get(i));
      if (option.isPresent()) {
        lastEnough = i;
        return option;
      }
    }
    return Optional.empty();
  }

  /** Returns those that can meet the limits. They are the same settings in any memory. */
  private List<FilterSpec> candidates(long bytes) {
    return Predictions.candidates(kind, bytes, seed, stream, limits.maxFpr()).stream()
        .filter(spec -> Predictions.leastFnr(spec) <= limits.maxFnr())
        .toList();
  }

  private Optional<PlanOption> ifEnough(FilterSpec spec) {
    PlanOption option = PlanOption.of(spec, stream);
    return limits.isMetBy(option.prediction()) ? Optional.of(option) : Optional.empty();
  }
}
