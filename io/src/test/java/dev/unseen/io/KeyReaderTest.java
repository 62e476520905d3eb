package dev.unseen.io;

import static dev.unseen.io.Reading.keys;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.unseen.io.Reading.Packing;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyReaderTest {
  /** Enough to fill every buffer on the way several times. */
  private static final int RECORDS = 40_000;

  @TempDir Path dir;

  static Stream<Arguments> formats_and_packings() {
    return Arrays.stream(RecordFormat.values())
        .flatMap(
            format ->
                Arrays.stream(Packing.values()).map(packing -> Arguments.of(format, packing)));
  }

  @ParameterizedTest
  @MethodSource("formats_and_packings")
  void reads_every_format_in_every_compression(RecordFormat format, Packing packing)
      throws IOException {
    Path file = dir.resolve("records." + format.id() + packing.suffix);
    Files.write(file, packing.pack(records(format)));

    KeySpec key =
        switch (format) {
          case CSV, TSV, JSONL, JSON -> KeySpec.of("id");
          default -> KeySpec.WHOLE_RECORD;
        };
    assertThat(keys(KeyReader.open(file, format, RecordSpec.of(key)))).isEqualTo(expected(format));
  }

  private static byte[] records(RecordFormat format) {
    return switch (format) {
      case LINES -> text(i -> "record " + i + "\n");
      case CSV -> text(i -> i < 0 ? "a,id\r\n" : "\"x\ny\",record %d\r\n".formatted(i));
      case TSV -> text(i -> i < 0 ? "a\tid\n" : "x,y\trecord %d\n".formatted(i));
      case JSON -> text("{\"a\":[1,{\"id\":0}],\n\"id\":\"record %d\"}\n\n"::formatted);
      case JSONL -> text("{\"a\":[1,{\"id\":0}],\"id\":\"record %d\"}\n"::formatted);
      case INT32BE -> ints(4, i -> ByteBuffer.allocate(4).putInt(i * 0x9E3779B9));
      case INT64BE -> ints(8, i -> ByteBuffer.allocate(8).putLong(i * 0x9E3779B97F4A7C15L));
    };
  }

  /** The record -1 is the header, where there is one. */
  private static byte[] text(IntFunction<String> record) {
    boolean header = !record.apply(-1).contains("-1");
    return IntStream.range(header ? -1 : 0, RECORDS)
        .mapToObj(record)
        .collect(Collectors.joining())
        .getBytes(UTF_8);
  }

  private static byte[] ints(int width, IntFunction<ByteBuffer> record) {
    ByteBuffer all = ByteBuffer.allocate(RECORDS * width);
    IntStream.range(0, RECORDS).forEach(i -> all.put(record.apply(i).flip()));
    return all.array();
  }

  private static List<String> expected(RecordFormat format) {
    byte[] bytes = records(format);
    return switch (format) {
      case INT32BE, INT64BE -> {
        int width = bytes.length / RECORDS;
        String text = new String(bytes, ISO_8859_1);
        yield IntStream.range(0, RECORDS)
            .mapToObj(i -> text.substring(i * width, (i + 1) * width))
            .toList();
      }
      default -> IntStream.range(0, RECORDS).mapToObj(i -> "record " + i).toList();
    };
  }

  @Test
  void a_file_without_records_is_read_to_its_end() throws IOException {
    for (RecordFormat format : RecordFormat.values()) {
      assertThat(keys("", format, KeySpec.WHOLE_RECORD)).isEmpty();
    }
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    Path file = dir.resolve("gone.csv");
    assertFailure(file, "cannot read '%s': No such file or directory".formatted(file));
  }

  @Test
  void a_directory_is_named() {
    assertFailure(dir, "cannot read '%s': Is a directory".formatted(dir));
  }

  @Test
  void a_file_that_may_not_be_read_is_named() throws IOException {
    Path file = Files.writeString(dir.resolve("locked"), "a\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    if (Files.isReadable(file)) { // by root, who may read all
      assertThatNoException()
          .isThrownBy(
              () -> KeyReader.open(file, RecordFormat.LINES, RecordSpec.WHOLE_RECORDS).close());
    } else {
      assertFailure(file, "cannot read '%s': Permission denied".formatted(file));
    }
  }

  private static void assertFailure(Path file, String message) {
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(
            () -> KeyReader.open(file, RecordFormat.LINES, RecordSpec.WHOLE_RECORDS).close())
        .withMessage(message);
  }

  @Test
  void a_failing_disk_is_reported_after_the_records_that_came() throws IOException {
    for (RecordFormat format : List.of(RecordFormat.LINES, RecordFormat.CSV, RecordFormat.JSONL)) {
      KeySpec key = format == RecordFormat.JSONL ? KeySpec.of("0") : KeySpec.WHOLE_RECORD;
      InputStream in = new Failing("[1]\n[2]\n[3".getBytes(UTF_8));
      try (KeyReader reader = KeyReader.of(in, "disk", format, RecordSpec.of(key))) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.next()).isTrue();
        assertThatExceptionOfType(InputException.class)
            .isThrownBy(reader::next)
            .withMessage("cannot read disk: Input/output error");
      }
    }
  }

  @Test
  void the_stream_is_closed_with_the_reader() {
    Failing good = new Failing("1234567\n".getBytes(UTF_8));
    KeyReader.of(good, "in", RecordFormat.LINES, RecordSpec.WHOLE_RECORDS).close();
    assertThat(good.closed).isTrue();
  }

  /** Has some bytes and then fails. */
  private static final class Failing extends FilterInputStream {
    private boolean closed;

    Failing(byte[] bytes) {
      super(new ByteArrayInputStream(bytes));
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      int count = super.read(to, offset, length);
      if (count < 0) {
        throw new IOException("Input/output error");
      }
      return count;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
