package dev.unseen.flink.job;

import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.RecordArguments;
import dev.unseen.commands.RecordOptions;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * The options of records as text. Tasks get the text and parse it again, because what it is parsed
 * into cannot be serialized.
 *
 * @param texts by the names of the options; flags have an empty value
 */
record RecordTexts(HashMap<String, String> texts) implements Serializable {
  /**
   * Takes the options of records out of all options.
   *
   * @param hasFields whether {@code --key} names fields of the record
   * @throws IllegalArgumentException if they contradict each other
   */
  static RecordTexts of(GivenOptions given, boolean hasFields) {
    List<String> names = new ArrayList<>(RecordArguments.names());
    names.add("--time");
    if (!hasFields) {
      names.remove("--key");
    }
    RecordTexts records = new RecordTexts(new HashMap<>(given.only(names).values()));
    records.options(); // rejects invalid options
    return records;
  }

  /** Returns whether an option was given. */
  boolean has(String option) {
    return texts.containsKey(option);
  }

  /** Returns the options. */
  RecordOptions options() {
    return RecordOptions.of(new GivenOptions(texts));
  }
}
