package dev.unseen.snapshot;

import static dev.unseen.testing.Generators.byteArrays;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.audit.AuditSpec;
import dev.unseen.audit.shadow.Audit;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Specs;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to a file, its reader finds it, says where, and takes no memory for it. */
final class DamageTest {
  private static final int HEAD = 16;
  private static final int HEAD_PAYLOAD = HEAD + 12;

  @TempDir private Path dir;

  private static byte[] small() {
    return state(FilterKind.RECENCY, 1024, 1);
  }

  private static byte[] state(FilterKind kind, long memory, long seed) {
    DuplicateFilter filter = Filters.create(FilterSpec.of(kind, memory));
    for (long hash : Specs.hashes(500, seed)) {
      filter.admit(hash);
    }
    return Bytes.of(Snapshot.of(filter, 500, 300).with(Map.of("offset", "17")));
  }

  private static void assertRejected(byte[] damaged, String as) {
    assertThatThrownBy(() -> Bytes.read(damaged))
        .as(as)
        .isInstanceOf(SnapshotException.class)
        .hasMessageStartingWith("test.uns: ");
  }

  @Test
  void each_flipped_byte_is_found() throws IOException {
    byte[] whole = small();
    assertThatCode(() -> Bytes.read(whole)).doesNotThrowAnyException();
    for (int at = 0; at < whole.length; at++) {
      for (int flip : new int[] {0x01, 0x80, 0xFF}) {
        byte[] damaged = whole.clone();
        damaged[at] ^= (byte) flip;
        assertRejected(damaged, "byte %d".formatted(at));
      }
    }
  }

  @Test
  void each_truncation_and_each_byte_too_many_is_found() {
    byte[] whole = small();
    for (int length = 0; length < whole.length; length++) {
      assertRejected(Arrays.copyOf(whole, length), "length %d".formatted(length));
    }
    for (int more = 1; more < 40; more++) {
      assertRejected(Arrays.copyOf(whole, whole.length + more), "%d more".formatted(more));
    }
  }

  @Test
  void the_damaged_block_is_named() {
    byte[] damaged = state(FilterKind.BLOOM, 3 << 20, 1);
    damaged[(3 << 19)] ^= 1;
    assertThatThrownBy(() -> Bytes.read(damaged))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("block 3 (storage, from byte ")
        .hasMessageContaining("checksum")
        .hasMessageContaining("move it away to start with an empty filter");
  }

  @Test
  void swapped_blocks_are_found() {
    byte[] whole = state(FilterKind.BLOOM, 3 << 20, 1);
    int block = 12 + (1 << 20) + 4;
    int first = firstStorage(whole);
    byte[] damaged = whole.clone();
    System.arraycopy(whole, first, damaged, first + block, block);
    System.arraycopy(whole, first + block, damaged, first, block);
    assertThatThrownBy(() -> Bytes.read(damaged))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("block 2 (storage")
        .hasMessageContaining("block 3 is in its place");
  }

  /** Each block is whole, and of the right index; but they were not saved together. */
  @Test
  void a_block_of_another_state_is_found() {
    DuplicateFilter filter = Filters.create(FilterSpec.of(FilterKind.BLOOM, 1000));
    byte[] whole = Bytes.of(Snapshot.of(filter, 500, 300).withSavedAt(1));
    byte[] other = Bytes.of(Snapshot.of(filter, 500, 300).withSavedAt(2));
    System.arraycopy(other, 0, whole, 0, endOfHead(other));
    assertThatThrownBy(() -> Bytes.read(whole))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("some of them belong to another state");
  }

  private static int endOfHead(byte[] bytes) {
    return HEAD + 12 + ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(HEAD + 8) + 4;
  }

  private static int firstStorage(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int numbers = endOfHead(bytes);
    return numbers + 12 + buffer.getInt(numbers + 8) + 4;
  }

  @Test
  void another_version_is_told() {
    byte[] bytes = small();
    bytes[8] = 2;
    assertThatThrownBy(() -> Bytes.read(bytes))
        .isInstanceOf(SnapshotException.class)
        .hasMessage(
            "test.uns: this is a state of version 2, but this program reads only version 1; use the program that wrote it, or move the file away to start with an empty filter");
  }

  /** The fields of the head that say how much there is, each with a checksum that is right. */
  @ParameterizedTest
  @ValueSource(ints = {48, 136 + 8})
  void a_lie_of_ten_gigabytes_is_rejected_before_any_memory_is_taken(int field) {
    DuplicateFilter filter = Filters.create(FilterSpec.of(FilterKind.BLOOM, 1000));
    byte[] bytes =
        Bytes.of(
            Snapshot.of(filter, 0, 0)
                .with(new Audit(AuditSpec.oneIn(8).memory(4096), filter.spec())));
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(HEAD_PAYLOAD + field, 10L << 30);
    withRightChecksum(bytes);
    assertThatThrownBy(() -> Bytes.read(bytes))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("block 0 (head")
        .hasMessageContaining("bytes of storage")
        .hasMessageContaining("are left in the file");
  }

