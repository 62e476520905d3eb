package dev.unseen.lab.paper;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;

/** The two ways to read a cell of the tables, if they differ. */
public enum Reading {
  /** The way in which the published figure was obtained. */
  AS_PUBLISHED {
    @Override
    PaperFilter filter(PublishedCell cell, long memoryBytes, long seed) {
      return new PaperFilter(
          spec(cell, memoryBytes, seed),
          cell.algorithm().equals("RSBF"),
          beyond31Bits(cell) ? 0.5 : 1);
    }
  },

  /** The algorithm as the paper describes it. */
  AS_DESCRIBED {
    @Override
    PaperFilter filter(PublishedCell cell, long memoryBytes, long seed) {
      return PaperFilter.of(spec(cell, memoryBytes, seed));
    }
  };

  abstract PaperFilter filter(PublishedCell cell, long memoryBytes, long seed);

  private static FilterSpec spec(PublishedCell cell, long memoryBytes, long seed) {
    FilterKind kind = FilterKind.valueOf(cell.algorithm());
    return FilterSpec.builder(kind, memoryBytes).hashes(cell.k()).seed(seed).build();
  }

  /** Returns whether a cell has two readings. */
  public static boolean differ(PublishedCell cell) {
    return cell.algorithm().equals("RSBF") || beyond31Bits(cell);
  }

  /**
   * Returns whether a cell is affected by random numbers of 31 bits. At 512 MB, 2^32 positions lie
   * in one bank for SBF, and for the others at k = 1; the random numbers of that time reached the
   * lower 2^31.
   */
  private static boolean beyond31Bits(PublishedCell cell) {
    return cell.memoryMb() == 512 && (cell.algorithm().equals("SBF") || cell.k() == 1);
  }

  /** Returns the name of the algorithm in this reading. */
  public String label(PublishedCell cell) {
    if (this == AS_PUBLISHED || !differ(cell)) {
      return cell.algorithm();
    }
    return cell.algorithm()
        + (cell.algorithm().equals("RSBF") ? " as printed" : " without the 31-bit limit");
  }
}
