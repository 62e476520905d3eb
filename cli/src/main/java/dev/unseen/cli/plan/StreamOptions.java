package dev.unseen.cli.plan;

import static dev.unseen.commands.RecordArguments.flag;
import static dev.unseen.commands.RecordArguments.group;
import static dev.unseen.commands.RecordArguments.value;

import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordArguments;
import dev.unseen.commands.RecordOptions;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Model.ArgGroupSpec;

/**
 * The options that describe a stream.
 *
 * @param given all options that were given
 * @param memory what the user has written for it, for examples
 */
record StreamOptions(GivenOptions given, String memory) {
  private static final double DEFAULT_REPEATS = 0.5;

  /** The options that describe a stream without a file. */
  private static final List<String> DESCRIBING =
      List.of(
          "--records",
          "--distinct",
          "--universe",
          "--loops-over",
          "--endless",
          "--repeats",
          "--repeats-within",
          "--half-life",
          "--histogram");

  /** Those that say how far back repeats are. */
  private static final List<String> DISTANCES = DESCRIBING.subList(6, 9);

  /** Between the ends of a range of keys. */
  private static final String RANGE = "..";

  static ArgGroupSpec declared() {
    return group(
        "Stream",
        value("FILE", "--sample")
            .description("Learn the stream from this file, the same as naming FILE."),
        value("N", "--records").description("Expect this many records: 1e9, 1_000_000 or 5M."),
        value("D", "--distinct")
            .description(
                "Expect this many distinct keys: a share of the records (0.6 or 60%%), a count"
                    + " (20M), or a range (1M..20M), which gives a plan for both ends."),
        value("U", "--universe")
            .description(
                "Expect records drawn at random from this many keys, in place of --distinct."),
        value("N", "--loops-over")
            .description(
                "Expect N keys in the same order again and again, as from a file that is read"
                    + " several times."),
        flag("--endless")
            .description(
                "Expect a stream that never ends, in place of --records. The plan has the rates"
                    + " that each filter settles at."),
        value("W", "--repeats-within")
            .description("Expect repeats anywhere within the last W records."),
        value("H", "--half-life")
            .description(
                "Expect half of the repeats within H records, half of the rest within 2 H, and so"
                    + " on."),
        value("FILE", "--histogram")
            .description(
                "Expect repeats at the distances in this file, which has one 'distance,weight' per"
                    + " line."),
        value("R", "--repeats")
            .description(
                "Expect this share of the records to be repeats (0 to below 1), with one of the"
                    + " three options before it. Default: 0.5."));
  }

  /**
   * Returns the stream that is described; two if there is a range, the smaller number of keys
   * first.
   *
   * @param file the file to learn it from; null if none is named
   */
  List<DescribedStream> streams(String file) throws IOException {
    List<String> describing = givenOf(DESCRIBING);
    GivenOptions reading = given.only(RecordArguments.names());
    String sample = text("--sample");
    if (file != null && sample != null) {
      throw contradiction(file, "--sample", "each names a file to learn from");
    }
    String data = file == null ? sample : file;
    if (data != null) {
      if (!describing.isEmpty()) {
        throw contradiction(
            describing.get(0),
            file == null ? "--sample" : "FILE",
            "the file says what the stream is like");
      }
      return List.of(SampledFile.read(data, RecordOptions.of(reading), SampledFile.LIMIT).stream());
    }
    if (describing.isEmpty()) {
      throw new IllegalArgumentException(
          "what is the stream like? Name a file, as in: unseen plan events.jsonl -k id; or describe"
              + " it, as in: unseen plan -m 512M --records 1e9 --distinct 0.6");
    }
    if (!reading.values().isEmpty()) {
      throw new IllegalArgumentException(
          "%s says how to read a file; name the file, as in: unseen plan events.jsonl -k id"
              .formatted(new TreeSet<>(reading.values().keySet()).first()));
    }
    String distinct = text("--distinct");
    return distinct != null && distinct.contains(RANGE)
        ? range(distinct)
        : List.of(described(distinct));
  }

  /** Returns a stream for each end of a range. */
  private List<DescribedStream> range(String distinct) throws IOException {
    int at = distinct.indexOf(RANGE);
    String low = distinct.substring(0, at);
    String high = distinct.substring(at + RANGE.length());
    if (low.isBlank() || high.isBlank()) {
      throw new IllegalArgumentException(
          "--distinct '%s' must have two ends, such as 1M..20M".formatted(distinct));
    }
    DescribedStream few = described(low);
    DescribedStream many = described(high);
    if (few.model().keys() > many.model().keys()) {
      throw new IllegalArgumentException(
          "--distinct '%s' must begin with the smaller number of keys".formatted(distinct));
    }
    return List.of(few, many);
  }

  private DescribedStream described(String keys) throws IOException {
    if (given.isGiven("--loops-over")) {
      return loop();
    }
    List<String> distances = givenOf(DISTANCES);
    if (distances.size() > 1) {
      throw contradiction(distances.get(0), distances.get(1), "say once how far back repeats are");
    }
    if (!distances.isEmpty()) {
      return recent(distances.get(0));
    }
    for (String option : List.of("--endless", "--repeats")) {
      if (given.isGiven(option)) {
        throw new IllegalArgumentException(
            "%s needs to know how far back %s: add --repeats-within W, --half-life H or --histogram FILE"
                .formatted(option, option.equals("--endless") ? "repeats are" : "they are"));
      }
    }
    return finite(keys);
  }

