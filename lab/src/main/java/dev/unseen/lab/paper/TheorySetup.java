package dev.unseen.lab.paper;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.stream.SyntheticStream;
import dev.unseen.lab.trial.SyntheticTrial;
import dev.unseen.lab.trial.Tally;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The filters that are compared with the paper's theory: k = 2, as in its tables, and this memory.
 * Positions in a stream are in records per bit of a bank, m/s.
 */
public record TheorySetup(long memoryBytes, long seed) {
  static final int K = 2;

  FilterSpec spec(FilterKind kind) {
    return FilterSpec.builder(kind, memoryBytes).hashes(K).seed(seed).build();
  }

  /** Returns RSBF with a p* that no stream reaches. */
  FilterSpec withoutThreshold() {
    return FilterSpec.builder(FilterKind.RSBF, memoryBytes)
        .hashes(K)
        .seed(seed)
        .set(Parameter.THRESHOLD, 1e-12)
        .build();
  }

  /** Returns an empty filter of each kind whose X the paper derives. */
  Map<String, DuplicateFilter> filters() {
    Map<String, DuplicateFilter> filters = new LinkedHashMap<>();
    PaperTheory.TREATED.forEach(kind -> filters.put(kind.id(), Filters.create(spec(kind))));
    return filters;
  }

  /** Returns the number of keys or records for this number of them per bit of a bank. */
  long count(double perBit) {
    return Math.round(perBit * bankBits());
  }

  /** Returns s, the number of bits of a bank. */
  double bankBits() {
    return (double) spec(FilterKind.RSBF).bits() / K;
  }

  /** Runs a stream through filters, and returns the tallies of each at these numbers of records. */
  static Map<String, List<Tally>> run(
      SyntheticStream stream, Map<String, DuplicateFilter> filters, long... checkpoints) {
    List<List<Tally>> tallies =
        SyntheticTrial.run(stream, List.copyOf(filters.values()), checkpoints, passed -> {});
    Map<String, List<Tally>> byName = new LinkedHashMap<>();
    filters.keySet().forEach(name -> byName.put(name, tallies.get(byName.size())));
    return byName;
  }

  static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
