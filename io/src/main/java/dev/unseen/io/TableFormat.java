package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;

/** Lines of columns: CSV with quotes, TSV without, or any other separator and quote. */
final class TableFormat implements Format {
  private final String separator;
  private final int quote;

  TableFormat(String separator, int quote) {
    this.separator = separator;
    this.quote = quote;
  }

  @Override
  public void check(RecordSpec spec, String id) {
    Columns unused = new Columns(spec.key(), spec.time()); // rejects what are not columns
    ColumnSpec resolved = resolve(spec.columns()); // and what cannot be distinguished
    if (spec.nul() && resolved.quote() != ColumnSpec.NO_QUOTE) {
      throw new IllegalArgumentException(
          "NUL ends lines, and format %s has its own ends; use format lines or jsonl"
              .formatted(id));
    }
  }

  private ColumnSpec resolve(ColumnSpec columns) {
    int resolved = columns.quote();
    if (resolved == ColumnSpec.FORMAT_QUOTE) {
      resolved = columns.blanks() ? ColumnSpec.NO_QUOTE : quote;
    }
    boolean own = columns.separator().isEmpty() && !columns.blanks();
    return new ColumnSpec(own ? separator : columns.separator(), resolved, columns.blanks());
  }

  @Override
  public RecordCutter cutter(RecordSpec spec, String file) {
    return new TableCutter(spec.withColumns(resolve(spec.columns())), file);
  }

  @Override
  public RecordTagger tagger(RecordSpec spec) {
    return new Tagger(
        Objects.requireNonNull(spec.tag(), "there is no tag"), resolve(spec.columns()));
  }

  /** Adds a last column. */
  private static final class Tagger extends RecordTagger {
    private final byte[] header;
    private final byte[][] values;

    Tagger(String name, ColumnSpec columns) {
      String before = columns.blanks() ? " " : columns.separator();
      header = (before + column(name, columns)).getBytes(UTF_8);
      values = words(before, "");
    }

    private static String column(String name, ColumnSpec columns) {
      if (columns.quote() < 0) {
        return name;
      }
      String quote = Character.toString(columns.quote());
      boolean plain =
          !name.contains(columns.separator())
              && name.chars().noneMatch(c -> c == columns.quote() || c == '\n' || c == '\r');
      return plain ? name : quote + name.replace(quote, quote + quote) + quote;
    }

    @Override
    public void tag(byte[] bytes, int start, int end, boolean fresh) {
      append(bytes, start, end, values[fresh ? 1 : 0]);
    }

    @Override
    public void tagHeader(byte[] bytes, int start, int end) {
      append(bytes, start, end, header);
    }

    /** The text goes before the line end. */
    private void append(byte[] bytes, int start, int end, byte[] text) {
      int body = end;
      while (body > start && (bytes[body - 1] == '\n' || bytes[body - 1] == '\r')) {
        body--;
      }
      insert(body, body, text);
    }
  }
}
