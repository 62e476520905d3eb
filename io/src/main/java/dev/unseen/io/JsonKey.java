package dev.unseen.io;

import org.jspecify.annotations.Nullable;

/**
 * Finds the key and the time of one JSON value that arrives alone, such as the value of a message.
 * The bytes of the key are those that {@link KeyReader} describes, so a file of JSON Lines and a
 * topic of the same values have the same keys.
 *
 * <pre>{@code
 * JsonKey key = new JsonKey(RecordSpec.of(KeySpec.of("order.id")).withTime("at"));
 * if (key.find(value)) {
 *   hash.hash(key.buffer(), key.offset(), key.length()); // seen at key.time()
 * } else {
 *   reject(value, key.trouble());
 * }
 * }</pre>
 *
 * <p>Only one thread may use it at a time.
 */
public final class JsonKey {
  private final JsonRecords records;
  private final Found found = new Found();

  /**
   * Takes what of a value is its key and its time.
   *
   * @throws IllegalArgumentException if a field is not a path of JSON
   */
  public JsonKey(RecordSpec spec) {
    RecordFormat.JSONL.check(spec);
    records = new JsonRecords(spec, false);
  }

  /**
   * Looks for the key of a value. The value is not copied, so it must not change until the key has
   * been used.
   *
   * @return false if there is none, because the value is not JSON, or lacks a field: see {@link
   *     #trouble}
   */
  public boolean find(byte[] value) {
    found.trouble = null;
    try {
      records.report(value, 0, 0, value.length, value.length, 1, found);
    } catch (InputException e) {
      throw new IllegalStateException(e); // only a sink ends a run, and this one does not
    }
    return found.trouble == null;
  }

  /** Returns an array that contains the bytes of the key from {@link #offset} on. */
  public byte[] buffer() {
    return found.key;
  }

  /** Returns the index of the key's first byte in {@link #buffer}. */
  public int offset() {
    return found.from;
  }

  /** Returns the number of bytes of the key. */
  public int length() {
    return found.to - found.from;
  }

  /** Returns the time in milliseconds since 1970; 0 if the spec names no time. */
  public long time() {
    return found.time;
  }

  /** Returns why there is no key, with the place; null if there is one. */
  public @Nullable String trouble() {
    return found.trouble;
  }

  /** Keeps what is reported about one record. */
  private static final class Found implements RecordSink {
    private byte[] key = {};
    private int from;
    private int to;
    private long time;
    private @Nullable String trouble; // null: none

    @Override
    public void record(int end, byte[] bytes, int start, int keyEnd, long millis) {
      key = bytes;
      from = start;
      to = keyEnd;
      time = millis;
    }

    @Override
    public void bad(int end, long line, long column, String reason) {
      trouble = "line %d, column %d: %s".formatted(line, column, reason);
    }

    @Override
    public void between(int end) {}

    @Override
    public void more(int end) {}
  }
}
