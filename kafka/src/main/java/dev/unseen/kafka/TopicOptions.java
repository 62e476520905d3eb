package dev.unseen.kafka;

import dev.unseen.Key;
import dev.unseen.KeyForm;
import dev.unseen.Option;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.OnError;
import dev.unseen.commands.RecordOptions;
import dev.unseen.hash.Hash64;
import dev.unseen.io.KeySpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.io.RecordSpec;
import dev.unseen.text.Parse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What the command line asks for, checked as far as it can be without a broker.
 *
 * @param given the options by their long names; flags have an empty value
 */
record TopicOptions(Map<String, String> given) {
  /** Stands for standard input and standard output. */
  static final String STANDARD = "-";

  private static final String RECORD_KEY = "record-key";
  private static final String RECORD_VALUE = "record-value";
  private static final String DEFAULT_MEMORY = "64M";
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_THREADS = 256;

  /** Names of topics have at most 249 characters, and "-unseen-changelog" is appended. */
  private static final int MOST_ID = 249 - 17;

  /** The options of the filter. */
  private static final List<Option<?>> OPTIONS =
      List.of(
          Option.MEMORY,
          Option.WINDOW,
          Option.MAX_FPR,
          Option.MAX_LATENESS,
          Option.LATE_RECORDS,
          Option.MAX_TIME_AHEAD,
          Option.ON_CHANGE,
          Option.SEED);

  /** What of a record is its key. */
  enum KeySource {
    /** The key of the record. */
    RECORD_KEY,
    /** All bytes of the value. */
    RECORD_VALUE,
    /** Fields of the value, which is JSON. */
    FIELDS
  }

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if they cannot be
   */
  static TopicOptions of(Map<String, String> given) {
    TopicOptions options = new TopicOptions(Map.copyOf(given));
    if (options.demo()) {
      options.requireNoTopics();
    } else {
      options.requireTopics();
      options.requireApplicationId();
    }
    options.check();
    return options;
  }

  private void requireNoTopics() {
    for (String option : new String[] {"--bootstrap", "--config", "--from", "--to"}) {
      if (has(option)) {
        throw new IllegalArgumentException(
            "--demo has a broker and topics of its own; leave out %s, or --demo".formatted(option));
      }
    }
  }

  /** The application id begins the name of its changelog, so it has to be one too. */
  private void requireApplicationId() {
    String id = applicationId();
    if (!id.matches("[a-zA-Z0-9._-]+")) {
      throw new IllegalArgumentException(
          "application-id '%s' must be of letters, digits, '.', '_' and '-' alone".formatted(id));
    }
    if (id.length() > MOST_ID) {
      throw new IllegalArgumentException(
          "application-id '%s' has %d characters, and at most %d are possible; choose one with --application-id"
              .formatted(id, id.length(), MOST_ID));
    }
  }

  private void requireTopics() {
    for (String option : new String[] {"--from", "--to"}) {
      if (text(option).isEmpty()) {
        throw new IllegalArgumentException(option + " is missing; name a topic, or try --demo");
      }
    }
    if (text("--bootstrap").isEmpty() && text("--config").isEmpty()) {
      throw new IllegalArgumentException(
          "--bootstrap is missing; name a broker such as localhost:9092, or a --config with bootstrap.servers");
    }
    for (String option : new String[] {"--to", "--duplicates-to", "--rejects-to"}) {
      if (text(option).equals(text("--from")) && !text(option).equals(Optional.of(STANDARD))) {
        throw new IllegalArgumentException(
            "%s '%s' is the topic that is read, so it would never end; name another topic"
                .formatted(option, given.get(option)));
      }
    }
    requireDifferent("--to", "--duplicates-to");
    requireDifferent("--to", "--rejects-to");
    requireDifferent("--duplicates-to", "--rejects-to");
    for (String option : new String[] {"--duplicates-to", "--rejects-to"}) {
      if (text(option).equals(Optional.of(STANDARD))) {
        throw new IllegalArgumentException(
            option + " - would mix with other records; name a topic");
      }
    }
  }

  private void requireDifferent(String one, String other) {
    if (has(other) && text(one).equals(text(other)) && !text(one).equals(Optional.of(STANDARD))) {
      throw new IllegalArgumentException(
          "%s and %s are both '%s', so their records would mix; name two topics"
              .formatted(one, other, given.get(one)));
    }
  }

  /** Reads every value once, so that an invalid one is reported before anything runs. */
  private void check() {
    RecordSpec unused = recordSpec();
    onError();
    passTombstones();
    threads();
    patience();
    snapshotEvery();
    deduplication().options(); // rejects a window of records
  }

