package dev.unseen.filter.recency;

import dev.unseen.bits.Lanes;
import dev.unseen.state.StorageCheck;

/**
 * Checks the lines of a state as they are read. The filter checks each line, because it knows what
 * its lines can be, and the lanes in use are counted again. A line that is not used must be empty.
 */
final class LineCheck implements StorageCheck {
  private final LineFilter filter;
  private final long[] found; // lanes in use, by level

  LineCheck(LineFilter filter) {
    this.filter = filter;
    this.found = new long[filter.form.levels()];
  }

  @Override
  public void take(long index, long[] words, int from, int count) {
    for (int i = 0; i < count; i += Lanes.WORDS) { // no line lies in two blocks
      long number = (index + i) / Lanes.WORDS;
      try {
        filter.checkLine(words, from + i);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("line %d: %s".formatted(number, e.getMessage()), e);
      }
      long header = words[from + i + LineFilter.HEADER_WORD];
      int used = filter.lanesUsed(header);
      StorageCheck.requireBetween(
          "lanes in use", used, 0, number < filter.lines ? LineForm.MAX_LANES : 0);
      found[filter.level(header)] += used;
    }
  }

  @Override
  public void end() {
    for (int level = 0; level < found.length; level++) {
      String name = "lanes in use of level " + level;
      StorageCheck.requireCount(name, filter.lanesUsedAt(level), found[level]);
    }
    filter.checkNumbers();
  }
}
