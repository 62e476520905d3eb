package dev.unseen.cli.plan;

import dev.unseen.commands.OnError;
import dev.unseen.commands.RecordOptions;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.io.InputException;
import dev.unseen.io.KeyReader;
import dev.unseen.io.Source;
import dev.unseen.text.Print;
import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads the records of a file for a limited time, and describes the stream. */
final class SampledFile {
  static final Duration LIMIT = Duration.ofSeconds(30);

  private final String file;
  private final Duration limit;
  private final FollowedKeys keys = new FollowedKeys();
  private long unusable;
  private double readShare = 1; // of the file's bytes; NaN if that is unknown

  private SampledFile(String file, Duration limit) {
    this.file = file;
    this.limit = limit;
  }

  /**
   * Reads a file.
   *
   * @param file its name; {@code -} is stdin
   * @param limit how long to read at most
   */
  static SampledFile read(String file, RecordOptions options, Duration limit)
      throws InputException {
    SampledFile sample = new SampledFile(file, limit);
    try (Source source = Source.open(file)) {
      sample.read(source, options.resolve(List.of(file)));
    }
    if (sample.keys.records() == 0) {
      throw new InputException("%s has no records; a plan needs some".formatted(file));
    }
    return sample;
  }

  private void read(Source source, RecordOptions options) throws InputException {
    boolean skips = options.onError() != OnError.FAIL;
    KeyReader reader =
        KeyReader.of(source, options.format(), options.spec(), options.maxRecordBytes(), skips);
    Hash64 hash = HashKind.XXH3.create(0);
    long began = System.nanoTime();
    while (reader.next()) {
      keys.add(hash.hash(reader.buffer(), reader.offset(), reader.length()));
      if (reader.isLastOfRead() && System.nanoTime() - began >= limit.toNanos()) {
        long size = new File(file).length();
        readShare =
            file.equals(Source.STDIN) || size == 0 ? Double.NaN : (double) source.position() / size;
        break;
      }
    }
    unusable = reader.skipped();
  }

  /** Returns the stream, and what is to be said about it. */
  DescribedStream stream() {
    long records = keys.records();
    double distinct = (double) keys.keys();
    String name = file.equals(Source.STDIN) ? "stdin" : new File(file).getName();
    boolean exact = keys.oneIn() == 1;
    String words =
        String.format(
            Locale.ROOT,
            "%s: %,d records, %s distinct (%s), %s duplicates",
            name,
            records,
            exact
                ? String.format(Locale.ROOT, "%,d", keys.keys())
                : "about " + Print.count(distinct),
            Print.percent(distinct / records),
            Print.percent(1 - distinct / records));
    return new DescribedStream(keys.model(), words, notes(distinct));
  }

  private List<String> notes(double distinct) {
    List<String> notes = new ArrayList<>();
    if (keys.oneIn() > 1) {
      notes.add(
          String.format(
              Locale.ROOT,
              "One key in %,d was followed: the number of distinct keys is within %s, in 95 of 100"
                  + " cases.",
              keys.oneIn(),
              Print.percent(keys.keysError(), 2)));
    }
    if (unusable > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%,d %s not be used and left out.",
              unusable,
              unusable == 1 ? "record could" : "records could"));
    }
    if (readShare != 1) {
      notes.add(stoppedInWords(distinct));
    }
    return notes;
  }

  /** Whatever the rest brings: nothing but duplicates, or nothing but new keys. */
  private String stoppedInWords(double distinct) {
    String stopped = "Reading stopped after %d s".formatted(limit.toSeconds());
    if (Double.isNaN(readShare) || readShare <= 0 || readShare > 1) {
      return stopped + ": the plan is for what was read.";
    }
    double all = keys.records() / readShare;
    return "%s, at %s of the file: the plan is for this part.%nFor all of it: --records %s --distinct %s..%s"
        .formatted(
            stopped,
            Print.percent(readShare, 2),
            rounded(all),
            rounded(distinct),
            rounded(distinct + all - keys.records()));
  }

  private static String rounded(double count) {
    return String.format(Locale.ROOT, "%.2e", count).replace("e+0", "e").replace("e+", "e");
  }
}
