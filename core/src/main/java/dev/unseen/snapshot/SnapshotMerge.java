package dev.unseen.snapshot;

import dev.unseen.filter.engine.FilterMerge;
import dev.unseen.state.Counts;
import dev.unseen.text.Print;
import java.util.Map;
import java.util.TreeMap;

/** Merges two states of equal filters. */
final class SnapshotMerge {
  private SnapshotMerge() {}

  /**
   * Merges the second state into the filter of the first: see {@link FilterMerge}. The counts are
   * added. Of two texts with the same name, the first state's text stays. Audits end, because
   * neither has seen the other's records. The smaller of the two allowed rates holds.
   *
   * <p>If the states hold different shards of one filter, the result holds the shards of both.
   *
   * @throws IllegalArgumentException if the filters or their keys differ
   */
  public static Snapshot merge(Snapshot into, Snapshot from) {
    into.requireStorage();
    from.requireStorage();
    if (!into.keyForm().isEmpty()
        && !from.keyForm().isEmpty()
        && !into.keyForm().equals(from.keyForm())) {
      throw new IllegalArgumentException(
          "the states have different keys (%s, and %s); only states with the same keys can be merged"
              .formatted(Print.plain(into.keyForm()), Print.plain(from.keyForm())));
    }
    FilterMerge.mergeInto(into.filter(), from.filter());
    Map<String, String> texts = new TreeMap<>(from.metadata());
    texts.putAll(into.metadata());
    return Snapshot.of(
            into.filter(),
            Counts.sum(into.records(), from.records()),
            Counts.sum(into.admitted(), from.admitted()))
        .withMaxFpr(Math.min(into.maxFpr(), from.maxFpr()))
        .withKeyForm(into.keyForm().isEmpty() ? from.keyForm() : into.keyForm())
        .with(into.clock().join(from.clock()))
        .with(texts);
  }
}
