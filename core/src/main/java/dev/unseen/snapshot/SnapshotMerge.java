package dev.unseen.snapshot;

import dev.unseen.clock.ClockState;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.FilterMerge;
import dev.unseen.state.Counts;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Merges two states of equal filters. */
final class SnapshotMerge {
  private SnapshotMerge() {}

  /**
   * Merges the second state into the filter of the first. If the clock of arrivals of a state was
   * ahead of the present, its times are set back: otherwise all keys of the other would expire.
   */
  static Snapshot merge(Snapshot into, Snapshot from) {
    requireSameKeys(into, from);
    long now = System.currentTimeMillis();
    ClockState intoClock = notAhead(into, now);
    ClockState fromClock = notAhead(from, now);
    FilterMerge.requireAlike(into.filter(), from.filter());
    List<Snapshot> predecessors = predecessors(into, from);
    FilterMerge.mergeInto(into.filter(), from.filter());
    return joined(into, from, intoClock.join(fromClock), predecessors);
  }

  /** Makes the second state a predecessor of the first: see {@link Snapshot#mergeDifferent}. */
  static Snapshot adopt(Snapshot into, Snapshot from) {
    requireSameKeys(into, from);
    if (!into.spec().hashesLike(from.spec())) {
      throw new IllegalArgumentException(
          "the states have different secrets or seeds; only states with the same ones can be"
              + " merged");
    }
    if (into.spec().window().isTime()
        && from.spec().window().isTime()
        && into.clock().basis() != from.clock().basis()) {
      throw new IllegalArgumentException(
          "one state uses times of arrival, and the other the records' own times; only states with"
              + " the same times can be merged");
    }
    long now = System.currentTimeMillis();
    ClockState clock = notAhead(into, now).join(notAhead(from, now));
    List<Snapshot> predecessors = new ArrayList<>();
    predecessors.add(from.asPredecessor(now).plusCountsOf(into));
    predecessors.addAll(predecessors(into, from));
    into.plusCountsOf(from); // of its shards
    if (clock.latest() != ClockState.NEVER) {
      into.filter().advanceTo(clock.latest());
    }
    return joined(into, from, clock, predecessors);
  }

  private static void requireSameKeys(Snapshot into, Snapshot from) {
    into.requireStorage();
    from.requireStorage();
    if (!into.keyForm().isEmpty()
        && !from.keyForm().isEmpty()
        && !into.keyForm().equals(from.keyForm())) {
      throw new IllegalArgumentException(
          "the states have different keys (%s, and %s); only states with the same keys can be merged"
              .formatted(Print.plain(into.keyForm()), Print.plain(from.keyForm())));
    }
  }

  private static Snapshot joined(
      Snapshot into, Snapshot from, ClockState clock, List<Snapshot> predecessors) {
    Map<String, String> texts = new TreeMap<>(from.metadata());
    texts.putAll(into.metadata());
    return Snapshot.of(
            into.filter(),
            Counts.sum(into.records(), from.records()),
            Counts.sum(into.admitted(), from.admitted()))
        .withMaxFpr(Math.min(into.maxFpr(), from.maxFpr()))
        .withKeyForm(into.keyForm().isEmpty() ? from.keyForm() : into.keyForm())
        .with(clock)
        .with(texts)
        .withDropped(Counts.sum(into.dropped(), from.dropped()))
        .withPredecessors(predecessors);
  }

  /**
   * Merges the predecessors of two states: two of equal specs become one. The counts at which the
   * others were replaced grow, so that they end as late as they would have.
   */
  static List<Snapshot> predecessors(Snapshot into, Snapshot from) {
    List<Snapshot> merged = new ArrayList<>();
    List<Snapshot> others = new ArrayList<>(from.predecessors());
    for (Snapshot one : into.predecessors()) {
      Optional<Snapshot> like =
          others.stream()
              .filter(other -> other.spec().equals(one.spec()) && other.shards() == one.shards())
              .findFirst();
      like.ifPresent(others::remove);
      merged.add(like.map(other -> both(one, other)).orElseGet(() -> one.plusCountsOf(from)));
    }
    others.forEach(other -> merged.add(other.plusCountsOf(into)));
    return merged;
  }

  private static Snapshot both(Snapshot one, Snapshot other) {
    return merge(one, other).withSavedAt(Math.min(one.savedAtMillis(), other.savedAtMillis()));
  }

  /** Sets a filter back whose clock of arrivals is ahead of this time. Returns its clock. */
  private static ClockState notAhead(Snapshot state, long now) {
    ClockState clock = state.clock();
    if (clock.basis() != ClockState.Basis.ARRIVAL
        || clock.latest() <= now + DuplicateFilter.CLOCK_TOLERANCE) {
      return clock;
    }
    ClockState.warnAhead("a state to merge", clock.latest(), now);
    state.filter().setBack(now);
    return new ClockState(clock.basis(), now, clock.rejected());
  }
}
