package dev.unseen.commands;

import dev.unseen.io.ColumnSpec;
import dev.unseen.io.KeyNormalization;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordReader;
import dev.unseen.io.RecordSpec;
import dev.unseen.io.Source;
import dev.unseen.text.Parse;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The user's options for the records of files: their format, key, time and normal form, and what
 * happens to records that cannot be used. Every command that reads records has these options, under
 * the same names.
 *
 * @param format the format that the user chose; null to guess it from the names of the files
 * @param spec how files are cut, and what is used of each record
 * @param onError what happens to a record that cannot be used
 * @param maxRecordBytes the largest number of bytes of a record
 */
public record RecordOptions(
    @Nullable RecordFormat format, RecordSpec spec, OnError onError, int maxRecordBytes) {
  /** The largest limit that can be set: 1 GiB. */
  private static final int MOST_RECORD_BYTES = 1 << 30;

  /** The smallest limit that can be set: 1 KiB, which is also the least that is read at once. */
  private static final int LEAST_RECORD_BYTES = 1 << 10;

  /**
   * Parses the options.
   *
   * @throws IllegalArgumentException if a value is not valid, or if two options contradict each
   *     other
   */
  public static RecordOptions of(GivenOptions given) {
    String fields = given.text("--key").orElse(null);
    KeySpec key = fields == null ? KeySpec.WHOLE_RECORD : KeySpec.of(fields);
    boolean header = given.isGiven("--header");
    if (header || given.isGiven("--no-header")) {
      key = key.withHeader(header);
    }
    String time = given.text("--time").orElse(null);
    if (time != null && fields == null) {
      throw new IllegalArgumentException(
          "--time needs --key: records that differ in their time are not the same as a whole");
    }
    String tag = given.text("--tag").orElse(null);
    if ("".equals(tag)) {
      throw new IllegalArgumentException("--tag '' is empty; give the name of a field");
    }
    RecordSpec spec =
        new RecordSpec(
            key,
            time,
            columns(given),
            given.isGiven("--zero-terminated"),
            new KeyNormalization(given.isGiven("--ignore-case"), given.isGiven("--trim")),
            given.isGiven("--missing-as-null"),
            tag);
    return new RecordOptions(
        given.text("--format").map(id -> RecordFormat.of(id, RecordFormat::isText)).orElse(null),
        spec,
        OnError.valueOf(given.oneOf("--on-error", "fail", "pass", "skip").toUpperCase(Locale.ROOT)),
        maxRecordBytes(given));
  }

  private static int maxRecordBytes(GivenOptions given) {
    String most = given.text("--max-record").orElse(null);
    long bytes = most == null ? RecordReader.MAX_RECORD_BYTES : Parse.size("--max-record", most);
    if (bytes < LEAST_RECORD_BYTES || bytes > MOST_RECORD_BYTES) {
      throw new IllegalArgumentException(
          "--max-record '%s' must be a size from 1K to 1G".formatted(most));
    }
    return (int) bytes;
  }

  private static ColumnSpec columns(GivenOptions given) {
    String separator = given.text("--separator").orElse(null);
    boolean blanks = given.isGiven("--blanks") || " +".equals(separator);
    if (separator == null || separator.equals(" +")) {
      separator = "";
    } else if (separator.isEmpty()) {
      throw new IllegalArgumentException(
          "separator '' must be 1 to 16 ASCII characters without a line end, such as ';' or \\t");
    }
    int quote = quote(given.text("--quote").orElse(null));
    return new ColumnSpec(separator.replace("\\t", "\t"), quote, blanks);
  }

  private static int quote(@Nullable String text) {
    if (text == null) {
      return ColumnSpec.FORMAT_QUOTE;
    }
    if (text.equals("none")) {
      return ColumnSpec.NO_QUOTE;
    }
    if (text.codePointCount(0, text.length()) != 1) {
      throw new IllegalArgumentException(
          "quote '%s' must be one ASCII character other than a line end, or none".formatted(text));
    }
    return text.codePointAt(0);
  }

  /**
   * Determines the format from the names of the files, if it was not chosen, and whether their
   * first row is a header.
   *
   * @throws IllegalArgumentException if the files have different formats, or if the format does not
   *     support the key
   */
  public RecordOptions resolve(List<String> files) {
    String first = files.get(0);
    RecordFormat common = formatOf(first);
    for (String file : files) {
      if (formatOf(file) != common) {
        throw new IllegalArgumentException(
            "%s is read as %s and %s as %s, but one output has one format; run them one by one, or choose a format with --format"
                .formatted(
                    Source.nameOf(first), common.id(), Source.nameOf(file), formatOf(file).id()));
      }
    }
    RecordSpec settled =
        takesFirstRowForHeader(files) ? spec.withKey(spec.key().withHeader(true)) : spec;
    try {
      common.check(settled);
    } catch (IllegalArgumentException e) {
      if (format == null && common == RecordFormat.LINES) {
        throw new IllegalArgumentException(
            "%s, and %s is read as lines; choose a format with --format"
                .formatted(e.getMessage(), Source.nameOf(first)),
            e);
      }
      throw e;
    }
    return new RecordOptions(common, settled, onError, maxRecordBytes);
  }

  /** Returns whether the first row is treated as a header because of the names of the files. */
  public boolean takesFirstRowForHeader(List<String> files) {
    return spec.key().isWholeRecord()
        && spec.key().header() == KeySpec.Header.AUTO
        && files.stream().allMatch(file -> RecordFormat.guess(file).hasColumns())
        && formatOf(files.get(0)).hasColumns();
  }

  private RecordFormat formatOf(String file) {
    if (format != null) {
      return format;
    }
    RecordFormat guess = RecordFormat.guess(file);
    if (guess != RecordFormat.LINES) {
      return guess;
    }
    ColumnSpec columns = spec.columns();
    if (columns.blanks() || !columns.separator().isEmpty()) {
      return RecordFormat.TSV; // columns without quotes, as cut, sort and awk have them
    }
    boolean header = spec.key().header() == KeySpec.Header.PRESENT;
    return header || columns.quote() >= 0 ? RecordFormat.CSV : guess;
  }
}
