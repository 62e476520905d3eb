package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import java.util.List;

/** What the tests of all filters need to know of the hidden ones of this package. */
public final class RecencyAccess {
  private RecencyAccess() {}

  /** Returns whether a filter is one over lines. */
  @SuppressWarnings("exports") // tests are not part of the module
  public static boolean hasLines(DuplicateFilter filter) {
    return filter instanceof LineFilter;
  }

  /** Returns the load of such a filter, counted line by line. */
  @SuppressWarnings("exports")
  public static double countLoad(DuplicateFilter filter) {
    return ((LineFilter) filter).countLoad();
  }

  /** Returns the two lines of the key that has this hash, the lower one first. */
  @SuppressWarnings("exports")
  public static List<Long> linesOf(FilterSpec spec, long hash) {
    LinePairs pairs = new LinePairs(spec.memoryBytes() / (Lanes.WORDS * Long.BYTES));
    long mixed = Mix.mix(hash);
    long first = Mix.reduce(mixed, pairs.lines());
    long second = pairs.partner(first, LineForm.of(spec).fingerprints().of(mixed));
    return List.of(Math.min(first, second), Math.max(first, second));
  }

  /** Returns the tables that such a filter shares with others. */
  @SuppressWarnings("exports")
  public static Object sharedTables(DuplicateFilter filter) {
    return ((LineFilter) filter).form;
  }
}
