package dev.unseen.lab.stream;

import dev.unseen.text.Parse;
import java.util.Locale;

/**
 * A synthetic stream by its name: {@code shuffled:10M:60} has 10 million records, 60 % distinct, in
 * random order; {@code recency:10M:50:100K} repeats one of the last 100,000 records in 50 % of its
 * own.
 *
 * @param uniformKeys whether all keys seen so far are as likely to come again
 */
public record NamedStream(String name, SyntheticStream stream, boolean uniformKeys) {
  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if it has another form; the message tells the form
   */
  public static NamedStream parse(String name, long seed) {
    String[] parts = name.toLowerCase(Locale.ROOT).split(":", -1);
    if (parts[0].equals("shuffled") && parts.length == 3) {
      long records = count(name, "records", parts[1]);
      long distinct = Math.round(records * percent(name, "distinct", parts[2]));
      return new NamedStream(name, new ShuffledStream(records, distinct, seed), true);
    }
    if (parts[0].equals("recency") && parts.length == 4) {
      long records = count(name, "records", parts[1]);
      double repeats = percent(name, "repeats", parts[2]);
      Distances distances = Distances.within(count(name, "window", parts[3]));
      return new NamedStream(name, new RecencyStream(records, repeats, distances, seed), false);
    }
    throw new IllegalArgumentException(form(name));
  }

  private static long count(String stream, String part, String text) {
    try {
      return Parse.count(part, text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(form(stream) + "; " + e.getMessage(), e);
    }
  }

  private static double percent(String stream, String part, String text) {
    try {
      return Parse.share(part, text.endsWith("%") ? text : text + "%");
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(form(stream) + "; " + e.getMessage(), e);
    }
  }

  private static String form(String name) {
    return "stream '%s' must be shuffled:RECORDS:DISTINCT%% or recency:RECORDS:REPEATS%%:WINDOW, such as shuffled:10M:60 or recency:10M:50:100K"
        .formatted(name);
  }
}
