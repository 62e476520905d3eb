package dev.unseen.io;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.regex.Pattern;

/**
 * File types that are recognised by their first bytes and cannot be read. Reading them as text
 * would give nonsense without an error.
 */
enum Unreadable {
  ZIP("a zip archive", "PK(\\x03\\x04|\\x05\\x06)", "unpack it first: unzip -p FILE"),
  SEVEN_ZIP("a 7z archive", "7z\\xBC\\xAF'\\x1C", "unpack it first: 7z e -so FILE"),
  RAR("a rar archive", "Rar!\\x1A\\x07", "unpack it first: unrar p -inul FILE"),
  COMPRESS("packed by compress", "\\x1F[\\x9D\\xA0]", "unpack it first: gzip -dc FILE"),
  LZIP("packed by lzip", "LZIP\\x01", "unpack it first: lzip -dc FILE"),
  LZOP("packed by lzop", "\\x89LZO\\x00\\r\\n", "unpack it first: lzop -dc FILE"),
  LZMA("packed by lzma", "\\x5D\\x00\\x00.{2}", "unpack it first: xz --format=lzma -dc FILE"),
  LZ4_LEGACY("packed by an old lz4", "\\x02!L\\x18", "unpack it first: lz4 -dc FILE"),
  SNAPPY("packed by snappy", "\\xFF\\x06\\x00\\x00sNaPpY", "unpack it first"),
  PARQUET("a Parquet file", "PAR1[\\x00-\\x08\\x0E-\\x1F]", "turn it into CSV or JSON Lines first"),
  AVRO("an Avro file", "Obj\\x01", "turn it into CSV or JSON Lines first"),
  ORC("an ORC file", "ORC[\\x00-\\x08\\x0E-\\x1F]", "turn it into CSV or JSON Lines first");

  private final String what;
  private final Pattern magic; // a char a byte
  private final String wayOut;

  Unreadable(String what, String magic, String wayOut) {
    this.what = what;
    this.magic = Pattern.compile(magic, Pattern.DOTALL);
    this.wayOut = wayOut;
  }

  /** Refuses a file that starts with these bytes, if it is of one of these types. */
  static void refuse(String file, byte[] start) throws InputException {
    String text = new String(start, ISO_8859_1);
    for (Unreadable known : values()) {
      if (known.magic.matcher(text).lookingAt()) {
        throw new InputException(
            "%s is %s, which cannot be read directly; %s"
                .formatted(file, known.what, known.wayOut));
      }
    }
  }

  /** Returns whether a file that starts with these few bytes may be of one of these types. */
  @SuppressWarnings("JdkObsolete") // more bytes could make it match: just what hitEnd() tells
  static boolean mayBegin(byte[] start) {
    String text = new String(start, ISO_8859_1);
    for (Unreadable known : values()) {
      var matcher = known.magic.matcher(text);
      if (matcher.lookingAt() || matcher.hitEnd()) {
        return true;
      }
    }
    return false;
  }
}
