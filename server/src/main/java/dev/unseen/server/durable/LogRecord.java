package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.server.store.ServedFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of the journal. All numbers are little-endian.
 *
 * <pre>
 * a segment:  a {@link SegmentHeader}, then records
 * a record:   [length 4][CRC32C 4 of what follows][type 1][body]
 *
 * ADMITTED    [filter 8][milliseconds 8][hash 8]...
 * CREATED     [filter 8][expires 8][length of name 4][name][definition]
 * DELETED     [filter 8]
 * EXPIRES     [filter 8][expires 8]
 * EXCEPTION   [hash 8][forgotten by 8][set until 8]
 * CHECKPOINT  [segment 8]       the first segment that is needed; begins the list of SAVED
 * SAVED       [filter 8]...     filters that have files, which hold all from before that segment
 * NEXT        [segment 8]       the journal continues in this segment
 * KNOWN       [filter 8][milliseconds 8][hash 8]...    known to the filter before a change
 * </pre>
 *
 * <p>All but ADMITTED and KNOWN are written twice, so that damage in one place loses only the items
 * that were recorded there: a reader skips a damaged record, and all of them can be repeated
 * without harm.
 */
final class LogRecord {
  static final int HEADER_BYTES = 8;
  static final int MAX_BYTES = 8 << 10;

  /** The number of copies of each record except ADMITTED and KNOWN. */
  static final int COPIES = 2;

  static final byte ADMITTED = 1;
  static final byte CREATED = 2;
  static final byte DELETED = 3;
  static final byte EXPIRES = 4;
  static final byte EXCEPTION = 5;
  static final byte CHECKPOINT = 6;
  static final byte SAVED = 7;
  static final byte NEXT = 8;
  static final byte KNOWN = 9;
  static final byte LAST_TYPE = KNOWN;

  /** The largest number of hashes in a record: no more are lost if a bit of it is damaged. */
  static final int MAX_HASHES = 512;

  private static final int USUAL_BYTES = MAX_BYTES + HEADER_BYTES;
  private static final int MAX_HEAD_BYTES = 64; // of a record with hashes, before the first

  private ByteBuffer bytes = allocate(USUAL_BYTES);
  private final CRC32C crc = new CRC32C();

  private static ByteBuffer allocate(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer begin(byte type, int room) {
    if (bytes.capacity() < room) {
      bytes = allocate(room);
    }
    return bytes.clear().position(HEADER_BYTES).put(type);
  }

  /** Completes the record, and returns its bytes, which are valid until the next record. */
  ByteBuffer end() {
    int length = bytes.position() - HEADER_BYTES;
    bytes.flip();
    crc.reset();
    crc.update(bytes.slice(HEADER_BYTES, length));
    return bytes.putInt(0, length).putInt(Integer.BYTES, (int) crc.getValue());
  }

  /** Begins a record of type ADMITTED or KNOWN, of at most {@link #MAX_HASHES} hashes. */
  void items(byte type, long filter, long millis) {
    begin(type, USUAL_BYTES).putLong(filter).putLong(millis);
  }

  void hash(long hash) {
    bytes.putLong(hash);
  }

  void created(ServedFilter filter) {
    byte[] name = filter.name().getBytes(ISO_8859_1);
    byte[] definition = filter.definition().text().getBytes(UTF_8);
    begin(CREATED, MAX_HEAD_BYTES + name.length + definition.length)
        .putLong(filter.id())
        .putLong(filter.expiresAt())
        .putInt(name.length)
        .put(name)
        .put(definition);
  }

  void deleted(long filter) {
    begin(DELETED, USUAL_BYTES).putLong(filter);
  }

  void expires(long filter, long millis) {
    begin(EXPIRES, USUAL_BYTES).putLong(filter).putLong(millis);
  }

  void exception(long hash, long forgottenBy, long setUntil) {
    begin(EXCEPTION, USUAL_BYTES).putLong(hash).putLong(forgottenBy).putLong(setUntil);
  }

  void checkpoint(long segment) {
    begin(CHECKPOINT, USUAL_BYTES).putLong(segment);
  }

  /** Begins a record of at most {@link #MAX_HASHES} filters. */
  void saved(List<ServedFilter> filters) {
    begin(SAVED, MAX_HEAD_BYTES + filters.size() * Long.BYTES);
    filters.forEach(filter -> bytes.putLong(filter.id()));
  }

  /**
   * Ends a segment with the number of the one that follows, so that a missing one is noticed.
   *
   * @param end the offset after the last record
   */
  static void link(FileChannel segment, long end, long next) throws IOException {
    LogRecord record = new LogRecord();
    record.begin(NEXT, USUAL_BYTES).putLong(next);
    ByteBuffer once = record.end();
    ByteBuffer all = allocate(COPIES * once.remaining());
    for (int i = 0; i < COPIES; i++) {
      all.put(once.duplicate());
    }
    all.flip();
    try {
      for (long at = end; all.hasRemaining(); ) {
        at += segment.write(all, at);
      }
    } catch (IOException e) { // such as a full disk: the link is a safeguard, and may be missing
      segment.truncate(end);
    }
  }
}
