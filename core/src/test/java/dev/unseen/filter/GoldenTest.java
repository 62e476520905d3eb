package dev.unseen.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.filter.engine.Filters;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Exact counts of false positives and false negatives, from this project's own first run: seeds in,
 * verdicts out, for ever. A change that moves one of these breaks every saved filter.
 */
final class GoldenTest {
  private static final long MEMORY = 30_000;

  private static final Map<String, String> GOLDEN =
      Map.ofEntries(
          Map.entry("sbf", "6255/50550"),
          Map.entry("rsbf", "12400/29298"),
          Map.entry("bsbf", "12754/26061"),
          Map.entry("bsbfsd", "16286/13401"),
          Map.entry("rlbsbf", "17186/10613"),
          Map.entry("bloom", "38040/0"),
          Map.entry("sbf, cells of 3 bits", "10079/60756"),
          Map.entry("rsbf, phase 3", "12449/29266"),
          Map.entry("rlbsbf k=5", "6164/53564"),
          Map.entry("bloom, shared", "21246/0"),
          Map.entry("recency", "5/68161"),
          Map.entry("recency 1:100", "859/61694"),
          Map.entry("recency, window", "0/75111"),
          Map.entry("sampled", "3850/39792"));

  @Test
  void verdicts_never_change() {
    Map<String, FilterSpec.Builder> specs = new LinkedHashMap<>();
    for (FilterKind kind : FilterKind.values()) {
      specs.put(kind.id(), FilterSpec.builder(kind, MEMORY));
    }
    specs.put("sbf, cells of 3 bits", builder(FilterKind.SBF).set(Parameter.CELL_BITS, 3));
    specs.put("rsbf, phase 3", builder(FilterKind.RSBF).set(Parameter.THRESHOLD, 0.5));
    specs.put("rlbsbf k=5", builder(FilterKind.RLBSBF).hashes(5));
    specs.put(
        "bloom, shared", builder(FilterKind.BLOOM).hashes(3).set(Parameter.PARTITIONED, false));
    specs.put("recency 1:100", builder(FilterKind.RECENCY).maxFpr(1e-2));
    specs.put("recency, window", builder(FilterKind.RECENCY).window(Window.records(5000)));

    Map<String, String> counts = new LinkedHashMap<>();
    specs.forEach((name, spec) -> counts.put(name, errors(spec.seed(42).build())));

    assertThat(counts).isEqualTo(GOLDEN);
  }

  private static FilterSpec.Builder builder(FilterKind kind) {
    return FilterSpec.builder(kind, MEMORY);
  }

  /** 200,000 records, 60 % distinct, at 2 bits per distinct key: every mechanism is busy. */
  private static String errors(FilterSpec spec) {
    ShuffledStream.Errors errors =
        new ShuffledStream(200_000, 120_000, 42).run(Filters.create(spec));
    return "%d/%d".formatted(errors.falsePositives(), errors.falseNegatives());
  }
}
