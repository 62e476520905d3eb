package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts CSV and TSV (RFC 4180) and takes the key columns, byte by byte. A record ends with a
 * newline, a carriage return, or both; within quotes these are data. A quote that is not the first
 * byte of a column is data too. Empty lines are no records.
 *
 * <p>The state is kept between calls, all places in it relative to the start of the record, so that
 * each byte is looked at once.
 */
final class CsvCutter implements RecordCutter {
  /** Where in a record the next byte is. */
  private enum State {
    COLUMN_START,
    PLAIN,
    QUOTED,
    QUOTE_IN_QUOTED, // the end of the column, or the first of two quotes
    BROKEN // up to the end of the line
  }

  private static final String UNCLOSED = "the quote that opens here is never closed; close it";
  private static final String BEHIND_QUOTE =
      "the CSV does not parse: text stands behind a closing quote; a quote within quotes must be doubled";

  private final Columns columns;
  private final String file;
  private final Normal normal;
  private final boolean[] endsPlain = new boolean[256];
  private final byte separator;

  private boolean started;
  private List<String> header; // while it is read
  private KeyParts parts;
  private int[] partOfPlace; // plus one; empty: every column is a part
  private List<Integer> places;

  private State state = State.COLUMN_START;
  private int scanned; // bytes of the record looked at
  private int place; // of the column
  private int columnStart;
  private boolean doubled; // whether the column has doubled quotes
  private int broken; // where
  private int lineStart; // of the line that the last byte is in
  private long line = 1; // of the start of the record
  private long newlines; // within the record

  CsvCutter(char separator, CutSpec spec, String file) {
    this.separator = (byte) separator;
    this.file = file;
    this.normal = spec.normal();
    columns = new Columns(spec.key());
    endsPlain['\n'] = true;
    endsPlain['\r'] = true;
    endsPlain[separator] = true;
    if (columns.haveHeader()) {
      header = new ArrayList<>();
    } else {
      collect(columns.places());
    }
  }

  private void collect(List<Integer> wanted) {
    places = wanted;
    parts = new KeyParts(wanted.size(), normal);
    partOfPlace = new int[wanted.stream().mapToInt(place -> place + 1).max().orElse(0)];
    for (int part = 0; part < wanted.size(); part++) {
      partOfPlace[wanted.get(part)] = part + 1;
    }
    parts.clear();
  }

  @Override
  public int cut(byte[] bytes, int from, int to, boolean last, RecordSink sink)
      throws InputException {
    int start = from;
    if (!started) {
      if (to - from < 3 && !last) {
        if (!ByteOrderMark.mayBegin(bytes, from, to)) {
          started = true;
        } else {
          return from;
        }
      } else {
        started = true;
        start += ByteOrderMark.length(bytes, from, to, file);
        if (start > from) {
          sink.mark(start);
        }
      }
    }
    int at = start + scanned;
    while (at < to) {
      byte b = bytes[at];
      switch (state) {
        case COLUMN_START -> {
          columnStart = at - start;
          doubled = false;
          if (b == '"') {
            state = State.QUOTED;
            at++;
          } else {
            state = State.PLAIN;
          }
        }
        case PLAIN -> {
          while (at < to && !endsPlain[bytes[at] & 0xFF]) {
            at++;
          }
          if (at < to) {
            if (bytes[at] == separator) {
              column(bytes, start + columnStart, at);
              state = State.COLUMN_START;
              at++;
            } else {
              int next = behindLineEnd(bytes, at, to, last);
              if (next < 0) {
                return incomplete(start, at);
              }
              if (at > start) {
                column(bytes, start + columnStart, at);
              }
              start = end(start, at, next, sink);
              at = next;
            }
          }
        }
        case QUOTED -> {
          while (at < to && bytes[at] != '"') {
            if (bytes[at] == '\n') {
              newlines++;
              lineStart = at + 1 - start;
            }
            at++;
          }
          if (at < to) {
            state = State.QUOTE_IN_QUOTED;
            at++;
          }
        }
        case QUOTE_IN_QUOTED -> {
          if (b == '"') {
            doubled = true;
            state = State.QUOTED;
            at++;
          } else if (b == separator) {
            quotedColumn(bytes, start + columnStart + 1, at - 1);
            state = State.COLUMN_START;
            at++;
          } else if (b == '\n' || b == '\r') {
            int next = behindLineEnd(bytes, at, to, last);
            if (next < 0) {
              return incomplete(start, at);
            }
            quotedColumn(bytes, start + columnStart + 1, at - 1);
            start = end(start, at, next, sink);
            at = next;
          } else {
            broken = at - start;
            state = State.BROKEN;
          }
        }
        case BROKEN -> {
          while (at < to && bytes[at] != '\n' && bytes[at] != '\r') {
            at++;
          }
          if (at < to) {
            int next = behindLineEnd(bytes, at, to, last);
            if (next < 0) {
              return incomplete(start, at);
            }
            bad(next, broken, BEHIND_QUOTE, sink);
            start = next;
            at = next;
          }
        }
      }
    }
    if (last && start < to) {
      finish(bytes, start, to, sink);
      start = to;
    }
    return incomplete(start, to);
  }

