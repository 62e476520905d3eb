package dev.unseen.cli.dedup;

import dev.unseen.commands.GivenOptions;
import dev.unseen.io.Source;

/**
 * Where records go.
 *
 * @param path the file of the main output; null for stdout
 * @param selection which records the main output gets
 * @param count whether it gets only their number
 * @param duplicatesTo the file that gets the duplicates as well; null if there is none
 * @param rejectsTo the file that gets the records that are skipped; null if there is none
 */
record OutputOptions(
    String path, Selection selection, boolean count, String duplicatesTo, String rejectsTo) {

  /** Which records the main output gets. */
  enum Selection {
    /** The first of each key. */
    FRESH,
    /** All others. */
    DUPLICATES,
    /** The second of each key. */
    REPEATED,
    /** All, each marked as new or duplicate. */
    ALL_TAGGED
  }

  static OutputOptions of(GivenOptions given) {
    boolean count = given.isGiven("--count");
    boolean duplicates = given.isGiven("--duplicates");
    boolean repeated = given.isGiven("--repeated");
    boolean tagged = given.isGiven("--tag");
    if (repeated && (tagged || duplicates)) {
      throw new IllegalArgumentException(
          "--repeated prints some of the duplicates; it goes neither with --tag nor with --duplicates");
    }
    if (tagged && (count || duplicates)) {
      throw new IllegalArgumentException(
          "--tag keeps all records; it goes neither with --count nor with --duplicates");
    }
    String rejectsTo = given.text("--rejects-to").orElse(null);
    if (rejectsTo != null
        && !given.text("--on-error").orElse("").equals("skip")
        && !given.text("--late").orElse("").equals("drop")) {
      throw new IllegalArgumentException(
          "--rejects-to needs --on-error skip or --late drop: it keeps the records that these leave out");
    }
    return new OutputOptions(
        given.text("--output").filter(path -> !path.equals(Source.STDIN)).orElse(null),
        tagged
            ? Selection.ALL_TAGGED
            : repeated ? Selection.REPEATED : duplicates ? Selection.DUPLICATES : Selection.FRESH,
        count,
        given.text("--duplicates-to").orElse(null),
        rejectsTo);
  }
}
