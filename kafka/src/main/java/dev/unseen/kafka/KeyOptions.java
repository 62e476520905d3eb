package dev.unseen.kafka;

import dev.unseen.KeyForm;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.MessageKey;
import dev.unseen.commands.OnError;
import dev.unseen.commands.RecordOptions;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the key of a record is, and what happens to records that have none.
 *
 * @param fields the fields of the key, if it is made of fields
 * @param deserializer the class that reads the value in which these fields are; empty if it is JSON
 * @param repartition whether records with equal keys are in different partitions
 * @param form the form that the command line uses for the same fields, so that equal keys have
 *     equal forms everywhere
 */
record KeyOptions(
    MessageKey source,
    RecordSpec fields,
    Optional<String> deserializer,
    boolean repartition,
    KeyForm form,
    OnError onError,
    boolean passTombstones) {
  private static final List<String> FIELD_OPTIONS =
      List.of("--ignore-case", "--trim", "--missing-as-null", "--value-deserializer");

  /**
   * Reads and checks the options.
   *
   * @param lines whether lines of standard input are read
   * @throws IllegalArgumentException if they cannot be
   */
  static KeyOptions of(GivenOptions given, boolean lines) {
    String key = given.text("--key").orElse(lines ? "record-value" : "record-key");
    MessageKey source = MessageKey.of(key);
    if (source == MessageKey.RECORD_KEY && lines) {
      throw new IllegalArgumentException(
          "lines of standard input have no record-key; choose record-value, or fields such as id");
    }
    boolean one = source != MessageKey.FIELDS || KeySpec.of(key).isOneField();
    // Filters that were filled without repartitioning would not know the keys of other partitions.
    boolean repartition = given.isGiven("--repartition");
    return new KeyOptions(
        source,
        fields(given, source, key),
        given.text("--value-deserializer"),
        repartition,
        new KeyForm(
            one ? "bytes" : "fields", "key " + key + (repartition ? ", repartitioned" : "")),
        onError(given),
        given.oneOf("--tombstones", "pass", "drop").equals("pass"));
  }

  private static RecordSpec fields(GivenOptions given, MessageKey source, String key) {
    Map<String, String> options = new HashMap<>(given.values());
    options.remove("--on-error");
    if (source != MessageKey.FIELDS) {
      options.remove("--key");
      for (String option : FIELD_OPTIONS) {
        if (given.isGiven(option)) {
          throw new IllegalArgumentException(
              "%s is for fields of the value, and the key is the %s; leave it out, or name fields with --key"
                  .formatted(option, key));
        }
      }
    }
    RecordSpec spec = RecordOptions.of(new GivenOptions(options)).spec();
    RecordFormat.JSONL.check(spec);
    return spec;
  }

  private static OnError onError(GivenOptions given) {
    String text = given.text("--on-error").orElse(given.isGiven("--rejects-to") ? "skip" : "fail");
    return RecordOptions.of(new GivenOptions(Map.of("--on-error", text))).onError();
  }
}
