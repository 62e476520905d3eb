package dev.unseen.lab.stream;

import dev.unseen.plan.stream.StreamModel;
import dev.unseen.text.Parse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A synthetic stream with a name: {@code loop:1600000:400000} goes round 400,000 keys for 1.6
 * million records. {@link #help} lists all forms.
 *
 * @param model describes the stream if all keys seen so far are equally likely to come again, so
 *     that the information bound holds; empty for others
 */
public record NamedStream(String name, SyntheticStream stream, Optional<StreamModel> model) {
  /**
   * The streams on which every filter is measured, in addition to real traces. Each has one
   * property that a trace may have.
   */
  public static final List<String> USUAL =
      List.of(
          "loop:400K:100K",
          "loop-noise:400K:80K:20",
          "day-twice:400K:60K",
          "scan:400K:40K:40",
          "shift:400K:40K:10",
          "twice:400K:80K");

  private static final List<Form> FORMS =
      List.of(
          new Form(
              "loop:RECORDS:KEYS",
              "goes round KEYS keys in the same order, again and again",
              "loop:1600000:400000",
              (p, seed) -> Streams.loop(p.count(0), p.count(1))),
          new Form(
              "loop-noise:RECORDS:KEYS:NOISE%",
              "a loop over KEYS keys, in which NOISE % of the records are keys that come only once",
              "loop-noise:1M:200K:20",
              (p, seed) -> Streams.noisy(Streams.loop(p.notNoise(), p.count(1)), p.number(2))),
          new Form(
              "day-twice:RECORDS:KEYS",
              "a log with popular keys and bursts, about KEYS in all, ingested twice",
              "day-twice:1M:100K",
              (p, seed) -> Streams.repeated(Streams.day(p.count(0) / 2, p.count(1), seed), 2)),
          new Form(
              "scan:RECORDS:KEYS:SCAN%",
              "KEYS popular keys by Zipf's law, and SCAN % keys that come only once",
              "scan:1M:100K:50",
              (p, seed) ->
                  Streams.noisy(Streams.zipf(p.notNoise(), p.count(1), 0.8, seed), p.number(2))),
          new Form(
              "shift:RECORDS:KEYS:SETS",
              "draws from SETS working sets in turn; each keeps half of the one before",
              "shift:1M:100K:10",
              (p, seed) -> Streams.shifting(p.count(0), p.count(1), p.count(2), seed)),
          new Form(
              "twice:RECORDS:DISTANCE",
              "each key twice, DISTANCE records apart",
              "twice:1M:200K",
              (p, seed) -> Streams.twice(p.count(0), p.count(1))),
          new Form(
              "recency:RECORDS:REPEATS%:WINDOW",
              "REPEATS % of the records repeat one of the last WINDOW records",
              "recency:10M:50:100K",
              (p, seed) ->
                  Streams.recency(p.count(0), p.number(1), Streams.within(p.count(2)), seed)),
          new Form(
              "zipf:RECORDS:KEYS:EXPONENT",
              "draws from KEYS keys by Zipf's law",
              "zipf:1M:100K:0.9",
              (p, seed) -> Streams.zipf(p.count(0), p.count(1), p.number(2), seed)),
          new Form(
              "uniform:RECORDS:KEYS",
              "uniform draws from KEYS keys",
              "uniform:1M:100K",
              (p, seed) -> Streams.uniform(p.count(0), p.count(1), seed)),
          new Form(
              "shuffled:RECORDS:DISTINCT%",
              "the paper's: DISTINCT % of the records are distinct, in random order",
              "shuffled:10M:60",
              (p, seed) ->
                  Streams.shuffled(p.count(0), Math.round(p.count(0) * p.number(1)), seed)));

  /**
   * A form of names.
   *
   * @param form how the name is written: the parts after the first are counts, except for
   *     percentages, which end with a percent sign, and the exponent
   * @param meaning what the stream does, as half a sentence
   */
  private record Form(String form, String meaning, String example, Factory factory) {
    String id() {
      return form.substring(0, form.indexOf(':'));
    }

    Parameters parse(String name) {
      String[] texts = name.split(":", -1);
      String[] parts = form.toLowerCase(Locale.ROOT).split(":", -1);
      if (texts.length != parts.length) {
        throw rejected(name, "");
      }
      List<Number> numbers = new ArrayList<>();
      for (int i = 1; i < parts.length; i++) {
        try {
          numbers.add(number(parts[i], texts[i]));
        } catch (IllegalArgumentException e) {
          throw rejected(name, "; " + e.getMessage());
        }
      }
      return new Parameters(numbers);
    }

    private IllegalArgumentException rejected(String name, String why) {
      return new IllegalArgumentException(
          "stream '%s' must be %s, such as %s%s".formatted(name, form, example, why));
    }

    private static Number number(String part, String text) {
      if (part.endsWith("%")) {
        return Parse.share(part.replace("%", ""), text.endsWith("%") ? text : text + "%");
      }
      if (!part.equals("exponent")) {
        return Parse.count(part, text);
      }
      try {
        return Double.valueOf(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "exponent '%s' must be a number, such as 0.9".formatted(text), e);
      }
    }
  }

  private interface Factory {
    SyntheticStream create(Parameters parameters, long seed);
  }

  /** The parameters in a name, in order. */
  private record Parameters(List<Number> numbers) {
    long count(int i) {
      return numbers.get(i).longValue();
    }

    double number(int i) {
      return numbers.get(i).doubleValue();
    }

    /** Returns the number of records that are not noise, of which the third number is the share. */
    long notNoise() {
      return Streams.withoutNoise(number(2), count(0));
    }
  }

  /**
   * Parses a name.
   *
   * @throws IllegalArgumentException if it has another form; the message shows the expected one
   */
  public static NamedStream parse(String name, long seed) {
    String id = name.toLowerCase(Locale.ROOT).split(":", -1)[0];
    for (Form form : FORMS) {
      if (form.id().equals(id)) {
        SyntheticStream stream = form.factory.create(form.parse(name), seed);
        return switch (id) {
          case "shuffled" -> shuffled(name, stream);
          case "uniform" -> new NamedStream(name, stream, Optional.of(uniform(stream)));
          default -> new NamedStream(name, stream, Optional.empty());
        };
      }
    }
    throw new IllegalArgumentException(
        "stream '%s' is unknown; known: %s"
            .formatted(name, FORMS.stream().map(Form::form).collect(Collectors.joining(", "))));
  }

  /** Returns the paper's data set under a name. */
  public static NamedStream shuffled(String name, SyntheticStream stream) {
    StreamModel model = StreamModel.shuffled((double) stream.records(), (double) stream.keySpace());
    return new NamedStream(name, stream, Optional.of(model));
  }

  private static StreamModel uniform(SyntheticStream stream) {
    return StreamModel.uniform((double) stream.records(), (double) stream.keySpace());
  }

  static List<String> examples() {
    return FORMS.stream().map(Form::example).toList();
  }

  /** Describes all forms, in lines for the help of a command. */
  public static List<String> help() {
    List<String> lines = new ArrayList<>();
    for (Form form : FORMS) {
      lines.add("  " + form.form());
      lines.add("      " + form.meaning());
    }
    return lines;
  }
}
