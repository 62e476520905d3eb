package dev.unseen.io;

/**
 * A record format: which options it rejects, how its records are cut and their keys found, and how
 * a record is tagged.
 */
interface Format {
  /** What to do about a null key. */
  String NULL_KEY_REMEDY =
      "; give it a value or leave the record out, let null be a key (missing-as-null)";

  /** Rejects options that the format does not support. */
  void check(RecordSpec spec, String id);

  RecordCutter cutter(RecordSpec spec, String file);

  RecordTagger tagger(RecordSpec spec);

  /** Rejects options that only formats with columns support. */
  static void rejectColumns(RecordSpec spec, String id) {
    ColumnSpec columns = spec.columns();
    if (!columns.isOfFormat()) {
      String what =
          columns.blanks()
              ? "separating columns at blanks"
              : columns.separator().isEmpty()
                  ? "a quote"
                  : "separator '%s'".formatted(columns.separator());
      throw new IllegalArgumentException(
          "%s needs format csv or tsv; format %s has no columns".formatted(what, id));
    }
  }

  /** Rejects a key if the records have no fields. */
  static void rejectKey(RecordSpec spec, String id) {
    if (!spec.key().isWholeRecord()) {
      throw new IllegalArgumentException(
          "key '%s' needs format csv, tsv, jsonl or json; format %s has no fields"
              .formatted(String.join(",", spec.key().fields()), id));
    }
  }
}
