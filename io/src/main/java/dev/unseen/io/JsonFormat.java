package dev.unseen.io;

import java.util.List;
import java.util.Objects;

/**
 * JSON values one after the other, with or without blanks and line ends between and within them.
 * Each value of an array at the outermost level is a record.
 */
final class JsonFormat implements Format {
  @Override
  public List<String> suffixes() {
    return List.of(".json");
  }

  @Override
  public void check(RecordSpec spec, String id) {
    JsonPaths unused = new JsonPaths(spec.key(), spec.time()); // rejects what is not a path
    Format.rejectColumns(spec, id);
    if (spec.nul()) {
      throw new IllegalArgumentException(
          "NUL ends lines, and format json has no lines; use format lines or jsonl");
    }
  }

  @Override
  public RecordCutter cutter(RecordSpec spec, String file) {
    return new JsonValueCutter(spec, file);
  }

  @Override
  public RecordTagger tagger(RecordSpec spec) {
    return new JsonTagger(Objects.requireNonNull(spec.tag(), "there is no tag"));
  }
}
