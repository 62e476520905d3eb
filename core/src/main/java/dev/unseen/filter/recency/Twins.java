package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.Words;

/**
 * The lines that try the other way of forgetting. A watched line has a twin, which receives the
 * same records. While lines do not keep their keys, their twins do, and the other way round. Both
 * ways are compared on the same records, and the worse way never affects an answer.
 *
 * <p>Twins lie behind the other lines. One line in 256 is watched, and 64 in all at most, so twins
 * take little of a small filter, and next to nothing of a large one.
 */
final class Twins {
  private static final int LINES_PER_TWIN = 256;
  private static final int MOST = 64;

  /** If there are fewer lines than this, none is watched. */
  private static final int FEW_LINES = 32;

  private final Words words;
  private final long first; // the first word of the first twin
  private final int watchShift; // shifts the first word of a line to the number of its twin
  private final Forms forms;

  /**
   * Creates the twins of a filter.
   *
   * @param words the storage
   * @param lines the number of lines before the twins
   * @param forms the forms of all lines
   */
  Twins(Words words, long lines, Forms forms) {
    this.words = words;
    this.first = lines * Lanes.WORDS;
    this.watchShift = Long.numberOfTrailingZeros(distance(words.length() / Lanes.WORDS));
    this.forms = forms;
  }

  /** Returns the number of words from one watched line to the next, a power of two. */
  private static long distance(long allLines) {
    long lines = Math.max(LINES_PER_TWIN, (allLines - 1) / MOST + 1);
    return Lanes.WORDS * Long.highestOneBit(2 * lines - 1);
  }

  /** Returns the number of twins among all lines. */
  static long count(long allLines) {
    long linesAndTwin = distance(allLines) / Lanes.WORDS + 1;
    return allLines < FEW_LINES ? 0 : (allLines - 1) / linesAndTwin + 1;
  }

  /** Returns the bits of the first word of a line that are 0 if it is watched. */
  static long mask(long allLines) {
    return distance(allLines) - 1;
  }

  /**
   * Adds a record to the twin of a watched line. Returns whether it is new there.
   *
   * @param lineFirst the first word of the watched line
   * @param keeping whether the twin keeps its keys
   */
  boolean take(long lineFirst, long fingerprint, boolean keeping) {
    long twin = first + (lineFirst >>> watchShift) * Lanes.WORDS;
    long[] line = words.chunk(twin);
    int at = Words.inChunk(twin);
    long header = line[at + Lines.HEADER_WORD];
    Lines form = forms.of(header);
    int lane = form.find(line, at, header, fingerprint);
    if (lane >= 0) {
      form.repeat(line, at, header, lane, fingerprint);
      return false;
    }
    forms.add(line, at, fingerprint, keeping);
    return true;
  }

  /** Clears all twins: after a change they have to show again which way is better. */
  void clear() {
    for (long i = first; i < words.length(); i++) {
      words.set(i, 0);
    }
  }
}
