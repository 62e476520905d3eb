package dev.unseen.io;

/**
 * Describes how a line is divided into columns.
 *
 * @param separator the text between columns, one or more ASCII characters; empty for the separator
 *     of the format
 * @param quote the character around columns that contain separators or line ends; {@link #NO_QUOTE}
 *     for none, {@link #FORMAT_QUOTE} for the quote of the format
 * @param blanks whether runs of blanks separate the columns instead, as in awk: blanks at either
 *     end of a line do not count
 */
public record ColumnSpec(String separator, int quote, boolean blanks) {
  /** The quote of the format: a double quote in CSV, none in TSV. */
  public static final int FORMAT_QUOTE = -1;

  /** No quotes: every character stands for itself. */
  public static final int NO_QUOTE = -2;

  /** The separator and the quote of the format. */
  public static final ColumnSpec OF_FORMAT = new ColumnSpec("", FORMAT_QUOTE, false);

  private static final int MAX_SEPARATOR = 16;

  /** Rejects separators and quotes that could not be distinguished from text. */
  public ColumnSpec {
    boolean ascii = separator.chars().allMatch(c -> c > 0 && c < 0x80 && c != '\n' && c != '\r');
    if (!ascii || separator.length() > MAX_SEPARATOR) {
      throw new IllegalArgumentException(
          "separator '%s' must be 1 to %d ASCII characters without a line end, such as ';' or \\t"
              .formatted(separator, MAX_SEPARATOR));
    }
    if (quote > 0x7F || quote == '\n' || quote == '\r' || quote == 0) {
      throw new IllegalArgumentException(
          "quote '%s' must be one ASCII character other than a line end, or none"
              .formatted(Character.toString(quote)));
    }
    if (quote >= 0 && separator.indexOf(quote) >= 0) {
      throw new IllegalArgumentException(
          "separator '%s' must not contain the quote %c; choose another quote, or none"
              .formatted(separator, (char) quote));
    }
    if (blanks && !separator.isEmpty()) {
      throw new IllegalArgumentException(
          "columns can be separated by '%s' or by blanks, not by both; leave one of them out"
              .formatted(separator));
    }
  }

  /** Returns whether everything is as in the format. */
  boolean isOfFormat() {
    return separator.isEmpty() && quote == FORMAT_QUOTE && !blanks; // equals takes 30 ms to load
  }
}
