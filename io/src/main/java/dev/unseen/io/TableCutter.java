package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Cuts lines of columns and takes the columns of the key, byte by byte.
 *
 * <p>With quotes (RFC 4180) a record ends with a newline, a carriage return, or both; within quotes
 * these are data. A quote that is not the first byte of a column is data too. Without quotes only
 * the line end ends a record, and a carriage return before it belongs to it. Empty lines are no
 * records.
 *
 * <p>If a quote is never closed, or if text follows where it closes, only the line in which it
 * opens is bad, and the next line begins a record.
 *
 * <p>The state is kept between calls, all places in it relative to the start of the record, so that
 * each byte is looked at once.
 */
final class TableCutter implements RecordCutter {
  /** Where in a record the next byte is. */
  private enum State {
    COLUMN_START,
    PLAIN,
    QUOTED,
    QUOTE_IN_QUOTED, // the end of the column, or the first of two quotes
    BROKEN // up to the end of the line
  }

  private static final String UNCLOSED = "the quote that opens here is never closed; close it";
  private static final String CLOSED_LATE =
      "the CSV does not parse: the quote that opens here closes in a later line, where text follows it; close it in its place, or double the quotes within it";
  private static final String TEXT_AFTER_QUOTE =
      "the CSV does not parse: text follows a closing quote; a quote within quotes must be doubled";
  private static final int NONE = 256; // no byte is

  private final RecordSpec spec;
  private final Columns columns;
  private final String file;
  private final boolean[] endsPlain = new boolean[256];
  private final byte[] separator;
  private final int onlySeparator; // if it has one byte; else NONE
  private final boolean blanks;
  private final int quote; // NONE: there are none
  private final int lineEnd;
  private final int otherLineEnd; // a carriage return, or NONE

  // Eight of each, for eight bytes at a time. What is none is the line end again.
  private final long lineEnds;
  private final long otherLineEnds;
  private final long quotes;

  private boolean started;
  private @Nullable List<String> header; // while it is read
  private KeyParts parts;
  private int[] partOfPlace; // plus one
  private boolean everyPlace; // is a part
  private Columns.Places places;
  private int wantedPlaces = Integer.MAX_VALUE; // from here on no column is wanted
  private int openFrom; // -1: no range is open
  private int timePlace; // -1: there is no time

  private State state = State.COLUMN_START;
  private int scanned; // bytes of the record looked at
  private int place; // of the column
  private int columnStart;
  private int lookedUpTo; // without finding the end of the line
  private int timeAt; // where the time is in the record
  private int keyAt; // where the last part of the key is in the record
  private boolean doubled; // whether the column has doubled quotes
  private int broken; // where
  private final OpenQuote open = new OpenQuote();
  private int lineStart; // of the line that the last byte is in
  private long line = 1; // of the start of the record
  private long newlines; // within the record

  /** The spec must say what the separator and the quote are. */
  @SuppressWarnings("NullAway.Init") // collect sets the rest, before the first record
  TableCutter(RecordSpec spec, String file) {
    this.spec = spec;
    this.file = file;
    columns = new Columns(spec.key(), spec.time());
    blanks = spec.columns().blanks();
    separator = spec.columns().separator().getBytes(UTF_8);
    onlySeparator = separator.length == 1 ? separator[0] : NONE;
    quote = spec.columns().quote() < 0 ? NONE : spec.columns().quote();
    lineEnd = spec.lineEnd();
    otherLineEnd = quote == NONE ? NONE : '\r';
    lineEnds = lineEnd * EightBytes.ONES;
    otherLineEnds = otherLineEnd == NONE ? lineEnds : otherLineEnd * EightBytes.ONES;
    quotes = quote == NONE ? lineEnds : quote * EightBytes.ONES;
    endsPlain[lineEnd] = true;
    endsPlain['\r'] = otherLineEnd == '\r';
    if (blanks) {
      endsPlain[' '] = true;
      endsPlain['\t'] = true;
    } else {
      endsPlain[separator[0]] = true;
    }
    if (columns.haveHeader()) {
      header = new ArrayList<>();
    } else {
      collect(columns.places());
    }
  }

