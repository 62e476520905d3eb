package dev.unseen.io;

/**
 * Says how a record is to be changed so that it tells whether it is {@code new} or a {@code
 * duplicate}: what stands between two places in it gives way to a text.
 */
public abstract class RecordTagger {
  private static final byte[] NOTHING = {};

  private int from;
  private int to;
  private byte[] text = NOTHING;

  RecordTagger() {}

  /** Works out the change of a record. */
  public abstract void tag(byte[] bytes, int start, int end, boolean fresh);

  /** Works out the change of a header; there is none unless a format says so. */
  public void tagHeader(byte[] bytes, int start, int end) {
    insert(start, start, NOTHING);
  }

  /** The word for a record. */
  static String word(boolean fresh) {
    return fresh ? "new" : "duplicate";
  }

  final void insert(int start, int end, byte[] inserted) {
    from = start;
    to = end;
    text = inserted;
  }

  /** Where the change begins. */
  public final int from() {
    return from;
  }

  /** Where the record goes on behind the change. */
  public final int to() {
    return to;
  }

  /** What stands between the two. */
  public final byte[] text() {
    return text;
  }
}
