package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** What a cutter says of some bytes, piece by piece, as text with a char for each byte. */
final class Cutting implements RecordSink {
  /** A piece: what it is, its bytes, and its key or what was said of it. */
  record Piece(String what, String text, String said) {}

  final List<Piece> pieces = new ArrayList<>();
  private byte[] bytes;
  private int start;
  private int nullKeys;

  private Cutting() {}

  /**
   * All pieces, with the bytes arriving in pieces of random size; a failure is the last of them.
   */
  static List<Piece> pieces(RecordCutter cutter, byte[] input, long arrival) {
    Cutting cutting = new Cutting();
    Random random = new Random(arrival);
    byte[] rest = {};
    int arrived = 0;
    try {
      while (true) {
        boolean last = arrived == input.length;
        int more = last ? 0 : 1 + random.nextInt(Math.min(20, input.length - arrived));
        int front = random.nextInt(4); // records need not begin where the array does
        byte[] buffer = new byte[front + rest.length + more + random.nextInt(4)];
        Arrays.fill(buffer, (byte) '\n'); // what is beyond must not be looked at
        System.arraycopy(rest, 0, buffer, front, rest.length);
        System.arraycopy(input, arrived, buffer, front + rest.length, more);
        arrived += more;
        int to = front + rest.length + more;
        cutting.bytes = buffer;
        cutting.start = front;
        int next = cutter.cut(buffer, front, to, last, cutting);
        if (next != cutting.start) {
          throw new AssertionError("says %d, but reported up to %d".formatted(next, cutting.start));
        }
        rest = Arrays.copyOfRange(buffer, next, to);
        if (last) {
          if (rest.length > 0) {
            throw new AssertionError("left over: " + rest.length);
          }
          return cutting.pieces;
        }
      }
    } catch (InputException e) {
      cutting.pieces.add(new Piece("failure", "", e.getMessage()));
      return cutting.pieces;
    }
  }

  /** All pieces, with all bytes there from the start. */
  static List<Piece> atOnce(RecordCutter cutter, byte[] input) throws InputException {
    Cutting cutting = new Cutting();
    cutting.bytes = input;
    int next = cutter.cut(input, 0, input.length, true, cutting);
    if (next != input.length || cutting.start != input.length) {
      throw new AssertionError("says %d, reported up to %d".formatted(next, cutting.start));
    }
    return cutting.pieces;
  }

  /** Returns how many records have a null key. */
  static int nullKeys(RecordCutter cutter, byte[] input) throws InputException {
    Cutting cutting = new Cutting();
    cutting.bytes = input;
    int unused = cutter.cut(input, 0, input.length, true, cutting);
    return cutting.nullKeys;
  }

  /** The keys of the records only. */
  static List<String> keys(RecordCutter cutter, byte[] input, long arrival) {
    return pieces(cutter, input, arrival).stream()
        .filter(piece -> piece.what().equals("record"))
        .map(Piece::said)
        .toList();
  }

  /** All bytes that were cut. */
  static String text(List<Piece> pieces) {
    return pieces.stream().map(Piece::text).collect(Collectors.joining());
  }

  private void add(String what, int end, String said) {
    pieces.add(new Piece(what, new String(bytes, start, end - start, ISO_8859_1), said));
    start = end;
  }

  @Override
  public void record(int end, byte[] key, int from, int to, long time) {
    add(
        "record",
        end,
        new String(key, from, to - from, ISO_8859_1) + (time == 0 ? "" : "@" + time));
  }

  @Override
  public void nullKey() {
    nullKeys++;
  }

  @Override
  public void header(int end, List<String> columns) {
    add("header", end, String.join("|", columns));
  }

  @Override
  public void mark(int end) {
    add("mark", end, "");
  }

  @Override
  public void blank(int end) {
    add("blank", end, "");
  }

  @Override
  public void between(int end) {
    add("between", end, "");
  }

  @Override
  public void more(int end) {
    add("more", end, "");
  }

  @Override
  public void bad(int end, long line, long column, String reason) {
    add("bad", end, "%d:%d %s".formatted(line, column, reason));
  }
}