  private void collect(Columns.Places wanted) {
    places = wanted;
    openFrom = wanted.openFrom();
    timePlace = wanted.time();
    List<Integer> key = wanted.key();
    int least = key.size() + (openFrom >= 0 ? 1 : 0); // parts; an open range may have more
    parts = new KeyParts(least, openFrom >= 0 || least != 1, spec.normal());
    everyPlace = key.isEmpty() && openFrom < 0;
    partOfPlace = new int[key.stream().mapToInt(place -> place + 1).max().orElse(0)];
    for (int part = 0; part < key.size(); part++) {
      partOfPlace[key.get(part)] = part + 1;
    }
    wantedPlaces =
        everyPlace || openFrom >= 0
            ? Integer.MAX_VALUE
            : Math.max(partOfPlace.length, timePlace + 1);
    parts.clear();
  }

  @Override
  public int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink)
      throws InputException {
    int start = from;
    if (!started) {
      if (to - from < 3 && !last && ByteOrderMark.mayBegin(bytes, from, to)) {
        return from;
      }
      started = true;
      start += ByteOrderMark.length(bytes, from, to, file);
      if (start > from) {
        sink.mark(start);
      }
    }
    int at = start + scanned;
    while (at < to || (last && start < to)) {
      if (at == to) {
        start = finish(bytes, start, to, sink);
        at = start;
        continue;
      }
      byte b = bytes[at];
      switch (state) {
        case COLUMN_START -> {
          if (blanks && isBlank(b)) {
            at++;
          } else {
            columnStart = at - start;
            doubled = false;
            int end = place < wantedPlaces ? at : endOfPlainLine(bytes, start, at, to);
            if (end == at && b == quote) {
              state = State.QUOTED;
              open.opens(columnStart, lineStart, newlines);
              at++;
            } else {
              state = State.PLAIN;
              at = end;
            }
          }
        }
        case PLAIN -> {
          while (at < to && !endsPlain[bytes[at] & 0xFF]) {
            at++;
          }
          if (at < to) {
            byte ending = bytes[at];
            if (ending == onlySeparator) {
              column(bytes, start, start + columnStart, at);
              state = State.COLUMN_START;
              at++;
            } else if (isLineEnd(ending)) {
              int next = afterLineEnd(bytes, at, to, last);
              if (next < 0) {
                return incomplete(start, at);
              }
              start = endPlain(bytes, start, at, next, sink);
              at = next;
            } else {
              int after = afterSeparator(bytes, at, to, last);
              if (after < 0) {
                return incomplete(start, at);
              }
              if (after > at) {
                column(bytes, start, start + columnStart, at);
                state = State.COLUMN_START;
                at = after;
              } else {
                at++; // it only begins like a separator
              }
            }
          }
        }
        case QUOTED -> {
          while (at < to && bytes[at] != quote) {
            if (bytes[at] == '\n') {
              newlines++;
              lineStart = at + 1 - start;
              open.endsLine(lineStart);
            }
            at++;
          }
          if (at < to) {
            state = State.QUOTE_IN_QUOTED;
            at++;
          }
        }
        case QUOTE_IN_QUOTED -> {
          if (b == quote) {
            doubled = true;
            state = State.QUOTED;
            at++;
          } else if (isLineEnd(b)) {
            int next = afterLineEnd(bytes, at, to, last);
            if (next < 0) {
              return incomplete(start, at);
            }
            column(bytes, start, start + columnStart + 1, at - 1);
            start = end(start, at, next, sink);
            at = next;
          } else {
            int after = afterSeparator(bytes, at, to, last);
            if (after < 0) {
              return incomplete(start, at);
            }
            if (after > at) {
              column(bytes, start, start + columnStart + 1, at - 1);
              state = State.COLUMN_START;
              at = after;
            } else if (open.isFrom(columnStart)) {
              start = resume(start, CLOSED_LATE, sink);
              at = start;
            } else {
              broken = at - start;
              state = State.BROKEN;
            }
          }
        }
        case BROKEN -> {
          while (at < to && !isLineEnd(bytes[at])) {
            at++;
          }
          if (at < to) {
            int next = afterLineEnd(bytes, at, to, last);
            if (next < 0) {
              return incomplete(start, at);
            }
            bad(next, broken, TEXT_AFTER_QUOTE, sink);
            start = next;
            at = next;
          }
        }
      }
    }
    return incomplete(start, to);
  }

  /**
   * Returns the end of a line of which no column is wanted any more, if nothing up to there can be
   * quoted; else where it began to look. All these columns count as one.
   */
  private int endOfPlainLine(byte[] bytes, int start, int from, int to) {
    if (from - start < lookedUpTo) {
      return from;
    }
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long marked = EightBytes.equal(EightBytes.at(bytes, at), lineEnds, otherLineEnds, quotes);
      if (marked != 0) {
        at += EightBytes.first(marked);
        if (isLineEnd(bytes[at])) {
          return at;
        }
        break;
      }
    }
    lookedUpTo = at + 1 - start; // so that no byte is looked at for each column before it
    return from;
  }

  private boolean isLineEnd(byte b) {
    return b == lineEnd || b == otherLineEnd;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Returns the end of the separator at this place; the place if there is none; -1 if unknown. */
  private int afterSeparator(byte[] bytes, int at, int to, boolean last) {
    if (blanks) {
      return isBlank(bytes[at]) ? at + 1 : at;
    }
    for (int i = 0; i < separator.length; i++) {
      if (at + i == to) {
        return last ? at : -1;
      }
      if (bytes[at + i] != separator[i]) {
        return at;
      }
    }
    return at + separator.length;
  }

  /** Ends a line within a column without quotes. */
  private int endPlain(byte[] bytes, int start, int at, int next, RecordSink sink)
      throws InputException {
    int end = at;
    if (otherLineEnd == NONE && end > start && bytes[end - 1] == '\r') {
      end--;
    }
    int from = start + columnStart;
    if (blanks ? end > from : end > start) {
      column(bytes, start, from, Math.max(from, end));
    }
    return end(start, blanks && place == 0 ? start : end, next, sink);
  }

  private int incomplete(int start, int at) {
    scanned = at - start;
    return start;
  }

  /**
   * Ends the record in which the file ends, or which has no line end; returns where the next
   * begins.
   */
  private int finish(byte[] bytes, int start, int to, RecordSink sink) throws InputException {
    switch (state) {
      case PLAIN -> column(bytes, start, start + columnStart, to);
      case COLUMN_START -> {
        if (!blanks) {
          column(bytes, start, to, to); // it ends with a separator
        } else if (place == 0) {
          end(start, start, to, sink);
          return to;
        }
      }
      case QUOTE_IN_QUOTED -> column(bytes, start, start + columnStart + 1, to - 1);
      case QUOTED -> {
        if (open.isFrom(columnStart)) {
          return resume(start, UNCLOSED, sink);
        }
        bad(to, columnStart, UNCLOSED, sink);
        return to;
      }
      case BROKEN -> {
        bad(to, broken, TEXT_AFTER_QUOTE, sink);
        return to;
      }
    }
    end(start, to, to, sink);
    return to;
  }

  /** Ends a bad record with the line in which its open quote is; returns where the next begins. */
  private int resume(int start, String reason, RecordSink sink) throws InputException {
    int next = start + open.nextLine();
    bad(next, open.lines(), open.lines(), open.column(), reason, sink);
    return next;
  }

  @Override
  public int resume(int from, int maxBytes, RecordSink sink) throws InputException {
    if (open.nextLine() == 0) {
      return NO_PLACE;
    }
    return resume(
        from,
        String.format(
            Locale.ROOT,
            "the record is longer than %,d bytes, and the quote that opens here may be the reason; close it, or raise max-record",
            maxBytes),
        sink);
  }

  /** Returns where the next record starts; -1 if the byte that decides it has not been read. */
  private int afterLineEnd(byte[] bytes, int at, int to, boolean last) {
    if (bytes[at] == lineEnd) {
      return at + 1;
    }
    if (at + 1 == to) {
      return last ? to : -1;
    }
    return bytes[at + 1] == '\n' ? at + 2 : at + 1;
  }

  private void column(byte[] bytes, int start, int from, int to) {
    if (place < wantedPlaces) {
      wantedColumn(bytes, start, from, to);
    }
    place++;
  }

  private void wantedColumn(byte[] bytes, int start, int from, int to) {
    if (header != null) {
      String name = new String(bytes, from, to - from, UTF_8);
      String one = Character.toString(quote);
      header.add(doubled ? name.replace(one + one, one) : name);
      return;
    }
    int part = part();
    if (part >= 0) {
      keyAt = from - start;
      take(part, bytes, from, to);
    }
    if (place == timePlace) {
      timeAt = from - start;
      take(KeyParts.TIME, bytes, from, to);
    }
  }

  private void take(int part, byte[] bytes, int from, int to) {
    if (doubled) {
      parts.setUnquoted(part, bytes, from, to, (byte) quote);
    } else {
      parts.setBytes(part, bytes, from, to);
    }
  }

  /** Returns which part of the key the column is; -1 if it is none. */
  private int part() {
    if (place < partOfPlace.length) {
      return partOfPlace[place] - 1;
    }
    if (openFrom >= 0 && place >= openFrom) {
      return places.key().size() + place - openFrom;
    }
    return everyPlace ? place : -1;
  }

  /** Ends a record; {@code next} is after its line end. */
  private int end(int start, int end, int next, RecordSink sink) throws InputException {
    if (end == start) {
      sink.blank(next);
    } else if (header != null) {
      List<String> names = header;
      header = null;
      collect(columns.places(names, file));
      rejectTag(names);
      sink.header(next, names);
    } else {
      record(end - start, next, sink);
      return next;
    }
    reset();
    return next;
  }

  private void record(int length, int next, RecordSink sink) throws InputException {
    if (spec.missingIsNull()) {
      for (int part = parts.missing(); part >= 0; part = parts.missing()) {
        parts.setBytes(part, new byte[0], 0, 0);
      }
    }
    int missing = parts.missing();
    if (missing >= 0) {
      sink.nullKey();
      bad(next, length, missing("key needs", placeOf(missing)), sink);
      return;
    }
    long time = 0;
    if (timePlace >= 0) {
      if (!parts.hasTime()) {
        bad(next, length, missing("time needs", timePlace), sink);
        return;
      }
      try {
        time = parts.time();
      } catch (IllegalArgumentException e) {
        bad(next, timeAt, String.valueOf(e.getMessage()), sink);
        return;
      }
    }
    parts.finish(partCount());
    if (!spec.key().isWholeRecord() && parts.areEmpty(partCount())) {
      sink.nullKey();
      if (!spec.missingIsNull()) {
        bad(next, keyAt, emptyKeyInWords(), sink);
        return;
      }
    }
    parts.report(next, time, sink);
    reset();
  }

  private String emptyKeyInWords() {
    String what =
        partCount() == 1
            ? "column %d, which is the key, is empty".formatted(placeOf(0) + 1)
            : "all columns of the key are empty";
    return what + Format.NULL_KEY_REMEDY;
  }

  private int placeOf(int part) {
    return part < places.key().size() ? places.key().get(part) : places.openFrom();
  }

  private static String missing(String who, int place) {
    return "the record ends before column %d, which the %s; add the column or leave the record out"
        .formatted(place + 1, who);
  }

  private int partCount() {
    int known = places.key().size();
    int open = places.openFrom();
    if (open >= 0) {
      return known + Math.max(1, place - open);
    }
    return known == 0 ? place : known;
  }

  private void rejectTag(List<String> names) throws InputException {
    if (spec.tag() != null && names.contains(spec.tag())) {
      throw new InputException(
          "%s has a column '%s' already; choose another name for the tag"
              .formatted(file, spec.tag()));
    }
  }

  private void bad(int next, int where, String reason, RecordSink sink) throws InputException {
    boolean inLast = where >= lineStart;
    long column = where - (inLast ? lineStart : 0) + 1L;
    bad(next, newlines, inLast ? newlines : 0, column, reason, sink);
  }

  /**
   * Passes a bad record on.
   *
   * @param lines the number of its line ends but the last
   * @param before how many of them are before the place of the problem
   */
  private void bad(int next, long lines, long before, long column, String reason, RecordSink sink)
      throws InputException {
    long atLine = line + before;
    if (header != null) {
      throw new InputException(
          "%s, line %d, column %d: %s".formatted(file, atLine, column, reason));
    }
    newlines = lines;
    reset();
    sink.bad(next, atLine, column, reason);
  }

  private void reset() {
    line += newlines + 1;
    newlines = 0;
    lineStart = 0;
    place = 0;
    scanned = 0;
    open.clear();
    lookedUpTo = 0;
    state = State.COLUMN_START;
    if (parts != null) {
      parts.clear();
    }
  }

  @Override
  public boolean splitsAtLineEnds() {
    return true;
  }

  @Override
  public @Nullable RecordCutter fork() {
    if (!started || header != null) {
      return null;
    }
    TableCutter fork = new TableCutter(spec, file);
    fork.started = true;
    fork.header = null;
    fork.collect(places);
    return fork;
  }

  @Override
  public long line() {
    return line;
  }

  @Override
  public void leaveOut(long lines) {
    line += lines - newlines - 1; // which the next step counts
    reset();
  }
}
