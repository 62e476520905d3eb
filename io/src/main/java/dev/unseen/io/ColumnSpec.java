package dev.unseen.io;

/**
 * How the columns of a line are parted.
 *
 * @param separator between columns, of one or more ASCII characters; empty for that of the format
 * @param quote the character around columns that hold separators or line ends; {@link #NO_QUOTE}
 *     for none, {@link #FORMAT_QUOTE} for that of the format
 * @param blanks whether columns are parted by runs of blanks instead, as awk does it: blanks at
 *     either end of a line do not count
 */
public record ColumnSpec(String separator, int quote, boolean blanks) {
  /** The quote of the format: a double quote in CSV, none in TSV. */
  public static final int FORMAT_QUOTE = -1;

  /** Every character stands for itself. */
  public static final int NO_QUOTE = -2;

  /** As the format has it. */
  public static final ColumnSpec OF_FORMAT = new ColumnSpec("", FORMAT_QUOTE, false);

  private static final int MAX_SEPARATOR = 16;

  /** Refuses separators and quotes that cannot be told from text. */
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
          "separator '%s' must not hold the quote %c; choose another with --quote, or --quote none"
              .formatted(separator, (char) quote));
    }
    if (blanks && !separator.isEmpty()) {
      throw new IllegalArgumentException(
          "columns are parted by separator '%s' or by blanks, not by both".formatted(separator));
    }
  }

  /** Whether nothing was said about columns. */
  boolean isOfFormat() {
    return separator.isEmpty() && quote == FORMAT_QUOTE && !blanks; // equals takes 30 ms to load
  }
}
