package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.filter.Refresh;

/** The three forms of the lines of a filter, and how a line changes from one to another. */
final class Forms {
  final FillingLines filling;
  final FullLines full;
  final SortedLines sorted; // null if lines are never sorted
  private final Target target;
  private final Lanes inOrder;
  private final int sortedLevel;

  /**
   * Creates the forms.
   *
   * @param form what the lines look like
   * @param refresh what a duplicate does to its key
   * @param target what the lines learn
   */
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

  /** Returns whether a header is that of a sorted line. */
  boolean isSorted(long header) {
    return Lines.level(header) == sortedLevel;
  }

  /** Returns the form that a header tells. */
  Lines of(long header) {
    return Lines.isFull(header) ? full : isSorted(header) ? sorted : filling;
  }

  /** Returns the level of a line; full lines have the last shape of filling ones. */
  int level(long header) {
    return Lines.isFull(header) ? sortedLevel - 1 : Lines.level(header);
  }

  /**
   * Refuses a line that is read and that the filter could never have written.
   *
   * @throws IllegalArgumentException that tells what is wrong
   */
  void check(long[] line, int at) {
    long header = line[at + Lines.HEADER_WORD];
    Lines form = of(header);
    if (form == null) {
      throw new IllegalArgumentException("it is a sorted line, which this filter never has");
    }
    form.check(line, at, header);
    if (sorted != null && form != sorted) {
      sorted.checkKeys(form.keys(line, at));
    }
  }

  /**
   * Takes in a new key. A full line that is to be sorted, and a sorted one that is not to stay so,
   * changes its form before.
   *
   * @param keeping whether a line that has no room is to keep what it has
   */
  void add(long[] line, int at, long fingerprint, boolean keeping) {
    long header = line[at + Lines.HEADER_WORD];
    if (Lines.isFull(header)) {
      if (keeping || target.sorts(at)) {
        sorted.sort(line, at, inOrder, FullLines.repeated(header));
      }
    } else if (isSorted(header) && !keeping && !target.staysSorted()) {
      sorted.putInOrder(line, at, inOrder, filling);
    }
    header = line[at + Lines.HEADER_WORD];
    if (keeping && isSorted(header)) {
      sorted.keep(line, at, header, fingerprint);
    } else {
      of(header).add(line, at, header, fingerprint);
    }
  }
}
