package dev.unseen.plan;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.predict.Predictions;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Recommends a filter for a stream, and predicts how often it will be wrong, without running it.
 *
 * <pre>{@code
 * StreamModel stream = StreamModel.shuffled(1e9, 6e8);
 * Plan plan = Planner.of(stream).plan(MiB(512));
 * FilterSpec best = plan.recommendation().option().spec();
 * }</pre>
 *
 * <p>The best filter makes the fewest errors; a lost record and a duplicate that gets through count
 * the same. {@link ErrorLimits} can limit either error first. A planner is immutable.
 */
public final class Planner {
  /** From this number of bits per key on, a Bloom filter beats those that forget (measured). */
  private static final double KEYS_FIT = 3.5;

  private final StreamModel stream;
  private final ErrorLimits limits;
  private final Set<FilterKind> kinds;
  private final long seed;

  private Planner(StreamModel stream, ErrorLimits limits, Set<FilterKind> kinds, long seed) {
    this.stream = stream;
    this.limits = limits;
    this.kinds = EnumSet.copyOf(kinds);
    this.seed = seed;
  }

  /** Returns a planner for this stream that considers all kinds of filter. */
  public static Planner of(StreamModel stream) {
    return new Planner(stream, ErrorLimits.NONE, EnumSet.allOf(FilterKind.class), 0);
  }

  /** Returns a copy of this planner with these limits. */
  public Planner limits(ErrorLimits errors) {
    return new Planner(stream, errors, kinds, seed);
  }

  /** Returns a copy of this planner that considers only this kind. */
  public Planner only(FilterKind kind) {
    return new Planner(stream, limits, EnumSet.of(kind), seed);
  }

  /** Returns a copy whose filters have this seed. Default: 0. No prediction depends on it. */
  public Planner seed(long ofFilters) {
    return new Planner(stream, limits, kinds, ofFilters);
  }

  /** Returns the filters that are possible in this memory, in bytes, and a recommendation. */
  public Plan plan(long memoryBytes) {
    List<PlanOption> options = new ArrayList<>();
    for (FilterKind kind : kinds) {
      for (FilterSpec spec :
          Predictions.candidates(kind, memoryBytes, seed, stream, limits.maxFpr())) {
        options.add(PlanOption.of(spec, stream));
      }
    }
    options.sort(
        Comparator.<PlanOption>comparingInt(o -> limits.isMetBy(o.prediction()) ? 0 : 1)
            .thenComparingDouble(PlanOption::wrongPerMillion)
            .thenComparingInt(o -> o.spec().hashes())); // if equally good, the faster one
    Optional<BoundCurve> bound =
        BoundCurve.appliesTo(stream)
            ? Optional.of(BoundCurve.of(stream, memoryBytes))
            : Optional.empty();
    PlanOption best = options.get(0);
    boolean met = limits.isMetBy(best.prediction());
    if (!met) {
      best = nearest(options);
    }
    return new Plan(
        stream,
        memoryBytes,
        limits,
        options,
        bound,
        new Recommendation(best, exactSet(memoryBytes), reason(best, met)),
        met ? Optional.empty() : Optional.of(rejection(memoryBytes, best, bound)));
  }

  /** Returns the memory that each kind needs to meet the limits. */
  public List<MemoryNeed> memoryNeeded() {
    return kinds.stream().map(kind -> new MemorySearch(stream, limits, kind, seed).run()).toList();
  }

  private PlanOption nearest(List<PlanOption> options) {
    return options.stream()
        .min(Comparator.comparingDouble(option -> limits.shortfall(option.prediction())))
        .orElseThrow();
  }

  private OptionalLong exactSet(long memoryBytes) {
    double bytes = Recommendation.EXACT_SET_BYTES_PER_KEY * stream.keys();
    return bytes <= memoryBytes ? OptionalLong.of((long) Math.ceil(bytes)) : OptionalLong.empty();
  }

  private String reason(PlanOption best, boolean met) {
    FilterKind kind = best.spec().kind();
    long memoryBytes = best.spec().memoryBytes();
    double bitsPerKey = 8.0 * memoryBytes / stream.keys();
    OptionalLong exact = exactSet(memoryBytes);
    if (!met) {
      return "nothing meets the limits, and this comes nearest";
    }
    if (exact.isPresent()) {
      return String.format(
          Locale.ROOT,
          "an exact set would do: %s hold all %s keys, at %d bytes each; of the filters, %s is wrong"
              + " least often",
          Print.bytes(exact.getAsLong()),
          Print.count(stream.keys()),
          Recommendation.EXACT_SET_BYTES_PER_KEY,
          kind.id());
    }
    if (kind == FilterKind.BLOOM && bitsPerKey >= KEYS_FIT) {
      return String.format(
          Locale.ROOT, "the keys fit, at %.1f bits each, so nothing needs forgetting", bitsPerKey);
    }
    double untouched = 1e6 * (1 - stream.newShare());
    if (best.wrongPerMillion() >= untouched) {
      return memoryWords(bitsPerKey) + ": letting all records through would get fewer wrong";
    }
    if (kind == FilterKind.RECENCY && stream.period().isPresent()) {
      return "the keys come round in turn, and those that the memory holds are found each time";
    }
    if (kind == FilterKind.RECENCY && !stream.exchangeable()) {
      return "repeats are recent, so the memory is best spent on the latest keys";
    }
    String among = limits.equals(ErrorLimits.NONE) ? "" : "of those within the limits ";
    return "%s, and %s%s gets the fewest records wrong"
        .formatted(memoryWords(bitsPerKey), among, kind.id());
  }

  private String memoryWords(double bitsPerKey) {
    if (stream.isEndless()) {
      return "new keys never end, so a filter has to forget";
    }
    return String.format(
        Locale.ROOT,
        bitsPerKey < KEYS_FIT
            ? "%.2g bits for each key are few"
            : "there are %.1f bits for each key",
        bitsPerKey);
  }

  private String rejection(long memoryBytes, PlanOption nearest, Optional<BoundCurve> bound) {
    String why =
        bound.isPresent() && !bound.get().allows(limits)
            ? impossible(memoryBytes)
            : "no filter of %s reaches %s".formatted(Print.bytes(memoryBytes), limits.describe());
    String way =
        memoryNeeded().stream()
            .flatMap(need -> need.option().stream())
            .min(Comparator.comparingLong(option -> option.spec().memoryBytes()))
            .filter(option -> option.spec().memoryBytes() > memoryBytes)
            .map(
                option ->
                    "; %s k=%d does from %s on"
                        .formatted(
                            option.spec().kind().id(),
                            option.spec().hashes(),
                            Print.bytes(option.spec().memoryBytes())))
            .orElse("; nor does more memory help");
    return why + "; nearest: " + nearest.describe() + way;
  }

  private String impossible(long memoryBytes) {
    double bits = InformationBound.bitsPerKey(limits.maxFpr(), limits.maxFnr());
    return String.format(
        Locale.ROOT,
        "%s need at least %.2f bits per key; %s hold %s keys at that, and %s are expected",
        limits.describe(),
        bits,
        Print.bytes(memoryBytes),
        Print.count(8 * memoryBytes / bits),
        Print.count(stream.keys()));
  }
}
