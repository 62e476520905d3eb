package dev.unseen.cli.plan;

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
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options that describe the stream. */
final class StreamOptions {
  private static final double DEFAULT_REPEATS = 0.5;

  /** The options that say how far back repeats are. */
  private static final List<String> DISTANCES =
      List.of("--repeats-within", "--half-life", "--histogram");

  /** The options that describe a stream, other than by a file. */
  private static final List<String> DESCRIBING =
      Stream.concat(
              Stream.of(
                  "--records",
                  "--distinct",
                  "--universe",
                  "--loops-over",
                  "--endless",
                  "--repeats"),
              DISTANCES.stream())
          .toList();

  /** Between the ends of a range of keys. */
  private static final String RANGE = "..";

  @Option(
      names = "--sample",
      paramLabel = "FILE",
      description = "Learn the stream from this file, the same as naming FILE.")
  private String sample;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Expect this many records: 1e9, 1_000_000 or 5M.")
  private String records;

  @Option(
      names = "--distinct",
      paramLabel = "D",
      description =
          "Expect this many distinct keys: a share of the records (0.6 or 60%%), a count (20M), or"
              + " a range (1M..20M), which gives a plan for both ends.")
  private String distinct;

  @Option(
      names = "--universe",
      paramLabel = "U",
      description = "Expect records drawn at random from this many keys, in place of --distinct.")
  private String universe;

  @Option(
      names = "--loops-over",
      paramLabel = "N",
      description =
          "Expect N keys in the same order again and again, as from a file that is read several"
              + " times.")
  private String loopsOver;

  @Option(
      names = "--endless",
      description =
          "Expect a stream that never ends, in place of --records. The plan has the rates that"
              + " each filter settles at.")
  private boolean endless;

  @Option(
      names = "--repeats-within",
      paramLabel = "W",
      description = "Expect repeats anywhere within the last W records.")
  private String repeatsWithin;

  @Option(
      names = "--half-life",
      paramLabel = "H",
      description =
          "Expect half of the repeats within H records, half of the rest within 2 H, and so on.")
  private String halfLife;

  @Option(
      names = "--histogram",
      paramLabel = "FILE",
      description =
          "Expect repeats at the distances in this file, which has one 'distance,weight' per line.")
  private Path histogram;

  @Option(
      names = "--repeats",
      paramLabel = "R",
      description =
          "Expect this share of the records to be repeats (0 to below 1), with one of the three"
              + " options before it. Default: 0.5.")
  private String repeats;

  /**
   * Returns the stream that is described; two if there is a range, the smaller number of keys
   * first.
   *
   * @param file the file to learn it from; null if none is named
   * @param line all options that were given
   * @param memory what the user has written for it, for examples
   */
  List<DescribedStream> streams(String file, GivenOptions line, String memory) throws IOException {
    List<String> given = DESCRIBING.stream().filter(line::isGiven).toList();
    GivenOptions reading = line.only(RecordArguments.names());
    if (file != null && sample != null) {
      throw contradiction(file, "--sample", "each names a file to learn from");
    }
    String data = file == null ? sample : file;
    if (data != null) {
      if (!given.isEmpty()) {
        throw contradiction(
            given.get(0),
            file == null ? "--sample" : "FILE",
            "the file says what the stream is like");
      }
      RecordOptions options = RecordOptions.of(reading);
      return List.of(SampledFile.read(data, options, SampledFile.LIMIT).stream());
    }
    if (given.isEmpty()) {
      throw new IllegalArgumentException(
          "what is the stream like? Name a file, as in: unseen plan events.jsonl -k id; or describe"
              + " it, as in: unseen plan -m 512M --records 1e9 --distinct 0.6");
    }
    if (!reading.values().isEmpty()) {
      throw new IllegalArgumentException(
          "%s says how to read a file; name the file, as in: unseen plan events.jsonl -k id"
              .formatted(new TreeSet<>(reading.values().keySet()).first()));
    }
    if (distinct != null && distinct.contains(RANGE)) {
      return range(given);
    }
    return List.of(described(given, distinct, memory));
  }

  /** Returns a stream for each end of a range. */
  private List<DescribedStream> range(List<String> given) throws IOException {
    int at = distinct.indexOf(RANGE);
    String low = distinct.substring(0, at);
    String high = distinct.substring(at + RANGE.length());
    if (low.isBlank() || high.isBlank()) {
      throw new IllegalArgumentException(
          "--distinct '%s' must have two ends, such as 1M..20M".formatted(distinct));
    }
    DescribedStream few = described(given, low, "");
    DescribedStream many = described(given, high, "");
    if (few.model().keys() > many.model().keys()) {
      throw new IllegalArgumentException(
          "--distinct '%s' must begin with the smaller number of keys".formatted(distinct));
    }
    return List.of(few, many);
  }

