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
 * @param number the number of the segment, which is also in the name of its file
 * @param first the first segment that the saved filters needed when this one began
 * @param fingerprint identifies the secret that all items in the segment are hashed with
 */
record SegmentHeader(long number, long first, String fingerprint) {
  static final int BYTES = 40;
  private static final long MAGIC = 0x0A1A0A324E4A5589L;
  private static final int FINGERPRINT_BYTES = 8;
  private static final int SUMMED_BYTES = BYTES - Long.BYTES;

  ByteBuffer bytes() {
    ByteBuffer bytes =
        ByteBuffer.allocate(BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(MAGIC)
            .putLong(number)
            .putLong(first)
            .put(fingerprint.getBytes(ISO_8859_1), 0, FINGERPRINT_BYTES);
    return bytes.putInt(sum(bytes)).putInt(0).flip();
  }

  /** Reads a header. Returns null if it is damaged. */
  static SegmentHeader parse(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (in.remaining() < BYTES
        || in.getLong(in.position()) != MAGIC
        || in.getInt(in.position() + SUMMED_BYTES) != sum(in.slice())
        || in.getInt(in.position() + SUMMED_BYTES + Integer.BYTES) != 0) {
      return null;
    }
    long number = in.getLong(in.position() + Long.BYTES);
    long first = in.getLong(in.position() + 2 * Long.BYTES);
    byte[] fingerprint = new byte[FINGERPRINT_BYTES];
    in.get(in.position() + 3 * Long.BYTES, fingerprint);
    return new SegmentHeader(number, first, new String(fingerprint, ISO_8859_1));
  }

  private static int sum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(0, SUMMED_BYTES));
    return (int) crc.getValue();
  }
}
