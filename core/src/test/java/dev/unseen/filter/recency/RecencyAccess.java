package dev.unseen.filter.recency;

import dev.unseen.filter.DuplicateFilter;

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

  /** Returns the tables that such a filter shares with others. */
  @SuppressWarnings("exports")
  public static Object sharedTables(DuplicateFilter filter) {
    return ((LineFilter) filter).form;
  }
}
