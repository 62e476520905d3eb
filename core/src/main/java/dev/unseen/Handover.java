package dev.unseen;

import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.base.BatchingFilter;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.hash.Hash64;
import dev.unseen.snapshot.Snapshot;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The time after a change of options, in which a filter is still asked about keys together with the
 * filters that it has replaced.
 *
 * <pre>
 * for each hash:
 *   if a predecessor knows it:  it is a DUPLICATE; the filter remembers it, too, so that it stays
 *                               known when the predecessor ends
 *   else:                       the filter decides
 * </pre>
 *
 * <p>If duplicates do not prolong a window, the filter does not remember what a predecessor knows:
 * the predecessor knows the right time, and stays until the window has passed.
 */
final class Handover {
  /** Nothing was replaced. */
  static final Handover NONE = new Handover(List.of(), true);

  private final List<Predecessor> past;
  private final boolean copies;

  private Handover(List<Predecessor> past, boolean copies) {
    this.past = past;
    this.copies = copies;
  }

  /** Returns the handover to a filter of this spec. */
  static Handover of(List<Snapshot> predecessors, FilterSpec spec) {
    return of(
        predecessors.stream().map(state -> new Predecessor(state, spec)).toList(),
        spec.window().isNone() || spec.refresh() != Refresh.NEVER);
  }

  private static Handover of(List<Predecessor> past, boolean copies) {
    return past.isEmpty() ? NONE : new Handover(past, copies);
  }

  List<Predecessor> past() {
    return past;
  }

  List<Snapshot> states() {
    return past.stream().map(Predecessor::state).toList();
  }

  boolean copies() {
    return copies;
  }

  /** Returns whether a predecessor with the same hashes knows a hash. */
  boolean knows(long hash, long moment) {
    return knows(one -> one.hashesAlike() && one.knows(hash, moment), moment);
  }

  /** Returns whether a predecessor with other hashes knows a key, given its hash with each. */
  boolean knowsKey(ToLongFunction<Hash64> key, long moment) {
    return knows(
        one -> !one.hashesAlike() && one.knows(key.applyAsLong(one.keyHash()), moment), moment);
  }

  private boolean knows(Predicate<Predecessor> knows, long moment) {
    return moment != DuplicateFilter.UNKNOWN && past.stream().anyMatch(knows);
  }

  boolean rehashes() {
    return !past.stream().allMatch(Predecessor::hashesAlike);
  }

  List<Hash64> formerHashes() {
    return past.stream().filter(one -> !one.hashesAlike()).map(Predecessor::keyHash).toList();
  }

  /** Returns which hashes of a batch a predecessor knows, one bit per hash, from this record on. */
  long[] knowsAll(long[] hashes, long @Nullable [] times, int offset, int count, long first) {
    for (Predecessor one : past) {
      for (int i = 0; i < count && one.hashesAlike(); i++) {
        one.readAhead(hashes[offset + i]); // so that the waits for memory overlap
      }
    }
    long[] known = new long[(count + Long.SIZE - 1) / Long.SIZE];
    for (int i = 0; i < count; i++) {
      long moment = times == null ? first + i : BatchingFilter.timeOf(times, offset + i);
      known[i >>> 6] |= (knows(hashes[offset + i], moment) ? 1L : 0) << i;
    }
    return known;
  }

  /** Returns the handover without the predecessors that have ended. */
  Handover without(List<Predecessor> ended) {
    return ended.isEmpty()
        ? this
        : of(past.stream().filter(one -> !ended.contains(one)).toList(), copies);
  }

  void setBack(long millis) {
    past.forEach(one -> one.setBack(millis));
  }
}
