package dev.unseen.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/**
 * The names of filters. A client may use any bytes as a name, so a name is held as a text with one
 * character for each byte.
 */
public final class Names {
  private static final int MAX_FILE_NAME = 200; // file systems end at 255

  private Names() {}

  /**
   * Returns a name as people read it: as UTF-8 if it is that, or else with {@code \\xff} for each
   * byte that is no ASCII, so that it does not look like another name.
   */
  public static String shown(String name) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(name.getBytes(ISO_8859_1))).toString();
    } catch (CharacterCodingException e) {
      StringBuilder shown = new StringBuilder();
      name.chars()
          .forEach(c -> shown.append(c < 128 ? String.valueOf((char) c) : "\\x%02x".formatted(c)));
      return shown.toString();
    }
  }

  /** Returns the name of a text. */
  public static String of(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  /**
   * Returns a name for a file: letters, digits, minus and underscore stay, all other bytes become
   * {@code %} and two digits. It is the same for no two names, on any file system.
   *
   * @param suffix follows the name
   * @return null if the name is too long for a file
   */
  public static String file(String name, String suffix) {
    StringBuilder file = new StringBuilder("key-");
    for (byte b : name.getBytes(ISO_8859_1)) {
      boolean plain =
          (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_'; // no capitals:
      // some file systems take them for small letters
      file.append(plain ? String.valueOf((char) b) : "%" + HexFormat.of().toHexDigits(b));
    }
    return file.length() > MAX_FILE_NAME ? null : file.append(suffix).toString();
  }
}