  private int incomplete(int start, int at) {
    scanned = at - start;
    return start;
  }

  /** The file ends within a record, or without a line end behind it. */
  private void finish(byte[] bytes, int start, int to, RecordSink sink) throws InputException {
    switch (state) {
      case PLAIN -> column(bytes, start + columnStart, to);
      case COLUMN_START -> column(bytes, to, to); // it ends with a separator
      case QUOTE_IN_QUOTED -> quotedColumn(bytes, start + columnStart + 1, to - 1);
      case QUOTED -> {
        bad(to, columnStart, UNCLOSED, sink);
        return;
      }
      case BROKEN -> {
        bad(to, broken, BEHIND_QUOTE, sink);
        return;
      }
    }
    end(start, to, to, sink);
  }

  /** Where the next record starts; -1 if the byte that decides it is not here yet. */
  private static int behindLineEnd(byte[] bytes, int at, int to, boolean last) {
    if (bytes[at] == '\n') {
      return at + 1;
    }
    if (at + 1 == to) {
      return last ? to : -1;
    }
    return bytes[at + 1] == '\n' ? at + 2 : at + 1;
  }

  private void quotedColumn(byte[] bytes, int from, int to) {
    if (!doubled) {
      column(bytes, from, to);
      return;
    }
    int part = part();
    if (header != null) {
      header.add(new String(bytes, from, to - from, UTF_8).replace("\"\"", "\""));
    } else if (part >= 0) {
      parts.setUnquoted(part, bytes, from, to);
    }
    place++;
  }

  private void column(byte[] bytes, int from, int to) {
    int part = part();
    if (header != null) {
      header.add(new String(bytes, from, to - from, UTF_8));
    } else if (part >= 0) {
      parts.setBytes(part, bytes, from, to);
    }
    place++;
  }

  /** Which part of the key the column is; -1 if it is none. */
  private int part() {
    if (partOfPlace == null) {
      return -1; // the header, which tells
    }
    if (partOfPlace.length == 0) {
      return place;
    }
    return place < partOfPlace.length ? partOfPlace[place] - 1 : -1;
  }

  /** A record ends; {@code next} is behind its line end. */
  private int end(int start, int end, int next, RecordSink sink) throws InputException {
    if (end == start) {
      sink.blank(next);
    } else if (header != null) {
      List<String> names = header;
      header = null;
      collect(columns.places(names, file));
      sink.header(next, names);
    } else {
      int missing = parts.missing();
      if (missing >= 0) {
        bad(
            next,
            end - start,
            "the record ends before column %d, which the key needs; add the column or leave the record out"
                .formatted(places.get(missing) + 1),
            sink);
        return next;
      }
      parts.finish(places.isEmpty() ? place : places.size());
      parts.tell(next, sink);
    }
    reset();
    return next;
  }

  private void bad(int next, int where, String reason, RecordSink sink) throws InputException {
    long atLine = line + (where >= lineStart ? newlines : 0);
    long column = where - (where >= lineStart ? lineStart : 0) + 1L;
    if (header != null) {
      throw new InputException(
          "%s, line %d, column %d: %s".formatted(file, atLine, column, reason));
    }
    reset();
    sink.bad(next, atLine, column, reason);
  }

  private void reset() {
    line += newlines + 1;
    newlines = 0;
    lineStart = 0;
    place = 0;
    scanned = 0;
    state = State.COLUMN_START;
    if (parts != null) {
      parts.clear();
    }
  }

  @Override
  public long line() {
    return line;
  }
}
