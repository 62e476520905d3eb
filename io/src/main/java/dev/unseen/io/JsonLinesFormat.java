package dev.unseen.io;

import java.util.List;
import java.util.Objects;

/** JSON Lines: one value per line, with keys at paths. Without a key, the whole line is the key. */
final class JsonLinesFormat implements Format {
  @Override
  public List<String> suffixes() {
    return List.of(".jsonl", ".ndjson");
  }

  @Override
  public void check(RecordSpec spec, String id) {
    JsonPaths unused = new JsonPaths(spec.key(), spec.time()); // rejects what is not a path
    Format.rejectColumns(spec, id);
  }

  @Override
  public RecordCutter cutter(RecordSpec spec, String file) {
    return spec.key().isWholeRecord() && spec.tag() == null
        ? new LineCutter(spec.lineEnd(), spec.normal())
        : new JsonCutter(spec, file);
  }

  @Override
  public RecordTagger tagger(RecordSpec spec) {
    return new JsonTagger(Objects.requireNonNull(spec.tag(), "there is no tag"));
  }
}
