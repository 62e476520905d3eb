package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.unseen.audit.Audit;
import dev.unseen.audit.AuditSpec;
import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes that are no state, or a forged one, are refused in words; what is read can be saved again.
 *
 * <p>A build runs the states below. To look for inputs that fail, with coverage as a guide, for
 * five minutes:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl core -am test -Dtest=SnapshotFuzzTest#bytes_with* -Djazzer.hooks=true -Djazzer.max_duration=5m
 * </pre>
 */
final class SnapshotFuzzTest {
  private static final int BLOCK_HEADER = BlockWriter.HEADER_BYTES;
  private static final int CHECKSUM = BlockWriter.CRC_BYTES;

  /** A small state of each kind, one with a window and one with an audit, to begin with. */
  static Stream<Arguments> states() {
    FilterSpec bloom = FilterSpec.of(FilterKind.BLOOM, 64);
    return Stream.concat(
            Stream.of(FilterKind.values())
                .map(kind -> Snapshot.of(FilterSpec.of(kind, 64).build(), 0, 0)),
            Stream.of(
                Snapshot.of(windowed(), 9, 5).with(Map.of("offset", "17", "", "x")),
                Snapshot.of(bloom.build(), 1, 1)
                    .with(new Audit(AuditSpec.oneIn(8).memory(4096), bloom))))
        .map(snapshot -> Arguments.of((Object) Bytes.of(snapshot)));
  }

  private static DuplicateFilter windowed() {
    return FilterSpec.builder(FilterKind.RECENCY, 64).window(Window.records(80)).build().build();
  }

  @MethodSource("states")
  @FuzzTest
  void bytes_are_refused_or_read(byte[] bytes) {
    readOrRefuse(bytes);
  }

  /** Behind the checksums there is more to get wrong, which a fuzzer would never reach. */
  @MethodSource("states")
  @FuzzTest
  void bytes_with_right_checksums_are_refused_or_read(byte[] bytes) {
    readOrRefuse(withRightChecksums(bytes));
  }

  private static void readOrRefuse(byte[] bytes) {
    try {
      byte[] saved = Bytes.of(Bytes.read(bytes));
      assertThat(Bytes.of(Bytes.read(saved))).isEqualTo(saved);
    } catch (SnapshotException e) {
      assertThat(e).hasMessageStartingWith("test.uns: ");
    } catch (IOException e) {
      throw new AssertionError("reading from an array cannot fail otherwise", e);
    }
  }

  /** Goes from block to block, as far as their lengths make sense, and puts all sums right. */
  private static byte[] withRightChecksums(byte[] bytes) {
    byte[] right = bytes.clone();
    ByteBuffer buffer = ByteBuffer.wrap(right).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crcOfCrcs = new CRC32C();
    int start = BlockWriter.FILE_HEADER_BYTES;
    for (int index = 0; start + BLOCK_HEADER + CHECKSUM <= right.length; index++) {
      int length = buffer.getInt(start + 8);
      int end = start + BLOCK_HEADER + length;
      if (length < 0 || end < 0 || end > right.length - CHECKSUM) {
        break;
      }
      if (buffer.getInt(start) == Frame.END.id && length == 2 * Long.BYTES + Integer.BYTES) {
        buffer.putLong(start + BLOCK_HEADER, index + 1);
        buffer.putLong(start + BLOCK_HEADER + Long.BYTES, end + CHECKSUM);
        buffer.putInt(start + BLOCK_HEADER + 2 * Long.BYTES, (int) crcOfCrcs.getValue());
      }
      CRC32C crc = new CRC32C();
      crc.update(right, start, BLOCK_HEADER + length);
      buffer.putInt(end, (int) crc.getValue());
      crcOfCrcs.update(right, end, CHECKSUM);
      start = end + CHECKSUM;
    }
    return right;
  }
}
