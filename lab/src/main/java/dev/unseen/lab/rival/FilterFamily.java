package dev.unseen.lab.rival;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.engine.Filters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The family of each of our kinds of filter. */
final class FilterFamily {
  /** The largest k that is tried of filters over bits. */
  static final int MAX_HASHES = 16;

  private static final List<FilterKind> PAPER =
      List.of(
          FilterKind.SBF, FilterKind.RSBF, FilterKind.BSBF, FilterKind.BSBFSD, FilterKind.RLBSBF);

  /** The short names of the parameters that tables of settings show. */
  private static final Map<Parameter<?>, String> SYMBOLS =
      Map.of(
          Parameter.HASHES, "k",
          Parameter.DECREMENTS, "P",
          Parameter.CELL_BITS, "d",
          Parameter.MAX_FPR, "max-fpr",
          Parameter.REFRESH, "refresh",
          Parameter.SHARE, "share");

  private FilterFamily() {}

  static ContestantFamily of(FilterKind kind) {
    boolean isPlain = kind == FilterKind.BLOOM;
    return new ContestantFamily(
        kind.id(),
        isPlain ? "Plain Bloom" : kind.name(),
        PAPER.contains(kind) ? Role.PAPER : isPlain ? Role.PLAIN : Role.OWN,
        settings -> choices(kind).forEach(choice -> add(settings, kind, choice)));
  }

  private static void add(
      Settings settings, FilterKind kind, UnaryOperator<FilterSpec.Builder> choice) {
    LongFunction<FilterSpec> specs =
        seed -> choice.apply(FilterSpec.builder(kind, settings.memory).seed(seed)).build();
    FilterSpec any = specs.apply(0);
    String parameters = parameters(any);
    boolean isRecency = kind == FilterKind.RECENCY;
    if (settings.has(parameters) // of SBF many targets give the same P
        || (isRecency && !settings.wants(any.maxFpr()))) {
      return;
    }
    settings.add(
        parameters,
        isRecency && any.refresh() == Refresh.ADAPTIVE ? any.maxFpr() : Double.NaN,
        seed -> Contestant.of(Filters.create(specs.apply(seed))));
  }

  private static List<UnaryOperator<FilterSpec.Builder>> choices(FilterKind kind) {
    List<UnaryOperator<FilterSpec.Builder>> choices = new ArrayList<>();
    switch (kind) {
      case SBF -> {
        for (int cellBits : new int[] {1, 2}) {
          for (int k : new int[] {2, 3, 4, 6, 8, 10}) {
            for (double target : new double[] {0.1, 0.03, 0.01, 0.003, 0.001, 0.0003}) {
              choices.add(
                  b -> b.set(Parameter.CELL_BITS, cellBits).hashes(k).falsePositiveTarget(target));
            }
          }
        }
      }
      case RECENCY -> {
        for (Refresh refresh : Refresh.values()) {
          for (double rate : new double[] {1e-2, 5e-3, 3e-3, 2e-3, 1e-3, 5e-4, 3e-4, 1e-4, 1e-5}) {
            choices.add(b -> b.maxFpr(rate).refresh(refresh));
          }
        }
      }
      case SAMPLED -> {
        for (int k : new int[] {1, 2, 4, 7, 10}) {
          for (double share : new double[] {0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}) {
            choices.add(b -> b.hashes(k).set(Parameter.SHARE, share));
          }
        }
      }
      case RSBF, BSBF, BSBFSD, RLBSBF, BLOOM -> {
        for (int k : IntStream.rangeClosed(1, MAX_HASHES).toArray()) {
          choices.add(b -> b.hashes(k));
        }
      }
      default -> choices.add(b -> b);
    }
    return choices;
  }

  private static String parameters(FilterSpec spec) {
    return spec.kind().parameters().stream()
        .filter(SYMBOLS::containsKey)
        .map(parameter -> SYMBOLS.get(parameter) + "=" + text(spec.get(parameter)))
        .collect(Collectors.joining(" "));
  }

  private static String text(Object value) {
    return value instanceof Refresh ? value.toString().toLowerCase(Locale.ROOT) : value.toString();
  }
}
