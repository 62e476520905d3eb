package dev.unseen.io;

import java.util.Objects;

/**
 * JSON values with keys at paths: one per line, or one after the other, with or without blanks and
 * line ends between and within them. In the latter, each value of an array at the outermost level
 * is a record.
 */
final class JsonFormat implements Format {
  private final boolean isLines;

  JsonFormat(boolean isLines) {
    this.isLines = isLines;
  }

  @Override
  public void check(RecordSpec spec, String id) {
    JsonPaths unused = new JsonPaths(spec.key(), spec.time()); // rejects what is not a path
    Format.rejectColumns(spec, id);
    if (spec.nul() && !isLines) {
      throw new IllegalArgumentException(
          "NUL ends lines, and format json has no lines; use format lines or jsonl");
    }
  }

  @Override
  public RecordCutter cutter(RecordSpec spec, String file) {
    if (!isLines) {
      return new JsonValueCutter(spec, file);
    }
    return spec.key().isWholeRecord() && spec.tag() == null
        ? new LineCutter(spec.lineEnd(), spec.normal())
        : new JsonCutter(spec, file);
  }

  @Override
  public RecordTagger tagger(RecordSpec spec) {
    return new JsonTagger(Objects.requireNonNull(spec.tag(), "there is no tag"));
  }
}