  @Test
  void a_lie_in_the_length_of_a_block_is_rejected() {
    byte[] bytes = small();
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(HEAD + 8, Integer.MAX_VALUE);
    assertThatThrownBy(() -> Bytes.read(bytes))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("block 0 (head")
        .hasMessageContaining("2,147,483,647 bytes");
  }

  private static void withRightChecksum(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = buffer.getInt(HEAD + 8);
    CRC32C crc = new CRC32C();
    crc.update(bytes, HEAD, 12 + length);
    buffer.putInt(HEAD + 12 + length, (int) crc.getValue());
  }

  /** The reader's own checks: a forged head with a right checksum never ends in another error. */
  @Property(tries = 3000)
  void a_forged_head_is_rejected_or_read(Choices choices) {
    int at = choices.draw("at", ints(0, 167));
    byte[] forged = choices.draw("forged", byteArrays(bytes(), 1, 8));
    byte[] bytes = small();
    System.arraycopy(forged, 0, bytes, HEAD_PAYLOAD + Math.min(at, 160), forged.length);
    withRightChecksum(bytes);
    assertRejectedOrRead(bytes);
  }

  @Property(tries = 3000)
  void any_damage_at_many_places_is_found(Choices choices) {
    long seed = choices.draw("seed", longs());
    byte[] bytes = small();
    byte[] whole = bytes.clone();
    SplitMix64 random = new SplitMix64(seed);
    for (int i = 0; i <= random.below(20); i++) {
      int from = (int) random.below(bytes.length);
      int length = (int) random.below(Math.min(64, bytes.length - from) + 1L);
      int to = (int) random.below(bytes.length - length + 1L);
      System.arraycopy(bytes.clone(), from, bytes, to, length);
    }
    if (!Arrays.equals(bytes, whole)) {
      assertRejected(bytes, "seed %d".formatted(seed));
    }
  }

  @Property(tries = 2000)
  void any_bytes_are_rejected(Choices choices) {
    byte[] bytes = choices.draw("bytes", byteArrays());
    assertRejected(bytes, "any bytes");
  }

  private static void assertRejectedOrRead(byte[] bytes) {
    try {
      Bytes.read(bytes);
    } catch (SnapshotException e) {
      assertThat(e).hasMessageStartingWith("test.uns: ");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void an_empty_file_a_directory_and_a_text_are_told_and_left_alone() throws IOException {
    Path empty = Files.createFile(dir.resolve("empty"));
    Path text = Files.writeString(dir.resolve("text"), "id,name\n1,a\n2,b\n3,c\n");
    assertThatThrownBy(() -> StateFile.read(empty))
        .isInstanceOf(SnapshotException.class)
        .hasMessage(
            empty
                + ": the file is empty, so it is not a state of unseen; move it away to start with an empty filter");
    assertThatThrownBy(() -> StateFile.read(dir))
        .isInstanceOf(SnapshotException.class)
        .hasMessage(dir + ": this is a directory, but a state is a file; choose a file in it");
    assertThatThrownBy(() -> StateFile.open(dir)).isInstanceOf(SnapshotException.class);
    assertThatThrownBy(() -> StateFile.read(text))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("this is not a state of unseen");
    assertThat(Files.size(empty)).isZero();
    assertThat(text).hasContent("id,name\n1,a\n2,b\n3,c\n");
  }

  /**
   * A real file with a hole in it, of a filter larger than the heap: it is not taken for damaged.
   */
  @Test
  void a_state_larger_than_the_heap_is_told_from_a_damaged_one() throws IOException {
    byte[] bytes = state(FilterKind.BLOOM, 1000, 1);
    long memory = Runtime.getRuntime().maxMemory() / 8 * 8 + 8192;
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(HEAD_PAYLOAD + 48, memory);
    withRightChecksum(bytes);
    Path file = Files.write(dir.resolve("large.uns"), bytes);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), memory + 10_000);
    }
    assertThatThrownBy(() -> StateFile.read(file))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("must be at most the heap")
        .hasMessageContaining("-Xmx")
        .hasMessageNotContaining("lost");
  }

  @Test
  void a_damaged_file_stays_as_it_is() throws IOException {
    byte[] bytes = small();
    bytes[500] ^= 4;
    Path file = Files.write(dir.resolve("s.uns"), bytes);
    try (StateFile state = StateFile.open(file)) {
      assertThatThrownBy(state::load).isInstanceOf(SnapshotException.class);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    try (var files = Files.list(dir)) {
      assertThat(files).containsExactlyInAnyOrder(file, dir.resolve("s.uns.lock"));
    }
  }
}