  private DescribedStream described(List<String> given, String keys, String memory)
      throws IOException {
    if (loopsOver != null) {
      return loop(given);
    }
    List<String> distances = DISTANCES.stream().filter(given::contains).toList();
    if (distances.size() > 1) {
      throw contradiction(distances.get(0), distances.get(1), "say once how far back repeats are");
    }
    if (!distances.isEmpty()) {
      return recent(given, distances.get(0));
    }
    if (endless) {
      throw new IllegalArgumentException(
          "--endless needs to know how far back repeats are: add --repeats-within W, --half-life H"
              + " or --histogram FILE");
    }
    if (repeats != null) {
      throw new IllegalArgumentException(
          "--repeats needs to know how far back they are: add --repeats-within W, --half-life H or"
              + " --histogram FILE");
    }
    return finite(keys, memory);
  }

  private DescribedStream finite(String keys, String memory) {
    if (records == null) {
      throw new IllegalArgumentException(
          "the number of records is missing: add --records N, or --endless if they never end");
    }
    double n = count("--records", records);
    if (keys != null && universe != null) {
      throw contradiction("--distinct", "--universe", "each says how many keys there are");
    }
    if (universe != null) {
      StreamModel model = StreamModel.uniform(n, count("--universe", universe));
      return new DescribedStream(
          model,
          "%s draws from a universe of %s keys, %s"
              .formatted(
                  Print.count(n),
                  Print.count(count("--universe", universe)),
                  distinctWords(model)));
    }
    if (keys == null) {
      throw new IllegalArgumentException(
          "how many of the %s records are distinct? Give a share, a count or a range, as in: unseen plan -m %s --records %s --distinct 0.2..0.8; or learn it from a file, as in: unseen plan events.jsonl -k id"
              .formatted(Print.count(n), memory, records));
    }
    StreamModel model = StreamModel.shuffled(n, distinctKeys(keys, n));
    return new DescribedStream(
        model, "%s records, %s".formatted(Print.count(n), distinctWords(model)));
  }

  private DescribedStream loop(List<String> given) {
    for (String other : given) {
      if (!other.equals("--loops-over") && !other.equals("--records")) {
        throw contradiction(
            other, "--loops-over", "a loop is described by its records and its keys");
      }
    }
    if (records == null) {
      throw new IllegalArgumentException(
          "the number of records is missing: add --records N, all passes of the loop together");
    }
    double n = count("--records", records);
    double keys = count("--loops-over", loopsOver);
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

  private DescribedStream recent(List<String> given, String distance) throws IOException {
    for (String other : List.of("--distinct", "--universe")) {
      if (given.contains(other)) {
        throw contradiction(other, distance, "give the share of repeats by --repeats");
      }
    }
    if (endless && records != null) {
      throw contradiction("--endless", "--records", "a stream either ends or not");
    }
    if (!endless && records == null) {
      throw new IllegalArgumentException(
          "the number of records is missing: add --records N, or --endless if they never end");
    }
    double share = repeats == null ? DEFAULT_REPEATS : Parse.share("--repeats", repeats);
    String where = "%s of them repeats %s".formatted(Print.percent(share), distanceWords());
    if (endless) {
      return new DescribedStream(
          StreamModel.endless(share, distribution()), "records without end, " + where);
    }
    double n = count("--records", records);
    return new DescribedStream(
        StreamModel.recent(n, share, distribution()),
        "%s records, %s".formatted(Print.count(n), where));
  }

  private RepeatDistances distribution() throws IOException {
    if (repeatsWithin != null) {
      return RepeatDistances.uniformWithin(count("--repeats-within", repeatsWithin));
    }
    return halfLife != null
        ? RepeatDistances.halfLife(count("--half-life", halfLife))
        : RepeatDistances.histogram(readHistogram());
  }

  private String distanceWords() {
    if (repeatsWithin != null) {
      return "within the last "
          + Print.count(count("--repeats-within", repeatsWithin))
          + " records";
    }
    return halfLife != null
        ? "with a half-life of " + Print.count(count("--half-life", halfLife)) + " records"
        : "at the distances of " + histogram.getFileName();
  }

  private NavigableMap<Long, Double> readHistogram() throws IOException {
    NavigableMap<Long, Double> weights = new TreeMap<>();
    int number = 0;
    for (String line : linesOf(histogram)) {
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
              .formatted(histogram, number, line));
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

  /** Reads a count as the real number that a model of a stream has. */
  private static double count(String option, String text) {
    return (double) Parse.count(option, text);
  }

  private static String distinctWords(StreamModel model) {
    double keys = model.distinct(model.records());
    return "%s distinct (%s)".formatted(Print.count(keys), Print.percent(keys / model.records()));
  }

  private static IllegalArgumentException contradiction(String one, String other, String why) {
    return new IllegalArgumentException(
        "%s and %s contradict each other: %s; leave one out".formatted(one, other, why));
  }
}
