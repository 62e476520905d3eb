package dev.unseen.lab.rival;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The filters of one {@link FilterKind}. A kind without its own sweep runs with its default
 * setting.
 */
public record FilterFamily(FilterKind kind) implements ContestantFamily {
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

  /** The settings to try of each kind. */
  private static final Map<FilterKind, Function<Builders, List<FilterSpec>>> SWEEPS =
      new EnumMap<>(FilterKind.class);

  static {
    SWEEPS.put(FilterKind.SBF, FilterFamily::stable);
    SWEEPS.put(FilterKind.RSBF, FilterFamily::overHashes);
    SWEEPS.put(FilterKind.BSBF, FilterFamily::overHashes);
    SWEEPS.put(FilterKind.BSBFSD, FilterFamily::overHashes);
    SWEEPS.put(FilterKind.RLBSBF, FilterFamily::overHashes);
    SWEEPS.put(FilterKind.BLOOM, FilterFamily::overHashes);
    SWEEPS.put(FilterKind.RECENCY, FilterFamily::recency);
    SWEEPS.put(FilterKind.SAMPLED, FilterFamily::sampled);
  }

  /** Starts a spec of the kind, with the memory and seed of the arena. */
  @FunctionalInterface
  private interface Builders {
    FilterSpec.Builder start();
  }

  /** Returns one family for each kind. */
  static List<ContestantFamily> all() {
    return Arrays.stream(FilterKind.values())
        .map(kind -> (ContestantFamily) new FilterFamily(kind))
        .toList();
  }

  @Override
  public String label() {
    return kind == FilterKind.BLOOM ? "Plain Bloom" : kind.name();
  }

  @Override
  public String id() {
    return kind.id();
  }

  @Override
  public Role role() {
    return PAPER.contains(kind) ? Role.PAPER : kind == FilterKind.BLOOM ? Role.PLAIN : Role.OWN;
  }

  @Override
  public List<Setting> settings(Arena arena) {
    Builders builders = () -> FilterSpec.builder(kind, arena.memoryBytes()).seed(arena.seed());
    return SWEEPS.getOrDefault(kind, FilterFamily::usual).apply(builders).stream()
        .distinct()
        .filter(spec -> kind != FilterKind.RECENCY || arena.wants(spec.maxFpr()))
        .map(
            spec ->
                new Setting(
                    this,
                    parameters(spec),
                    () -> contestant(Filters.create(spec)),
                    defaultFor(spec)))
        .toList();
  }

  /** Returns the rate that a user asked for who gets this spec without choosing more. */
  private static OptionalDouble defaultFor(FilterSpec spec) {
    return spec.kind() == FilterKind.RECENCY && spec.refresh() == Refresh.ADAPTIVE
        ? OptionalDouble.of(spec.maxFpr())
        : OptionalDouble.empty();
  }

  private static List<FilterSpec> usual(Builders builders) {
    return List.of(builders.start().build());
  }

  private static List<FilterSpec> overHashes(Builders builders) {
    return IntStream.rangeClosed(1, MAX_HASHES)
        .mapToObj(k -> builders.start().hashes(k).build())
        .toList();
  }

  /** Returns SBF filters by their target, which determines P. Many targets give the same P. */
  private static List<FilterSpec> stable(Builders builders) {
    List<FilterSpec> specs = new ArrayList<>();
    for (int cellBits : new int[] {1, 2}) {
      for (int k : new int[] {2, 3, 4, 6, 8, 10}) {
        for (double target : new double[] {0.1, 0.03, 0.01, 0.003, 0.001, 0.0003}) {
          specs.add(
              builders
                  .start()
                  .set(Parameter.CELL_BITS, cellBits)
                  .hashes(k)
                  .falsePositiveTarget(target)
                  .build());
        }
      }
    }
    return specs;
  }

  private static List<FilterSpec> recency(Builders builders) {
    List<FilterSpec> specs = new ArrayList<>();
    for (Refresh refresh : Refresh.values()) {
      for (double rate : new double[] {1e-2, 5e-3, 3e-3, 2e-3, 1e-3, 5e-4, 3e-4, 1e-4, 1e-5}) {
        specs.add(builders.start().maxFpr(rate).refresh(refresh).build());
      }
    }
    return specs;
  }

  private static List<FilterSpec> sampled(Builders builders) {
    List<FilterSpec> specs = new ArrayList<>();
    for (int k : new int[] {1, 2, 4, 7, 10}) {
      for (double share : new double[] {0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1}) {
        specs.add(builders.start().hashes(k).set(Parameter.SHARE, share).build());
      }
    }
    return specs;
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

  private static Contestant contestant(DuplicateFilter filter) {
    return new Contestant() {
      @Override
      public boolean admit(long hash) {
        return filter.admit(hash);
      }

      @Override
      public long memoryBytes() {
        return filter.memoryBytes();
      }
    };
  }
}
