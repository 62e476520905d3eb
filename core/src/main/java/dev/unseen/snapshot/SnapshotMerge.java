package dev.unseen.snapshot;

import dev.unseen.filter.FilterMerge;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Joins two states of equal filters. */
public final class SnapshotMerge {
  private SnapshotMerge() {}

  /**
   * Joins the second state into the filter of the first: see {@link FilterMerge}. Counts are added;
   * of texts with the same name, that of the first stays; audits end, since neither has seen the
   * other's records. The smaller of the two allowed rates holds.
   *
   * @throws IllegalArgumentException if the filters differ
   */
  public static Snapshot merge(Snapshot into, Snapshot from) {
    FilterMerge.mergeInto(into.filter(), from.filter());
    Map<String, String> texts = new TreeMap<>(from.metadata());
    texts.putAll(into.metadata());
    return new Snapshot(
        into.filter(),
        System.currentTimeMillis(),
        into.records() + from.records(),
        into.admitted() + from.admitted(),
        Math.min(into.maxFpr(), from.maxFpr()),
        texts,
        Optional.empty());
  }
}
