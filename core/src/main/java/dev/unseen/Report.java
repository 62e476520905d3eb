package dev.unseen;

import dev.unseen.audit.AuditReport;
import dev.unseen.filter.FilterSpec;
import java.util.Optional;

/**
 * How a deduplicator stands.
 *
 * @param spec of its filter
 * @param records taken in
 * @param admitted let through
 * @param load the share of the memory in use
 * @param estimatedFpr the chance that a new record is lost, by the load
 * @param maxFpr the largest such chance that was allowed; 1 if any
 * @param audit the errors measured on the stream, if there is an audit
 * @param memoryBytes of the filter's storage
 * @param windowCoverage how much of the window the memory covers; 1 if there is none
 */
public record Report(
    FilterSpec spec,
    long records,
    long admitted,
    double load,
    double estimatedFpr,
    double maxFpr,
    Optional<AuditReport> audit,
    long memoryBytes,
    double windowCoverage) {

  /** The records that were not let through. */
  public long duplicates() {
    return records - admitted;
  }

  /**
   * Whether more new records are lost than was allowed: by the estimate, or by the whole of the
   * interval that was measured.
   */
  public boolean saturated() {
    return estimatedFpr > maxFpr || audit.filter(a -> a.fpr().low() > maxFpr).isPresent();
  }
}
