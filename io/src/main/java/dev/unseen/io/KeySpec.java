package dev.unseen.io;

import java.util.ArrayList;
import java.util.List;

/**
 * What of a record is its key: the whole of it, or some fields.
 *
 * <ul>
 *   <li>CSV and TSV: columns by name, number (from 1) or range of numbers, which may be open:
 *       {@code id}, {@code 2,4-5}, {@code 3-}. Names need a header; with numbers alone there is
 *       none unless {@link #withHeader} says so.
 *   <li>JSON: paths with dots, and places in an array from 0, or from its end if negative: {@code
 *       user.name}, {@code items[0].id}, {@code items[-1]}. A first dot may be there, as jq has it.
 * </ul>
 *
 * <p>A backslash takes the meaning off the comma, dot, bracket or number after it: {@code
 * service\.name} is one field, {@code \2024} a column's name.
 *
 * @param fields the fields as written; none for the whole record
 * @param header whether the first record of a CSV or TSV file names the columns
 */
public record KeySpec(List<String> fields, Header header) {
  /** Whether a CSV or TSV file has a header. */
  public enum Header {
    /** There is a header if the key names columns. */
    AUTO,
    /** There is a header, which is skipped. */
    PRESENT,
    /** There is no header. */
    ABSENT
  }

  /** The whole record is the key. */
  public static final KeySpec WHOLE_RECORD = new KeySpec(List.of(), Header.AUTO);

  /** Copies the fields, of which none may be empty. */
  public KeySpec {
    fields = List.copyOf(fields);
    if (fields.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "key '%s' has an empty field; name fields such as id, user.name or 2,4-5"
              .formatted(String.join(",", fields)));
    }
  }

  /**
   * Returns the key of these fields, which are separated by commas.
   *
   * @throws IllegalArgumentException if a field is empty
   */
  public static KeySpec of(String fields) {
    return new KeySpec(split(fields, ','), Header.AUTO);
  }

  /** Returns the same key for files with or without a header. */
  public KeySpec withHeader(boolean present) {
    return new KeySpec(fields, present ? Header.PRESENT : Header.ABSENT);
  }

  /** Returns whether the whole record is the key. */
  public boolean isWholeRecord() {
    return fields.isEmpty();
  }

  /** Returns whether the key is a single field, and neither several nor a range. */
  public boolean isOneField() {
    return fields.size() == 1 && !fields.get(0).matches("\\d+-\\d*");
  }

  /** Splits a text at each separator without a backslash before it. Backslashes stay. */
  static List<String> split(String text, char separator) {
    List<String> pieces = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == separator) {
        pieces.add(text.substring(start, i));
        start = i + 1;
      }
    }
    pieces.add(text.substring(start));
    return pieces;
  }

  /** Removes the backslashes that {@link #split} left. */
  static String unescape(String piece) {
    return piece.replaceAll("\\\\(.)", "$1");
  }
}