  private DescribedStream finite(String keys) {
    double n = records("or --endless if they never end");
    if (keys != null && given.isGiven("--universe")) {
      throw contradiction("--distinct", "--universe", "each says how many keys there are");
    }
    if (given.isGiven("--universe")) {
      double universe = count("--universe");
      StreamModel model = StreamModel.uniform(n, universe);
      return new DescribedStream(
          model,
          "%s draws from a universe of %s keys, %s"
              .formatted(Print.count(n), Print.count(universe), distinctWords(model)));
    }
    if (keys == null) {
      throw new IllegalArgumentException(
          "how many of the %s records are distinct? Give a share, a count or a range, as in: unseen plan -m %s --records %s --distinct 0.2..0.8; or learn it from a file, as in: unseen plan events.jsonl -k id"
              .formatted(Print.count(n), memory, text("--records")));
    }
    StreamModel model = StreamModel.shuffled(n, distinctKeys(keys, n));
    return new DescribedStream(
        model, "%s records, %s".formatted(Print.count(n), distinctWords(model)));
  }

  private DescribedStream loop() {
    for (String other : givenOf(DESCRIBING)) {
      if (!other.equals("--loops-over") && !other.equals("--records")) {
        throw contradiction(
            other, "--loops-over", "a loop is described by its records and its keys");
      }
    }
    double n = records("all passes of the loop together");
    double keys = count("--loops-over");
    if (keys > n) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--loops-over (%,.0f keys) must be at most the %,.0f --records; a loop that is not"
                  + " finished once has no duplicates",
              keys,
              n));
    }
    return new DescribedStream(
        StreamModel.loop(n, keys),
        "%s records that go round %s keys, %s times"
            .formatted(Print.count(n), Print.count(keys), Print.digits(n / keys, 3)));
  }

  /** Returns the distinct keys: a share of the records, or a count if it is above 1. */
  private static double distinctKeys(String text, double n) {
    double keys = Parse.part("--distinct", text, n);
    if (keys < 1 || keys > n) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--distinct '%s' must be at least one key and at most the %,.0f records",
              text,
              n));
    }
    return keys;
  }

  private DescribedStream recent(String distance) throws IOException {
    for (String other : List.of("--distinct", "--universe")) {
      if (given.isGiven(other)) {
        throw contradiction(other, distance, "give the share of repeats by --repeats");
      }
    }
    boolean endless = given.isGiven("--endless");
    if (endless && given.isGiven("--records")) {
      throw contradiction("--endless", "--records", "a stream either ends or not");
    }
    double n = endless ? 0 : records("or --endless if they never end");
    double share =
        given.text("--repeats").map(text -> Parse.share("--repeats", text)).orElse(DEFAULT_REPEATS);
    RepeatDistances distribution;
    String where;
    switch (distance) {
      case "--repeats-within" -> {
        distribution = RepeatDistances.uniformWithin(count(distance));
        where = "within the last %s records".formatted(Print.count(count(distance)));
      }
      case "--half-life" -> {
        distribution = RepeatDistances.halfLife(count(distance));
        where = "with a half-life of %s records".formatted(Print.count(count(distance)));
      }
      default -> {
        Path histogram = Path.of(text(distance));
        distribution = RepeatDistances.histogram(readHistogram(histogram));
        where = "at the distances of " + histogram.getFileName();
      }
    }
    return new DescribedStream(
        endless
            ? StreamModel.endless(share, distribution)
            : StreamModel.recent(n, share, distribution),
        "%s, %s of them repeats %s"
            .formatted(
                endless ? "records without end" : Print.count(n) + " records",
                Print.percent(share),
                where));
  }

  private static NavigableMap<Long, Double> readHistogram(Path file) throws IOException {
    NavigableMap<Long, Double> weights = new TreeMap<>();
    int number = 0;
    for (String line : linesOf(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#") || (number == 1 && line.matches("\\p{Alpha}.*"))) {
        continue; // a comment, or a header
      }
      String[] parts = line.split(",", -1);
      try {
        if (parts.length == 2) {
          weights.merge(
              Long.parseLong(parts[0].strip()), Double.parseDouble(parts[1].strip()), Double::sum);
          continue;
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      throw new IOException(
          "%s, line %d: '%s' must be a distance and its weight, such as 1000,0.25"
              .formatted(file, number, line));
    }
    return weights;
  }

  private static List<String> linesOf(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new IOException(
          "%s is not a text file; it must have a distance and its weight per line, such as 1000,0.25"
              .formatted(file),
          e);
    }
  }

  private static String distinctWords(StreamModel model) {
    double keys = model.distinct(model.records());
    return "%s distinct (%s)".formatted(Print.count(keys), Print.percent(keys / model.records()));
  }

  private static IllegalArgumentException contradiction(String one, String other, String why) {
    return new IllegalArgumentException(
        "%s and %s contradict each other: %s; leave one out".formatted(one, other, why));
  }

  private List<String> givenOf(List<String> options) {
    return options.stream().filter(given::isGiven).toList();
  }

  private String text(String option) {
    return given.text(option).orElse(null);
  }

  /** Returns the number of records, or fails with what to do if it was not given. */
  private double records(String remark) {
    if (!given.isGiven("--records")) {
      throw new IllegalArgumentException(
          "the number of records is missing: add --records N, " + remark);
    }
    return count("--records");
  }

  /** Returns a count as the real number that a model of a stream has. */
  private double count(String option) {
    return (double) Parse.count(option, text(option));
  }
}
