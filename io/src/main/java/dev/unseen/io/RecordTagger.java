package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Computes how to mark a record as {@code new} or {@code duplicate}: a text replaces the bytes
 * between two places of the record.
 */
public abstract class RecordTagger {
  private static final byte[] NOTHING = {};

  private int from;
  private int to;
  private byte[] text = NOTHING;

  RecordTagger() {}

  /** Computes the change of a record. */
  public abstract void tag(byte[] bytes, int start, int end, boolean fresh);

  /** Computes the change of a header. By default there is none. */
  public void tagHeader(byte[] bytes, int start, int end) {
    insert(start, start, NOTHING);
  }

  /** Returns the words for a duplicate and a new record, with these texts around them. */
  static byte[][] words(String before, String after) {
    return new byte[][] {
      (before + "duplicate" + after).getBytes(UTF_8), (before + "new" + after).getBytes(UTF_8)
    };
  }

  final void insert(int start, int end, byte[] inserted) {
    from = start;
    to = end;
    text = inserted;
  }

  /** Returns the index where the change begins. */
  public final int from() {
    return from;
  }

  /** Returns the index where the record continues after the change. */
  public final int to() {
    return to;
  }

  /** Returns the text between the two. */
  public final byte[] text() {
    return text;
  }
}
