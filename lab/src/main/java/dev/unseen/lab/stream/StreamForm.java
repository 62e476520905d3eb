package dev.unseen.lab.stream;

import dev.unseen.text.Parse;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A form of stream names.
 *
 * @param form how the name is written, such as {@code loop:RECORDS:KEYS}: the parts after the first
 *     are counts, except for percentages, which end with a percent sign, and the exponent
 * @param meaning what the stream does, as half a sentence
 * @param example a name of this form
 */
record StreamForm(String form, String meaning, String example, Factory factory) {
  /** All forms. */
  static final List<StreamForm> ALL =
      List.of(
          new StreamForm(
              "loop:RECORDS:KEYS",
              "goes round KEYS keys in the same order, again and again",
              "loop:1600000:400000",
              (p, seed) -> new LoopStream(p.count(0), p.count(1))),
          new StreamForm(
              "loop-noise:RECORDS:KEYS:NOISE%",
              "a loop over KEYS keys, in which NOISE % of the records are keys that come only once",
              "loop-noise:1M:200K:20",
              (p, seed) ->
                  new NoisyStream(
                      new LoopStream(NoisyStream.without(p.number(2), p.count(0)), p.count(1)),
                      p.number(2))),
          new StreamForm(
              "day-twice:RECORDS:KEYS",
              "a log with popular keys and bursts, about KEYS in all, ingested twice",
              "day-twice:1M:100K",
              (p, seed) -> new RepeatedStream(new DayStream(p.count(0) / 2, p.count(1), seed), 2)),
          new StreamForm(
              "scan:RECORDS:KEYS:SCAN%",
              "KEYS popular keys by Zipf's law, and SCAN % keys that come only once",
              "scan:1M:100K:50",
              (p, seed) ->
                  new NoisyStream(
                      new ZipfStream(
                          NoisyStream.without(p.number(2), p.count(0)), p.count(1), 0.8, seed),
                      p.number(2))),
          new StreamForm(
              "shift:RECORDS:KEYS:SETS",
              "draws from SETS working sets in turn; each keeps half of the one before",
              "shift:1M:100K:10",
              (p, seed) -> new ShiftingStream(p.count(0), p.count(1), p.count(2), seed)),
          new StreamForm(
              "twice:RECORDS:DISTANCE",
              "each key twice, DISTANCE records apart",
              "twice:1M:200K",
              (p, seed) -> new TwiceStream(p.count(0), p.count(1))),
          new StreamForm(
              "recency:RECORDS:REPEATS%:WINDOW",
              "REPEATS % of the records repeat one of the last WINDOW records",
              "recency:10M:50:100K",
              (p, seed) ->
                  new RecencyStream(p.count(0), p.number(1), Distances.within(p.count(2)), seed)),
          new StreamForm(
              "zipf:RECORDS:KEYS:EXPONENT",
              "draws from KEYS keys by Zipf's law",
              "zipf:1M:100K:0.9",
              (p, seed) -> new ZipfStream(p.count(0), p.count(1), p.number(2), seed)),
          new StreamForm(
              "uniform:RECORDS:KEYS",
              "uniform draws from KEYS keys",
              "uniform:1M:100K",
              (p, seed) -> new UniformStream(p.count(0), p.count(1), seed)),
          new StreamForm(
              "shuffled:RECORDS:DISTINCT%",
              "the paper's: DISTINCT % of the records are distinct, in random order",
              "shuffled:10M:60",
              (p, seed) ->
                  new ShuffledStream(p.count(0), Math.round(p.count(0) * p.number(1)), seed)));

  /** Creates a stream from the parameters in a name. */
  interface Factory {
    SyntheticStream create(Parameters parameters, long seed);
  }

  /** The parameters in a name, in order. */
  record Parameters(List<Number> numbers) {
    long count(int i) {
      return numbers.get(i).longValue();
    }

    double number(int i) {
      return numbers.get(i).doubleValue();
    }
  }

  /** Returns whether all keys seen so far are equally likely to come again. */
  boolean uniformKeys() {
    return id().equals("shuffled") || id().equals("uniform");
  }

  private String id() {
    return form.substring(0, form.indexOf(':'));
  }

  /**
   * Returns the form of a name.
   *
   * @throws IllegalArgumentException if the name has another form; the message lists all
   */
  static StreamForm of(String name) {
    String id = name.toLowerCase(Locale.ROOT).split(":", -1)[0];
    return ALL.stream()
        .filter(form -> form.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "stream '%s' is unknown; known: %s"
                        .formatted(
                            name,
                            ALL.stream().map(StreamForm::form).collect(Collectors.joining(", ")))));
  }

  /** Creates the stream of a name of this form. */
  SyntheticStream create(String name, long seed) {
    String[] texts = name.split(":", -1);
    String[] parts = form.toLowerCase(Locale.ROOT).split(":", -1);
    if (texts.length != parts.length) {
      throw rejected(name, "");
    }
    Number[] numbers = new Number[parts.length - 1];
    for (int i = 1; i < parts.length; i++) {
      try {
        numbers[i - 1] = number(parts[i], texts[i]);
      } catch (IllegalArgumentException e) {
        throw rejected(name, "; " + e.getMessage());
      }
    }
    return factory.create(new Parameters(List.of(numbers)), seed);
  }

  private IllegalArgumentException rejected(String name, String why) {
    return new IllegalArgumentException(
        "stream '%s' must be %s, such as %s%s".formatted(name, form, example, why));
  }

  private static Number number(String part, String text) {
    if (part.endsWith("%")) {
      return Parse.share(part.replace("%", ""), text.endsWith("%") ? text : text + "%");
    }
    if (part.equals("exponent")) {
      return exponent(text);
    }
    return Parse.count(part, text);
  }

  private static double exponent(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "exponent '%s' must be a number, such as 0.9".formatted(text), e);
    }
  }
}
