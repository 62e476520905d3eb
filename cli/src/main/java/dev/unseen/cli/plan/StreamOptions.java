package dev.unseen.cli.plan;

import dev.unseen.hash.Xxh3;
import dev.unseen.io.KeyReader;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import dev.unseen.plan.stream.RepeatDistances;
import dev.unseen.plan.stream.RepeatSample;
import dev.unseen.plan.stream.StreamModel;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options that say what stream is to come. */
final class StreamOptions {
  private static final double DEFAULT_REPEATS = 0.5;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "How many records will come: 1e9, 1_000_000, 5M.")
  private String records;

  @Option(
      names = "--distinct",
      paramLabel = "D",
      description = "Of them the distinct ones: a share, 0.6 or 60%%, or a count of keys.")
  private String distinct;

  @Option(
      names = "--universe",
      paramLabel = "U",
      description = "Or: the records are uniform draws from so many keys.")
  private String universe;

  @Option(
      names = "--loops-over",
      paramLabel = "N",
      description =
          "Or: the records go round N keys in the same order, again and again, as a file that is read"
              + " several times.")
  private String loopsOver;

  @Option(
      names = "--endless",
      description = "The stream never ends; tells the rates that each filter settles at.")
  private boolean endless;

  @Option(
      names = "--repeats-within",
      paramLabel = "W",
      description = "Repeats come anywhere within the last W records.")
  private String repeatsWithin;

  @Option(
      names = "--half-life",
      paramLabel = "H",
      description = "Half of the repeats come within H records, half of the rest within 2 H...")
  private String halfLife;

  @Option(
      names = "--histogram",
      paramLabel = "FILE",
      description = "Repeats come at the distances of this file, one 'distance,weight' a line.")
  private Path histogram;

  @Option(
      names = "--repeats",
      paramLabel = "R",
      description = "With one of these three: the share of records that are repeats. Default 0.5.")
  private String repeats;

  @Option(
      names = "--sample",
      paramLabel = "FILE",
      description = "Your own data, a stream like the one to come; compressed or not.")
  private Path sample;

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description =
          "Of the sample: lines, csv, tsv, jsonl, json, int32be, int64be; guessed by its name.")
  private String format;

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description = "Of the sample: fields of JSON Lines, columns of CSV. Else the whole record.")
  private String key;

  /** Whether nothing was said of the stream. */
  boolean isEmpty() {
    return sample == null && given().isEmpty();
  }

  /** The stream that was described. */
  DescribedStream stream() throws IOException {
    if (sample != null) {
      refuse(given(), "--sample", "the sample says it all");
      return fromSample();
    }
    if (format != null || key != null) {
      throw new IllegalArgumentException("--format and --key need a --sample to read");
    }
    if (loopsOver != null) {
      return loop();
    }
    List<String> distances = distances();
    if (distances.size() > 1) {
      throw contradiction(distances.get(0), distances.get(1), "say once how far back repeats are");
    }
    if (!distances.isEmpty()) {
      return recent();
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
    return finite();
  }

  private DescribedStream finite() {
    if (records == null) {
      throw new IllegalArgumentException(
          "the number of records is missing: add --records N, or --endless if they never end");
    }
    double n = count("--records", records);
    if (distinct != null && universe != null) {
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
    if (distinct == null) {
      throw new IllegalArgumentException(
          "how many of the records are distinct is missing: add --distinct 0.6, --universe U,"
              + " --loops-over N or --repeats-within W");
    }
    StreamModel model = StreamModel.shuffled(n, distinctKeys(n));
    return new DescribedStream(
        model, "%s records, %s".formatted(Print.count(n), distinctWords(model)));
  }

  private DescribedStream loop() {
    for (String other : given()) {
      if (!other.equals("--loops-over") && !other.equals("--records")) {
        throw contradiction(other, "--loops-over", "a loop is told by its records and its keys");
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

  /** A share of the records, or a count of keys if it is above 1. */
  private double distinctKeys(double n) {
    double keys = Parse.part("--distinct", distinct, n);
    if (keys < 1 || keys > n) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--distinct '%s' must be at least one key and at most the %,.0f records",
              distinct,
              n));
    }
    return keys;
  }

  private DescribedStream recent() throws IOException {
    for (String other : given()) {
      if (other.equals("--distinct") || other.equals("--universe")) {
        throw contradiction(other, distances().get(0), "give the share of repeats by --repeats");
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
    for (String line : Files.readAllLines(histogram)) {
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
        // Told below.
      }
      throw new IOException(
          "%s, line %d: '%s' must be a distance and its weight, such as 1000,0.25"
              .formatted(histogram, number, line));
    }
    return weights;
  }

  private DescribedStream fromSample() throws IOException {
    RecordFormat records =
        format == null ? RecordFormat.guess(sample.toString()) : RecordFormat.of(format);
    KeySpec fields = key == null ? KeySpec.WHOLE_RECORD : KeySpec.of(key);
    RepeatSample learned = new RepeatSample();
    LastPositions last = new LastPositions();
    Xxh3 hash = new Xxh3(0);
    long n = 0;
    long distinctKeys = 0;
    try (KeyReader keys = KeyReader.open(sample, records, RecordSpec.of(fields))) {
      while (keys.next()) {
        n++;
        long before = last.put(hash.hash(keys.buffer(), keys.offset(), keys.length()), n);
        if (before == 0) {
          learned.first();
          distinctKeys++;
        } else {
          learned.repeat(n - before);
        }
      }
    }
    if (n == 0) {
      throw new IOException("%s has no records; a plan needs some".formatted(sample));
    }
    return new DescribedStream(
        learned.model(),
        String.format(
            Locale.ROOT,
            "%s: %,d records, %,d distinct (%s)",
            sample.getFileName(),
            n,
            distinctKeys,
            Print.percent((double) distinctKeys / n)));
  }

  /** A model of a stream counts in real numbers. */
  private static double count(String option, String text) {
    return (double) Parse.count(option, text);
  }

  private static String distinctWords(StreamModel model) {
    double keys = model.distinct(model.records());
    return "%s distinct (%s)".formatted(Print.count(keys), Print.percent(keys / model.records()));
  }

  /** The options that describe a stream other than by a sample. */
  private List<String> given() {
    List<String> given = new ArrayList<>();
    add(given, "--records", records);
    add(given, "--distinct", distinct);
    add(given, "--universe", universe);
    add(given, "--loops-over", loopsOver);
    add(given, "--endless", endless ? endless : null);
    add(given, "--repeats", repeats);
    given.addAll(distances());
    return given;
  }

  private List<String> distances() {
    List<String> given = new ArrayList<>();
    add(given, "--repeats-within", repeatsWithin);
    add(given, "--half-life", halfLife);
    add(given, "--histogram", histogram);
    return given;
  }

  private static void add(List<String> given, String option, Object value) {
    if (value != null) {
      given.add(option);
    }
  }

  private static void refuse(List<String> given, String option, String why) {
    if (!given.isEmpty()) {
      throw contradiction(given.get(0), option, why);
    }
  }

  private static IllegalArgumentException contradiction(String one, String other, String why) {
    return new IllegalArgumentException(
        "%s and %s contradict each other: %s; leave one out".formatted(one, other, why));
  }
}