  Optional<String> text(String option) {
    return Optional.ofNullable(given.get(option));
  }

  boolean has(String flag) {
    return given.containsKey(flag);
  }

  boolean demo() {
    return has("--demo");
  }

  String from() {
    return given.get("--from");
  }

  String to() {
    return given.get("--to");
  }

  boolean readsStandardInput() {
    return STANDARD.equals(from());
  }

  boolean writesStandardOutput() {
    return STANDARD.equals(to());
  }

  /** Returns the topic that the application reads: that of the user, or one that is fed. */
  String source() {
    return readsStandardInput() ? applicationId() + "-stdin" : from();
  }

  String applicationId() {
    return text("--application-id").orElseGet(() -> "unseen-" + name(from()) + "-" + name(to()));
  }

  private static String name(String topic) {
    return STANDARD.equals(topic) ? "standard" : topic;
  }

  KeySource keySource() {
    return switch (key()) {
      case RECORD_KEY -> KeySource.RECORD_KEY;
      case RECORD_VALUE -> KeySource.RECORD_VALUE;
      default -> KeySource.FIELDS;
    };
  }

  private String key() {
    String key = text("--key").orElse(readsStandardInput() ? RECORD_VALUE : RECORD_KEY);
    if (key.equals(RECORD_KEY) && readsStandardInput()) {
      throw new IllegalArgumentException(
          "lines of standard input have no record-key; choose record-value, or fields such as id");
    }
    return key;
  }

  /** Returns the fields of the key, if the key is made of fields. */
  RecordSpec recordSpec() {
    Map<String, String> options = new HashMap<>(given);
    options.remove("--on-error");
    if (keySource() != KeySource.FIELDS) {
      options.remove("--key");
      for (String option : new String[] {"--ignore-case", "--trim", "--missing-as-null"}) {
        if (has(option)) {
          throw new IllegalArgumentException(
              "%s is for fields of a JSON value, and the key is the %s; leave it out"
                  .formatted(option, key()));
        }
      }
    }
    RecordSpec spec = RecordOptions.of(new GivenOptions(options)).spec();
    RecordFormat.JSONL.check(spec);
    return spec;
  }

  /**
   * Returns the same form of keys as the command line uses for fields, so that equal keys have
   * equal forms everywhere.
   */
  private KeyForm keyForm() {
    boolean one = keySource() != KeySource.FIELDS || KeySpec.of(key()).isOneField();
    return new KeyForm(one ? "bytes" : "fields", "key " + key());
  }

  OnError onError() {
    String text = text("--on-error").orElse(has("--rejects-to") ? "skip" : "fail");
    return RecordOptions.of(new GivenOptions(Map.of("--on-error", text))).onError();
  }

  boolean passTombstones() {
    String text = text("--tombstones").orElse("pass");
    return switch (text) {
      case "pass" -> true;
      case "drop" -> false;
      default ->
          throw new IllegalArgumentException(
              "tombstones '%s' is unknown; known: pass, drop".formatted(text));
    };
  }

  long memory() {
    return Option.MEMORY.parse(text("--memory").orElse(DEFAULT_MEMORY));
  }

  int threads() {
    String text = text("--threads").orElse("1");
    try {
      int threads = Integer.parseInt(text);
      if (threads >= 1 && threads <= MOST_THREADS) {
        return threads;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "threads (%s) must be 1 to %d".formatted(text, MOST_THREADS));
  }

  Duration patience() {
    return text("--patience")
        .map(time -> Parse.duration("patience", time))
        .orElse(DEFAULT_PATIENCE);
  }

  Optional<Duration> snapshotEvery() {
    return text("--snapshot-every").map(time -> Parse.duration("snapshot-every", time));
  }

  /** Returns the deduplication of records whose key was found before. */
  TopicDeduplication<byte[], KeyedRecord> deduplication() {
    TopicDeduplication<byte[], KeyedRecord> deduplication =
        Unseen.deduplicateBy(new FoundKey(keyForm()));
    deduplication.memory(memory());
    deduplication.config(GateArguments.config(this::text, OPTIONS));
    snapshotEvery().ifPresent(deduplication::snapshotEvery);
    return deduplication;
  }

  /** The key that was found before, in the form that the changelog contains. */
  private record FoundKey(KeyForm form) implements Key<Record<byte[], KeyedRecord>> {
    @Override
    public long hash(Record<byte[], KeyedRecord> record, Hash64 hash) {
      return hash.hash(record.value().key());
    }
  }
}
