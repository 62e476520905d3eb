package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first bytes of a segment of the journal. All numbers are little-endian.
 *
 * <pre>
 * [magic 8][number 8][first segment needed 8][fingerprint of the secret 8][CRC32C 4 of all before][0 4]
 * </pre>
 *
 * <p>One byte of the magic is the format of the journal, a digit. A format that has a new type of
 * record, or changes one, has a new number, because a reader cannot skip what it does not know.
 *
 * @param number the number of the segment, which is also in the name of its file
 * @param first the first segment that the saved filters needed when this one began
 * @param fingerprint identifies the secret that all items in the segment are hashed with
 */
record SegmentHeader(long number, long first, String fingerprint) {
  static final int BYTES = 40;
  private static final long MAGIC = 0x0A1A0A004E4A5589L; // "\x89UJN", the format, "\n\x1a\n"
  private static final int FORMAT_AT = 4;
  private static final char FORMAT = '1';
  private static final int FINGERPRINT_BYTES = 8;
  private static final int SUMMED_BYTES = BYTES - Long.BYTES;

  ByteBuffer bytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(magic(FORMAT))
            .putLong(number)
            .putLong(first)
            .put(fingerprint.getBytes(ISO_8859_1), 0, FINGERPRINT_BYTES);
    return bytes.putInt(sum(bytes)).putInt(0).flip();
  }

  private static long magic(char format) {
    return MAGIC | ((long) format << (8 * FORMAT_AT));
  }

  /**
   * Reads a header. Returns null if it is damaged.
   *
   * @throws IllegalArgumentException if the format is unknown
   */
  static SegmentHeader parse(ByteBuffer bytes) {
    if (bytes.remaining() < BYTES) {
      return null;
    }
    ByteBuffer in =
        ByteBuffer.allocate(BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(bytes.slice(bytes.position(), BYTES))
            .flip();
    char format = (char) in.get(FORMAT_AT);
    if (in.getLong(0) != magic(format)) {
      return null;
    }
    boolean known = format == FORMAT;
    if (!known && !wasKnown(in)) {
      throw new IllegalArgumentException(
          "it has the journal format '%s', and this version reads the format %s"
              .formatted(format, FORMAT));
    }
    if (!known
        || in.getInt(SUMMED_BYTES) != sum(in)
        || in.getInt(SUMMED_BYTES + Integer.BYTES) != 0) {
      return null;
    }
    long number = in.getLong(in.position() + Long.BYTES);
    long first = in.getLong(in.position() + 2 * Long.BYTES);
    byte[] fingerprint = new byte[FINGERPRINT_BYTES];
    in.get(in.position() + 3 * Long.BYTES, fingerprint);
    return new SegmentHeader(number, first, new String(fingerprint, ISO_8859_1));
  }

  /** Returns whether only the format is damaged: with the known one, the checksum is right. */
  private static boolean wasKnown(ByteBuffer in) {
    ByteBuffer other = ByteBuffer.allocate(BYTES).put(in.duplicate()).flip();
    return in.getInt(SUMMED_BYTES) == sum(other.put(FORMAT_AT, (byte) FORMAT));
  }

  private static int sum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, SUMMED_BYTES));
    return (int) crc.getValue();
  }
}
