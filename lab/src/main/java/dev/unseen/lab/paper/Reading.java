package dev.unseen.lab.paper;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import java.util.List;

/** The two ways to read a cell of the tables, if they differ. */
public enum Reading {
  /** The way in which the published figure was obtained. */
  AS_PUBLISHED,

  /** The algorithm as the paper describes it. */
  AS_DESCRIBED;

  PaperFilter filter(PublishedCell cell, long memoryBytes, long seed) {
    FilterKind kind = FilterKind.valueOf(cell.algorithm());
    FilterSpec spec = FilterSpec.builder(kind, memoryBytes).hashes(cell.k()).seed(seed).build();
    return this == AS_DESCRIBED
        ? PaperFilter.of(spec)
        : new PaperFilter(spec, isReservoir(cell), isBeyond31Bits(cell) ? 0.5 : 1);
  }

  /** Returns the readings of a cell, one or two. */
  static List<Reading> of(PublishedCell cell) {
    return isReservoir(cell) || isBeyond31Bits(cell)
        ? List.of(AS_PUBLISHED, AS_DESCRIBED)
        : List.of(AS_PUBLISHED);
  }

  private static boolean isReservoir(PublishedCell cell) {
    return cell.algorithm().equals("RSBF");
  }

  /**
   * Returns whether a cell is affected by random numbers of 31 bits. At 512 MB, 2^32 positions lie
   * in one bank for SBF, and for the others at k = 1; the random numbers of that time reached the
   * lower 2^31.
   */
  private static boolean isBeyond31Bits(PublishedCell cell) {
    return cell.memoryMb() == 512 && (cell.algorithm().equals("SBF") || cell.k() == 1);
  }

  /** Returns the name of the algorithm in this reading. */
  String label(PublishedCell cell) {
    String described = isReservoir(cell) ? " as printed" : " without the 31-bit limit";
    return cell.algorithm() + (this == AS_PUBLISHED ? "" : described);
  }
}
