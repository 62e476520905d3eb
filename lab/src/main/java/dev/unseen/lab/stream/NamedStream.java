package dev.unseen.lab.stream;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A synthetic stream by its name: {@code shuffled:10M:60} has 10 million records, 60 % distinct, in
 * random order; {@code recency:10M:50:100K} repeats one of the last 100,000 records in 50 % of its
 * own.
 *
 * @param uniformKeys whether all keys seen so far are as likely to come again
 */
public record NamedStream(String name, SyntheticStream stream, boolean uniformKeys) {
  private static final Pattern COUNT = Pattern.compile("(\\d+(?:\\.\\d+)?)([KMB]?)");
  private static final Pattern PERCENT = Pattern.compile("\\d+(?:\\.\\d+)?");
  private static final String UNITS = "KMB";

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException that tells the form, if it is none
   */
  public static NamedStream parse(String name, long seed) {
    String[] parts = name.toLowerCase(Locale.ROOT).split(":", -1);
    try {
      if (parts[0].equals("shuffled") && parts.length == 3) {
        long records = count(parts[1]);
        long distinct = Math.round(records * percent(parts[2]));
        return new NamedStream(name, new ShuffledStream(records, distinct, seed), true);
      }
      if (parts[0].equals("recency") && parts.length == 4) {
        Distances distances = Distances.within(count(parts[3]));
        return new NamedStream(
            name, new RecencyStream(count(parts[1]), percent(parts[2]), distances, seed), false);
      }
    } catch (NumberFormatException e) {
      // told below, with the form
    }
    throw new IllegalArgumentException(
        "stream '%s' must be shuffled:RECORDS:DISTINCT%% or recency:RECORDS:REPEATS%%:WINDOW, such as shuffled:10M:60 or recency:10M:50:100K"
            .formatted(name));
  }

  private static long count(String text) {
    Matcher count = COUNT.matcher(text.toUpperCase(Locale.ROOT));
    if (!count.matches()) {
      throw new NumberFormatException(text);
    }
    int thousands = count.group(2).isEmpty() ? 0 : UNITS.indexOf(count.group(2)) + 1;
    return Math.round(Double.parseDouble(count.group(1)) * Math.pow(1000, thousands));
  }

  private static double percent(String text) {
    String number = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
    if (!PERCENT.matcher(number).matches()) {
      throw new NumberFormatException(text);
    }
    return Double.parseDouble(number) / 100;
  }
}
