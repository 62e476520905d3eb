package dev.unseen.lab.paper;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.base.PositionsFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.lab.rival.MeasuredReservoirFilter;

/**
 * A filter as it was run for the figures of 2012.
 *
 * @param measured whether it is {@link MeasuredReservoirFilter} instead of RSBF as printed
 * @param resetReach the share of the positions that random resets reach: 1, or 0.5 where the random
 *     numbers had 31 bits and 32 were needed
 */
record PaperFilter(FilterSpec spec, boolean measured, double resetReach) {
  /** Creates the description of a filter that is run as it is. */
  static PaperFilter of(FilterSpec spec) {
    return new PaperFilter(spec, false, 1);
  }

  DuplicateFilter create() {
    DuplicateFilter filter = measured ? new MeasuredReservoirFilter(spec) : Filters.create(spec);
    if (resetReach < 1) {
      ((PositionsFilter) filter).limitResets(resetReach);
    }
    return filter;
  }

  /** Returns the description in the logs of finished runs. */
  String id() {
    return "FilterSpec[kind=%s, memoryBytes=%d, hashes=%d, seed=%d, cellBits=%d, decrements=%d, threshold=%s, partitioned=%s, resetReach=%s]"
        .formatted(
            measured ? "RSBF_MEASURED" : spec.kind().name(),
            spec.memoryBytes(),
            spec.hashes(),
            spec.seed(),
            spec.get(Parameter.CELL_BITS),
            spec.get(Parameter.DECREMENTS),
            measured ? 0.0 : spec.get(Parameter.THRESHOLD),
            spec.get(Parameter.PARTITIONED),
            resetReach);
  }
}
