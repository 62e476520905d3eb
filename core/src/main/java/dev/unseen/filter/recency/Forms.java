package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.Refresh;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The three forms of the lines of a filter, and how a line changes from one to another. */
final class Forms {
  final FillingLines filling;
  final FullLines full;
  final @Nullable SortedLines sorted; // null if lines are never sorted
  private final Target target;
  private final Lanes inOrder;
  private final int sortedLevel;

  Forms(LineForm form, Refresh refresh, Target target) {
    long[] copy = new long[Lanes.WORDS];
    this.target = target;
    this.inOrder = form.narrowest();
    this.sortedLevel = form.shapes().length;
    this.filling = new FillingLines(form.shapes(), refresh, copy);
    this.full = new FullLines(inOrder, target, refresh);
    this.sorted =
        form.sorted() == null ? null : new SortedLines(form.sorted(), sortedLevel, target, copy);
  }

  boolean isSorted(long header) {
    return Lines.level(header) == sortedLevel;
  }

  Lines of(long header) {
    return Lines.isFull(header) ? full : isSorted(header) ? sorted() : filling;
  }

  SortedLines sorted() {
    return Objects.requireNonNull(sorted);
  }

  /** Returns the level of a line. Full lines have the last shape of filling lines. */
  int level(long header) {
    return Lines.isFull(header) ? sortedLevel - 1 : Lines.level(header);
  }

  /** Rejects a line that the filter could never have written. */
  void check(long[] line, int at) {
    long header = line[at + Lines.HEADER_WORD];
    if (sorted == null && !Lines.isFull(header) && isSorted(header)) {
      throw new IllegalArgumentException("it is a sorted line, which this filter never has");
    }
    Lines form = of(header);
    form.check(line, at, header);
    if (sorted != null && form != sorted) {
      sorted.checkKeys(form.keys(line, at));
    }
  }

  /** Adds a new key, after a full line was sorted or a sorted one put in order, if it should be. */
  void add(long[] line, int at, long fingerprint) {
    add(line, at, fingerprint, target.sorts(at), !target.staysSorted(at));
  }

  /** Adds a new key, after a full line was sorted or a sorted one put in order, if it is to be. */
  void add(long[] line, int at, long fingerprint, boolean sorts, boolean orders) {
    long header = line[at + Lines.HEADER_WORD];
    if (Lines.isFull(header)) {
      if (sorts) {
        sorted().sort(line, at, inOrder, FullLines.repeated(header));
      }
    } else if (orders && isSorted(header)) {
      sorted().putInOrder(line, at, inOrder, filling);
    }
    header = line[at + Lines.HEADER_WORD];
    of(header).add(line, at, header, fingerprint);
  }

  /** Adds a new key to a line that keeps its keys. A full line is sorted first. */
  void keep(long[] line, int at, long fingerprint) {
    long header = line[at + Lines.HEADER_WORD];
    if (Lines.isFull(header)) {
      sorted().sort(line, at, inOrder, FullLines.repeated(header));
      header = line[at + Lines.HEADER_WORD];
    }
    if (isSorted(header)) {
      sorted().keep(line, at, header, fingerprint);
    } else {
      filling.add(line, at, header, fingerprint);
    }
  }
}
