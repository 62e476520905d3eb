package dev.unseen.server.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The names of filters. A client may use any bytes as a name, so a name is held as a text with one
 * character for each byte.
 */
public final class Names {
  private static final int MAX_FILE_NAME = 200; // the limit of file systems is 255

  /** A space that a browser leaves out: the first, the last, and all but one of several. */
  private static final Pattern HIDDEN_SPACE = Pattern.compile("^ | $|(?<= ) ");

  private Names() {}

  /**
   * Returns a printable name, so that no two names look alike: as UTF-8 if it is that, or else with
   * {@code \xff} for each byte that is not ASCII. A character that cannot be seen, such as a tab or
   * a last space, is written as its bytes in the same way, and a backslash as {@code \\}. The empty
   * name is {@code \(empty)}.
   */
  public static String shown(String name) {
    if (name.isEmpty()) {
      return "\\(empty)";
    }
    byte[] bytes = name.getBytes(ISO_8859_1);
    StringBuilder shown = new StringBuilder();
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).codePoints().forEach(c -> show(c, shown));
    } catch (CharacterCodingException e) {
      for (byte b : bytes) {
        if (b < 0) {
          escape(b, shown);
        } else {
          show(b, shown);
        }
      }
    }
    return HIDDEN_SPACE.matcher(shown).replaceAll("\\\\x20");
  }

  private static void show(int codePoint, StringBuilder to) {
    if (codePoint == '\\') {
      to.append("\\\\");
    } else if (isSeen(codePoint)) {
      to.appendCodePoint(codePoint);
    } else {
      for (byte b : Character.toString(codePoint).getBytes(UTF_8)) {
        escape(b, to);
      }
    }
  }

  private static boolean isSeen(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT, // such as those that turn the direction of a text
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> codePoint == ' ';
      default -> true;
    };
  }

  private static void escape(byte b, StringBuilder to) {
    to.append("\\x").append(HexFormat.of().toHexDigits(b));
  }

  /** Returns the name of a text. */
  public static String of(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  /**
   * Returns a name for a file: small letters, digits, minus and underscore stay, all other bytes
   * become {@code %} and two digits. No two names have the same, even on file systems that ignore
   * case.
   *
   * @param suffix follows the name
   * @return null if the name is too long for a file
   */
  public static String file(String name, String suffix) {
    StringBuilder file = new StringBuilder("key-");
    for (byte b : name.getBytes(ISO_8859_1)) {
      boolean plain = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
      file.append(plain ? String.valueOf((char) b) : "%" + HexFormat.of().toHexDigits(b));
    }
    return file.length() > MAX_FILE_NAME ? null : file.append(suffix).toString();
  }
}
