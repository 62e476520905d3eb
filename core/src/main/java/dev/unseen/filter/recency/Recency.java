package dev.unseen.filter.recency;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.LineShape;
import java.util.Arrays;
import java.util.List;

/** Gives other packages access to RECENCY. */
public final class Recency {
  private Recency() {}

  /** Creates an empty filter, with or without a window. */
  public static DuplicateFilter filter(FilterSpec spec) {
    return spec.window().isNone() ? new RecencyFilter(spec) : new WindowFilter(spec);
  }

  /** Returns the largest number of lanes of a line, in order or sorted. */
  public static int keptLanes(FilterSpec spec) {
    LineForm form = LineForm.of(spec);
    return form.sorted() == null ? form.narrowest().count() : form.sorted().count();
  }

  /** Returns the shapes that a line in order goes through as it fills, the first one first. */
  public static List<LineShape> shapes(FilterSpec spec) {
    LineForm form = LineForm.of(spec);
    return Arrays.stream(form.shapes())
        .map(
            lanes ->
                new LineShape(
                    lanes.count(), lanes.width(), form.fingerprints().chance(lanes.width())))
        .toList();
  }
}
