package dev.unseen.io;

/**
 * Remembers the last quote of a record that was still open at the end of its line. If the record
 * turns out to be bad, that quote is the likely mistake, and the next line begins a record.
 *
 * <p>All places are relative to the start of the record.
 */
final class OpenQuote {
  private int place; // of the last quote that opened a column
  private int lineStart; // of its line
  private long lines; // of the record before that line

  private int openPlace;
  private int openLineStart;
  private long openLines;
  private int nextLine; // 0: no quote was open at the end of its line

  /** Records a quote that opens a column. */
  void opens(int quotePlace, int startOfLine, long linesBefore) {
    place = quotePlace;
    lineStart = startOfLine;
    lines = linesBefore;
  }

  /** Records the end of a line while that quote is open. */
  void endsLine(int startOfNext) {
    if (nextLine <= place) {
      openPlace = place;
      openLineStart = lineStart;
      openLines = lines;
      nextLine = startOfNext;
    }
  }

  void clear() {
    nextLine = 0;
  }

  /** Returns where the line after the quote begins; 0 if there is no such quote. */
  int nextLine() {
    return nextLine;
  }

  /** Returns whether the quote is at or after this place. */
  boolean isFrom(int columnStart) {
    return nextLine > columnStart && openPlace >= columnStart;
  }

  /** Returns the number of lines of the record before that of the quote. */
  long lines() {
    return openLines;
  }

  /** Returns where in its line the quote is, in bytes from 1. */
  long column() {
    return openPlace - openLineStart + 1L;
  }
}
