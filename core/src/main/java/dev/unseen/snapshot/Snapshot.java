package dev.unseen.snapshot;

import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditReport;
import dev.unseen.bits.Stateful;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.ShardedFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * All that goes on after a restart: a filter, what it has come to, and what its user wants to know
 * then. It refers to the living filter and copies nothing.
 *
 * @param filter as {@link FilterSpec#build} or {@link ShardedFilter#of} made it
 * @param savedAtMillis when it was saved, in milliseconds since 1970
 * @param records taken in
 * @param admitted let through
 * @param maxFpr the largest share of new records that its user allowed to be lost; 1 if any
 * @param metadata short texts of its user, such as the offsets of the sources
 * @param audit what watches the filter, if anything does
 */
public record Snapshot(
    DuplicateFilter filter,
    long savedAtMillis,
    long records,
    long admitted,
    double maxFpr,
    Map<String, String> metadata,
    Optional<Audit> audit) {

  /** Refuses what cannot be saved. */
  public Snapshot {
    if (!(filter instanceof ShardedFilter) && !(filter instanceof Stateful)) {
      throw new IllegalArgumentException(
          "filter (%s) must be one that a FilterSpec or ShardedFilter made"
              .formatted(filter.getClass().getName()));
    }
    if (!(maxFpr > 0 && maxFpr <= 1)) {
      throw new IllegalArgumentException(
          "maxFpr (%s) must be above 0 and at most 1".formatted(maxFpr));
    }
    if (records < 0 || admitted < 0 || admitted > records) {
      throw new IllegalArgumentException(
          "admitted (%d) must be 0 to the records (%d)".formatted(admitted, records));
    }
    metadata = Map.copyOf(metadata);
    Objects.requireNonNull(audit, "audit is null; Optional.empty() is none");
  }

  /** Of a filter and its counts, now. */
  public static Snapshot of(DuplicateFilter filter, long records, long admitted) {
    return new Snapshot(
        filter,
        System.currentTimeMillis(),
        records,
        admitted,
        filter.spec().maxFpr(),
        Map.of(),
        Optional.empty());
  }

  /** The same with these texts. */
  public Snapshot with(Map<String, String> texts) {
    return new Snapshot(filter, savedAtMillis, records, admitted, maxFpr, texts, audit);
  }

  /** The same with what watches the filter. */
  public Snapshot with(Audit watching) {
    return new Snapshot(
        filter, savedAtMillis, records, admitted, maxFpr, metadata, Optional.of(watching));
  }

  /** The same with another largest share of new records lost. */
  public Snapshot withMaxFpr(double rate) {
    return new Snapshot(filter, savedAtMillis, records, admitted, rate, metadata, audit);
  }

  /** The same with these counts. */
  Snapshot counted(long taken, long through) {
    return new Snapshot(filter, savedAtMillis, taken, through, maxFpr, metadata, audit);
  }

  /** What the filter was built from. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /** Returns what the audit has measured, if there is one. */
  public Optional<AuditReport> auditReport() {
    // The audit of a filter for many threads is shown no more than the keys it follows. Any other
    // is
    // shown all records, except those without a key, which were let through unseen.
    return audit.map(
        watching ->
            filter instanceof ShardedFilter || watching.records() > records
                ? watching.report(records, admitted)
                : watching.report(
                    watching.records(), Math.max(0, admitted - (records - watching.records()))));
  }

  /** How many filters there are inside: 1, or {@link ShardedFilter#SHARDS}. */
  public int shards() {
    return filter instanceof ShardedFilter ? ShardedFilter.SHARDS : 1;
  }

  /** Everything with a state, in the order of the file. */
  List<Stateful> parts() {
    List<Stateful> parts =
        filter instanceof ShardedFilter sharded
            ? new ArrayList<>(sharded.parts())
            : new ArrayList<>(List.of((Stateful) filter));
    audit.ifPresent(parts::add);
    return parts;
  }
}
