package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.regex.Pattern;

/**
 * File types that are recognized by their first bytes and cannot be read. Reading them as text
 * would give nonsense without an error.
 */
enum Unreadable {
  OFFICE(
      "an Office document",
      "PK\\x03\\x04.{26}(\\[Content_Types\\]\\.xml|_rels/|xl/|docProps/|mimetypeapplication/vnd\\.)",
      Unreadable.EXPORT),
  OLD_OFFICE(
      "an Office document in the old format",
      "\\xD0\\xCF\\x11\\xE0\\xA1\\xB1\\x1A\\xE1",
      Unreadable.EXPORT),
  ZIP("a zip archive", "PK(\\x03\\x04|\\x05\\x06)", "unpack it first: unzip -p FILE"),
  SEVEN_ZIP("a 7z archive", "7z\\xBC\\xAF'\\x1C", "unpack it first: 7z e -so FILE"),
  RAR("a rar archive", "Rar!\\x1A\\x07", "unpack it first: unrar p -inul FILE"),
  TAR("a tar archive", "", "unpack it first: tar -xOf FILE") {
    @Override
    boolean matches(String start) {
      return isTarHeader(start);
    }
  },
  COMPRESS("a file packed by compress", "\\x1F[\\x9D\\xA0]", "unpack it first: gzip -dc FILE"),
  LZIP("a file packed by lzip", "LZIP\\x01", "unpack it first: lzip -dc FILE"),
  LZOP("a file packed by lzop", "\\x89LZO\\x00\\r\\n", "unpack it first: lzop -dc FILE"),
  LZMA(
      "a file packed by lzma", "\\x5D\\x00\\x00.{2}", "unpack it first: xz --format=lzma -dc FILE"),
  LZ4_LEGACY("a file packed by an old lz4", "\\x02!L\\x18", "unpack it first: lz4 -dc FILE"),
  SNAPPY("a file packed by snappy", "\\xFF\\x06\\x00\\x00sNaPpY", "unpack it first"),
  PARQUET("a Parquet file", "PAR1[\\x00-\\x08\\x0E-\\x1F]", Unreadable.CONVERT),
  AVRO("an Avro file", "Obj\\x01", Unreadable.CONVERT),
  ORC("an ORC file", "ORC.{0,12}?[\\x00-\\x08\\x0E-\\x1A\\x1C-\\x1F]", Unreadable.CONVERT),
  ARROW("an Arrow file", "ARROW1\\x00\\x00|FEA1[\\x00-\\x08\\x0E-\\x1F]", Unreadable.CONVERT),
  HDF5("an HDF5 file", "\\x89HDF\\r\\n", Unreadable.CONVERT),
  SQLITE(
      "a SQLite database",
      "SQLite format 3\\x00",
      "print a table of it first: sqlite3 -csv -header FILE 'select * from TABLE'"),
  DUCKDB(
      "a DuckDB database",
      ".{8}DUCK.\\x00\\x00\\x00",
      "print a table of it first: duckdb -csv FILE 'from TABLE'"),
  ELF("a program (ELF)", "\\x7FELF[\\x00-\\x08]", Unreadable.NO_RECORDS),
  WINDOWS_PROGRAM("a program (exe)", "MZ.\\x00.\\x00\\x00\\x00", Unreadable.NO_RECORDS),
  JAVA_CLASS("a Java class", "\\xCA\\xFE\\xBA\\xBE", Unreadable.NO_RECORDS),
  PDF(
      "a PDF document",
      "%PDF-[12]\\.\\d[ \\r\\n]{1,3}%[\\x80-\\xFF]",
      "turn it into text first: pdftotext -layout FILE -"),
  PNG("a PNG image", "\\x89PNG\\r\\n", Unreadable.NO_RECORDS),
  JPEG("a JPEG image", "\\xFF\\xD8\\xFF[\\xDB-\\xFE]", Unreadable.NO_RECORDS),
  GIF("a GIF image", "GIF8[79]a.{4}[\\x80-\\xFF]", Unreadable.NO_RECORDS);

  private static final String CONVERT = "turn it into CSV or JSON Lines first";
  private static final String EXPORT =
      "export the sheet as CSV first: libreoffice --convert-to csv FILE";
  private static final String NO_RECORDS = "it contains no records";

  /** The number of bytes that identify all of these types: the header of a tar archive. */
  static final int MAGIC_BYTES = 512;

  private static final int TAR_SUM = 148; // where its checksum is
  private static final int TAR_SUM_END = 156;

  private final String what;
  private final Pattern magic; // one char per byte
  private final String remedy;

  Unreadable(String what, String magic, String remedy) {
    this.what = what;
    this.magic = Pattern.compile(magic, Pattern.DOTALL);
    this.remedy = remedy;
  }

  /** Returns whether a file that starts with these bytes, one char each, is of this type. */
  boolean matches(String start) {
    return magic.matcher(start).lookingAt();
  }

  /**
   * Rejects a file that starts with these bytes, if it is of one of these types.
   *
   * @param packed whether these bytes were compressed in the file
   */
  static void reject(String file, byte[] start, int length, boolean packed) throws InputException {
    String text = new String(start, 0, length, ISO_8859_1);
    for (Unreadable known : values()) {
      if (known.matches(text)) {
        throw new InputException(
            "%s %s %s, which cannot be read directly; %s"
                .formatted(file, packed ? "contains" : "is", known.what, known.remedy));
      }
    }
  }

  /** Every format of tar has a checksum in its header, which text has only by accident. */
  private static boolean isTarHeader(String start) {
    if (start.length() < MAGIC_BYTES || start.indexOf(0) < 1) {
      return false;
    }
    String sum = start.substring(TAR_SUM, TAR_SUM_END).replaceAll("[\\x00 ]+$", "").stripLeading();
    if (!sum.matches("[0-7]{1,7}")) {
      return false;
    }
    int actual = 0;
    for (int i = 0; i < MAGIC_BYTES; i++) {
      actual += i >= TAR_SUM && i < TAR_SUM_END ? ' ' : start.charAt(i);
    }
    return actual == Integer.parseInt(sum, 8);
  }
}
