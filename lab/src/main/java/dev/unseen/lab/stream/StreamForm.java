package dev.unseen.lab.stream;

import dev.unseen.text.Parse;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A form of stream names.
 *
 * @param form how the name is written, such as {@code loop:RECORDS:KEYS}
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
              (parts, seed) -> new LoopStream(parts.count("records"), parts.count("keys"))),
          new StreamForm(
              "loop-noise:RECORDS:KEYS:NOISE%",
              "a loop over KEYS keys, in which NOISE % of the records are keys that come only once",
              "loop-noise:1M:200K:20",
              (parts, seed) -> {
                long records = parts.count("records");
                long keys = parts.count("keys");
                double noise = parts.percent("noise");
                return new NoisyStream(
                    new LoopStream(NoisyStream.without(noise, records), keys), noise);
              }),
          new StreamForm(
              "day-twice:RECORDS:KEYS",
              "a log with popular keys and bursts, about KEYS in all, ingested twice",
              "day-twice:1M:100K",
              (parts, seed) ->
                  new RepeatedStream(
                      new DayStream(parts.count("records") / 2, parts.count("keys"), seed), 2)),
          new StreamForm(
              "scan:RECORDS:KEYS:SCAN%",
              "KEYS popular keys by Zipf's law, and SCAN % keys that come only once",
              "scan:1M:100K:50",
              (parts, seed) -> {
                long records = parts.count("records");
                long keys = parts.count("keys");
                double scan = parts.percent("scan");
                return new NoisyStream(
                    new ZipfStream(NoisyStream.without(scan, records), keys, 0.8, seed), scan);
              }),
          new StreamForm(
              "shift:RECORDS:KEYS:SETS",
              "draws from SETS working sets in turn; each keeps half of the one before",
              "shift:1M:100K:10",
              (parts, seed) ->
                  new ShiftingStream(
                      parts.count("records"), parts.count("keys"), parts.count("sets"), seed)),
          new StreamForm(
              "twice:RECORDS:DISTANCE",
              "each key twice, DISTANCE records apart",
              "twice:1M:200K",
              (parts, seed) -> new TwiceStream(parts.count("records"), parts.count("distance"))),
          new StreamForm(
              "recency:RECORDS:REPEATS%:WINDOW",
              "REPEATS % of the records repeat one of the last WINDOW records",
              "recency:10M:50:100K",
              (parts, seed) -> {
                long records = parts.count("records");
                double repeats = parts.percent("repeats");
                return new RecencyStream(
                    records, repeats, Distances.within(parts.count("window")), seed);
              }),
          new StreamForm(
              "zipf:RECORDS:KEYS:EXPONENT",
              "draws from KEYS keys by Zipf's law",
              "zipf:1M:100K:0.9",
              (parts, seed) ->
                  new ZipfStream(
                      parts.count("records"), parts.count("keys"), parts.number("exponent"), seed)),
          new StreamForm(
              "uniform:RECORDS:KEYS",
              "uniform draws from KEYS keys",
              "uniform:1M:100K",
              (parts, seed) ->
                  new UniformStream(parts.count("records"), parts.count("keys"), seed)),
          new StreamForm(
              "shuffled:RECORDS:DISTINCT%",
              "the paper's: DISTINCT % of the records are distinct, in random order",
              "shuffled:10M:60",
              (parts, seed) -> {
                long records = parts.count("records");
                double distinct = parts.percent("distinct");
                return new ShuffledStream(records, Math.round(records * distinct), seed);
              }));

  /** Creates a stream from the parts of a name. */
  interface Factory {
    SyntheticStream create(Parts parts, long seed);
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
   * @throws IllegalArgumentException if there is no form of this name; the message lists them
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
    Parts parts = new Parts(this, name);
    if (parts.texts.size() != form.split(":", -1).length) {
      throw parts.rejected("");
    }
    return factory.create(parts, seed);
  }

  /** The parts of a name, which are read in order. */
  static final class Parts {
    final StreamForm form;
    final String name;
    final List<String> texts;
    int next = 1;

    Parts(StreamForm form, String name) {
      this.form = form;
      this.name = name;
      this.texts = List.of(name.split(":", -1));
    }

    long count(String part) {
      return read(text -> Parse.count(part, text));
    }

    double percent(String part) {
      return read(text -> Parse.share(part, text.endsWith("%") ? text : text + "%"));
    }

    double number(String part) {
      return read(
          text -> {
            try {
              return Double.parseDouble(text);
            } catch (NumberFormatException e) {
              throw new IllegalArgumentException(
                  "%s '%s' must be a number, such as 0.9".formatted(part, text), e);
            }
          });
    }

    private <T> T read(Function<String, T> reader) {
      try {
        return reader.apply(texts.get(next++));
      } catch (IllegalArgumentException e) {
        throw rejected("; " + e.getMessage());
      }
    }

    IllegalArgumentException rejected(String why) {
      return new IllegalArgumentException(
          "stream '%s' must be %s, such as %s%s".formatted(name, form.form, form.example, why));
    }
  }
}
