package dev.unseen.io;

import static dev.unseen.io.Reading.drops;
import static dev.unseen.io.Reading.keys;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.unseen.io.Reading.Packing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
  private static final List<String> LINES =
      IntStream.range(0, 50).mapToObj(i -> "line " + new Random(i).nextLong()).toList();

  private static byte[] plain() {
    return (String.join("\n", LINES) + "\n").getBytes(ISO_8859_1);
  }

  private static List<String> lines(byte[] bytes, String name) throws IOException {
    return lines(new ByteArrayInputStream(bytes), name);
  }

  private static List<String> lines(InputStream in, String name) throws IOException {
    return keys(KeyReader.of(in, name, RecordFormat.LINES, RecordSpec.WHOLE_RECORDS));
  }

  @ParameterizedTest
  @EnumSource
  void is_known_by_the_bytes_whatever_the_name(Packing packing) throws IOException {
    for (Packing name : Packing.values()) {
      assertThat(lines(packing.pack(plain()), "a" + name.suffix)).isEqualTo(LINES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void several_files_after_each_other_are_one_even_from_a_slow_pipe(Packing packing)
      throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String line : LINES) {
      all.write(packing.pack((line + "\n").getBytes(ISO_8859_1)));
    }
    assertThat(lines(all.toByteArray(), "a")).isEqualTo(LINES);
    for (int seed = 0; seed < 200; seed++) {
      assertThat(lines(drops(all.toByteArray(), seed, 1 + seed), "pipe")).isEqualTo(LINES);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
  void a_file_cut_off_anywhere_is_reported(Packing packing) {
    byte[] whole = packing.pack(plain());
    String name = "a" + packing.suffix;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatExceptionOfType(InputException.class)
          .as("%d of %d bytes", length, whole.length)
          .isThrownBy(() -> lines(cut, name))
          .withMessageMatching(
              "a\\.\\w+ is cut off: "
                  + "its (gzip|xz|zstd|bzip2|lz4) data ends too early; copy or make the file again");
    }
  }

  @Test
  void a_second_gzip_member_cut_off_anywhere_is_reported() throws IOException {
    byte[] member = Packing.GZ.pack(plain());
    for (int length = 1; length < member.length; length++) {
      ByteArrayOutputStream both = new ByteArrayOutputStream();
      both.write(member);
      both.write(member, 0, length);
      assertThatExceptionOfType(InputException.class)
          .as("%d bytes of the second member", length)
          .isThrownBy(() -> lines(both.toByteArray(), "a.gz"))
          .withMessageStartingWith("a.gz is ");
      assertThatExceptionOfType(InputException.class)
          .as("%d bytes of the second member, in drops", length)
          .isThrownBy(() -> lines(drops(both.toByteArray(), 1, 3), "a.gz"))
          .withMessageStartingWith("a.gz is ");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
  void what_follows_and_is_not_compressed_is_reported(Packing packing) throws IOException {
    for (String rest : List.of("\0", "x", "some text behind it", "\0".repeat(513), "\0\0x")) {
      if (packing == Packing.GZ && rest.chars().allMatch(c -> c == 0)) {
        continue; // padding, as gzip takes it
      }
      ByteArrayOutputStream both = new ByteArrayOutputStream();
      both.write(packing.pack(plain()));
      both.write(rest.getBytes(ISO_8859_1));
      assertThatExceptionOfType(InputException.class)
          .as("%d bytes", rest.length())
          .isThrownBy(() -> lines(both.toByteArray(), "a"))
          .withMessageMatching("a is (damaged|cut off): .*");
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
  void a_bit_that_flips_is_reported_or_changes_nothing(Packing packing) {
    byte[] whole = packing.pack(plain());
    int failures = 0;
    for (int bit = Compression.MAGIC_BYTES * 8; bit < whole.length * 8; bit += 5) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        assertThat(lines(damaged, "a")).as("bit %d", bit).isEqualTo(LINES);
      } catch (IOException e) {
        assertThat(e).isInstanceOf(InputException.class).hasMessageStartingWith("a is ");
        failures++;
      }
    }
    assertThat(failures).isGreaterThan(whole.length);
  }

  @Test
  void a_file_that_starts_with_a_skippable_zstd_frame_is_zstd() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(new byte[] {0x5F, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9});
    file.write(Packing.ZST.pack(plain()));
    assertThat(lines(file.toByteArray(), "a")).isEqualTo(LINES);
  }

  @Test
  void an_xz_file_that_needs_too_much_memory_is_rejected() {
    byte[] file = Packing.XZ.pack(plain());
    int header = 12; // the block's, behind the stream's
    int crc = header + (file[header] + 1) * 4 - 4;
    file[header + 4] = 34; // a dictionary of 512 MiB
    CRC32 sum = new CRC32();
    sum.update(file, header, crc - header);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(crc, (int) sum.getValue());
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> lines(file, "a.xz"))
        .withMessageMatching(
            "a.xz needs 5\\d\\d MiB to be unpacked, of at most 256; unpack it with xz -dc first");
  }

  @Test
  void a_zstd_file_that_needs_too_much_memory_is_rejected() {
    byte[] frame = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, (byte) (18 << 3), 1, 0, 0};
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> lines(frame, "a.zst"))
        .withMessage(
            "a.zst needs more than 128 MiB to be unpacked; unpack it with zstd -dc --long=31 first");
  }

  @Test
  void zeros_after_a_gzip_file_are_padding() throws IOException {
    for (int zeros : new int[] {1, 2, 511, 512, 100_000}) {
      ByteArrayOutputStream padded = new ByteArrayOutputStream();
      padded.write(Packing.GZ.pack(plain()));
      padded.write(new byte[zeros]);
      assertThat(lines(padded.toByteArray(), "a.gz")).isEqualTo(LINES);
      assertThat(lines(drops(padded.toByteArray(), zeros, 7), "a.gz")).isEqualTo(LINES);
    }
  }

  @Test
  void a_gzip_header_may_have_a_name_a_comment_more_fields_and_a_checksum() throws IOException {
    byte[] packed = Packing.GZ.pack(plain());
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(packed, 0, 3);
    file.write(2 | 4 | 8 | 16);
    file.write(packed, 4, 6);
    file.write(new byte[] {3, 0, 'x', 'y', 'z'});
    file.write("name\0comment\0".getBytes(ISO_8859_1));
    file.write(new byte[2]);
    file.write(packed, 10, packed.length - 10);
    assertThat(lines(file.toByteArray(), "a")).isEqualTo(LINES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "504b0304 | a zip archive",
        "377abcaf271c | a 7z archive",
        "526172211a07 | a rar archive",
        "1f9d90 | a file packed by compress",
        "4c5a495001 | a file packed by lzip",
        "894c5a4f000d0a | a file packed by lzop",
        "5d00008000 | a file packed by lzma",
        "02214c18 | a file packed by an old lz4",
        "ff060000734e61507059 | a file packed by snappy",
        "5041523115 | a Parquet file",
        "4f626a01 | an Avro file",
        "4f524303 | an ORC file",
        "4f52430a060a040801 | an ORC file",
        "4152524f57310000 | an Arrow file",
        "894844460d0a1a0a | an HDF5 file",
        "53514c69746520666f726d6174203300 | a SQLite database",
        "0102030405060708 4455434b40000000 | a DuckDB database",
        "7f454c46020101 | a program (ELF)",
        "4d5a900003000000 | a program (exe)",
        "cafebabe00000041 | a Java class",
        "255044462d312e370a25b5edaefb0a | a PDF document",
        "89504e470d0a1a0a | a PNG image",
        "ffd8ffe000104a464946 | a JPEG image",
        "4749463839610100010080 | a GIF image",
        "d0cf11e0a1b11ae1 | an Office document in the old format",
      })
  void what_cannot_be_read_is_rejected_by_its_first_bytes(String magic, String what) {
    byte[] bytes = Arrays.copyOf(HexFormat.of().parseHex(magic.replace(" ", "")), 50);
    assertRejected(bytes, what);
  }

  /** Compressed or not, and however few bytes come at a time. */
  private static void assertRejected(byte[] bytes, String what) {
    String reason = what + ", which cannot be read directly; ";
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> lines(bytes, "a"))
        .withMessageStartingWith("a is " + reason);
    assertThatExceptionOfType(InputException.class)
        .isThrownBy(() -> lines(drops(bytes, 1, 1), "a"))
        .withMessageStartingWith("a is " + reason);
    for (Packing packing : Packing.values()) {
      if (packing != Packing.PLAIN) {
        assertThatExceptionOfType(InputException.class)
            .isThrownBy(() -> lines(packing.pack(bytes), "a"))
            .withMessageStartingWith("a contains " + reason);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v7", "ustar", "gnu", "posix"})
  void a_tar_archive_is_rejected(String format, @TempDir Path dir) throws Exception {
    Files.writeString(dir.resolve("a.csv"), "id\n1\n".repeat(1000));
    List<String> command =
        List.of("tar", "--format=" + format, "-cf", "a.tar", "-C", dir.toString(), "a.csv");
    Process tar = new ProcessBuilder(command).directory(dir.toFile()).inheritIO().start();
    assertThat(tar.waitFor()).isZero();
    assertRejected(Files.readAllBytes(dir.resolve("a.tar")), "a tar archive");
  }

  @Test
  void a_spreadsheet_is_rejected_with_a_remedy_that_fits() {
    for (String first : List.of("[Content_Types].xml", "docProps/app.xml", "xl/workbook.xml")) {
      byte[] bytes = ("PK\3\4" + "\0".repeat(26) + first + "...").getBytes(ISO_8859_1);
      assertThatExceptionOfType(InputException.class)
          .isThrownBy(() -> lines(bytes, "a"))
          .withMessageContaining("a is an Office document")
          .withMessageContaining("export the sheet as CSV first");
    }
  }

  @Test
  void text_with_nul_and_digits_where_tar_has_its_checksum_is_text() throws IOException {
    String line = "x\0" + "a".repeat(146) + "0001234\0" + "b".repeat(500);
    assertThat(lines((line + "\n").getBytes(ISO_8859_1), "a")).containsExactly(line);
  }

  @Test
  void text_that_begins_like_something_packed_is_text() throws IOException {
    for (String text :
        List.of(
            "PK",
            "BZh9 is",
            "LZIP",
            "ORC",
            "7z",
            "Obj",
            "PAR1",
            "]",
            "BZh91AY&S",
            "MZ",
            "ARROW1",
            "%PDF-1.7",
            "GIF89a",
            "SQLite format 3",
            "ELF",
            "ORC,1,2")) {
      assertThat(lines((text + "\nx\n").getBytes(ISO_8859_1), "a")).containsExactly(text, "x");
      assertThat(lines(drops((text + "\nx").getBytes(ISO_8859_1), 1, 1), "a"))
          .containsExactly(text, "x");
    }
  }

  @Test
  void text_that_looks_like_compression_only_in_its_name_is_read_as_it_is() throws IOException {
    assertThat(lines("x\ny\n".getBytes(ISO_8859_1), "a.gz")).containsExactly("x", "y");
    assertThat(lines(new byte[0], "a")).isEmpty();
  }
}
