package dev.unseen.io;

import java.util.List;

/**
 * All there is to know about a format: which files have it, what it refuses, how its records are
 * cut and their keys found, and how a record is tagged.
 */
interface Format {
  /** How the names of its files end, in lower case. */
  default List<String> suffixes() {
    return List.of();
  }

  /** Whether its files are text. */
  default boolean isText() {
    return true;
  }

  /** Refuses what it does not have. */
  void check(RecordSpec spec, String id);

  /** Cuts a file. */
  RecordCutter cutter(RecordSpec spec, String file);

  /** Tags records. */
  RecordTagger tagger(RecordSpec spec);

  /** Refuses what only columns have. */
  static void refuseColumns(RecordSpec spec, String id) {
    ColumnSpec columns = spec.columns();
    if (!columns.isOfFormat()) {
      String what =
          columns.blanks()
              ? "--blanks"
              : columns.separator().isEmpty()
                  ? "a quote"
                  : "separator '%s'".formatted(columns.separator());
      throw new IllegalArgumentException(
          "%s needs format csv or tsv; format %s has no columns".formatted(what, id));
    }
  }

  /** Refuses a key, where records have no fields. */
  static void refuseKey(RecordSpec spec, String id) {
    if (!spec.key().isWholeRecord()) {
      throw new IllegalArgumentException(
          "key '%s' needs format csv, tsv or jsonl; format %s has no fields"
              .formatted(String.join(",", spec.key().fields()), id));
    }
  }
}
