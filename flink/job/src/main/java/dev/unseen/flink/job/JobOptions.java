package dev.unseen.flink.job;

import dev.unseen.GateConfig;
import dev.unseen.KeyForm;
import dev.unseen.Option;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.KafkaCluster;
import dev.unseen.commands.MessageKey;
import dev.unseen.commands.RecordArguments;
import dev.unseen.commands.RecordOptions;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.io.KeySpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.ParseResult;

/**
 * What the command line asks for, checked as far as it can be without the input and a cluster.
 *
 * @param files to read; empty if a topic is read
 * @param topic to read; empty if files are read
 * @param kafka settings of Kafka's clients; empty if there are no topics
 * @param writesTopics whether the outputs are topics, and not directories
 * @param once the output for the first record of each key
 * @param duplicates the output for suspected duplicates; empty: they are dropped
 * @param records those about records; tasks parse them again
 * @param keyForm that of the command line for the same key, so that its states can be used
 * @param filter the options of the filter that were given
 * @param checkpoints the directory for checkpoints, as a URI
 * @param savepoint to start from, as a URI
 */
record JobOptions(
    List<String> files,
    Optional<SourceTopic> topic,
    Optional<Properties> kafka,
    boolean writesTopics,
    String once,
    Optional<String> duplicates,
    GivenOptions records,
    KeyForm keyForm,
    GateConfig filter,
    Optional<URI> initialState,
    int parallelism,
    Optional<String> checkpoints,
    Optional<String> savepoint) {
  /** The options of the filter. */
  private static final List<Option<?>> FILTER =
      List.of(
          Option.MEMORY,
          Option.MAX_FPR,
          Option.WINDOW,
          Option.MAX_LATENESS,
          Option.LATE_RECORDS,
          Option.MAX_TIME_AHEAD,
          Option.SEED,
          Option.ON_CHANGE,
          Option.MAX_HANDOVER);

  /**
   * Reads and checks the options.
   *
   * @throws IllegalArgumentException if they cannot be
   */
  static JobOptions of(ParseResult line) {
    GivenOptions given = GivenOptions.of(line);
    List<String> files = List.of(line.matchedOptionValue("--input", new String[0]));
    requireOne(given, !files.isEmpty(), "--input FILE", "--from TOPIC");
    requireOne(given, given.isGiven("--output"), "--output DIRECTORY", "--to TOPIC");
    given.requireDifferent("--from", "--to", "--duplicates-to");
    given.requireDifferent("--output", "--duplicates-to");
    if (!files.isEmpty()) {
      requireTopic(given, "--group");
      requireTopic(given, "--exit-at-end");
    }
    Optional<SourceTopic> topic = SourceTopic.of(given);
    return new JobOptions(
        files,
        topic,
        topic.isPresent() || given.isGiven("--to")
            ? Optional.of(KafkaCluster.settings(given.text("--bootstrap"), given.text("--config")))
            : Optional.empty(),
        given.isGiven("--to"),
        given.text("--to").or(() -> given.text("--output")).orElseThrow(),
        given.text("--duplicates-to"),
        records(given, topic.map(one -> one.key() == MessageKey.FIELDS).orElse(true)),
        topic.map(SourceTopic::keyForm).orElseGet(() -> keyForm(given)),
        filter(given),
        given.text("--initial-state").map(JobSinks::uri).map(URI::create),
        given.number(
            "--parallelism",
            ShardedFilter.SHARDS,
            1,
            "a filter has %d shards".formatted(ShardedFilter.SHARDS)),
        given.text("--checkpoints").map(JobSinks::uri),
        given.text("--savepoint").map(JobSinks::uri));
  }

  /**
   * Takes the options of records out of all options.
   *
   * @param hasFields whether {@code --key} names fields of the record
   * @throws IllegalArgumentException if they contradict each other
   */
  private static GivenOptions records(GivenOptions given, boolean hasFields) {
    List<String> names = new ArrayList<>(RecordArguments.names());
    names.add("--time");
    if (!hasFields) {
      names.remove("--key");
    }
    GivenOptions records = given.only(names);
    RecordOptions.of(records); // rejects invalid options
    return records;
  }

  private static void requireTopic(GivenOptions given, String option) {
    if (given.isGiven(option)) {
      throw new IllegalArgumentException(
          "%s is about topics, and files are read; leave it out, or use --from TOPIC"
              .formatted(option));
    }
  }

  private static void requireOne(GivenOptions given, boolean first, String one, String other) {
    if (first == given.isGiven(other.split(" ", 2)[0])) {
      throw new IllegalArgumentException(
          "name either %s or %s%s".formatted(one, other, first ? ", not both" : ""));
    }
  }

  private static KeyForm keyForm(GivenOptions given) {
    return given
        .text("--key")
        .map(JobOptions::fields)
        .orElseGet(() -> new KeyForm("bytes", "the whole record"));
  }

  /** Returns the form of a key of fields. */
  static KeyForm fields(String key) {
    return new KeyForm(KeySpec.of(key).isOneField() ? "bytes" : "fields", "key " + key);
  }

  private static GateConfig filter(GivenOptions given) {
    GateConfig filter = GateArguments.config(given::text, FILTER);
    return given.isGiven("--secret-file")
        ? filter.with(Option.SECRET, secret(given.text("--secret-file").orElseThrow()))
        : filter;
  }

  private static Secret secret(String file) {
    try {
      return Secret.parse(Files.readString(Path.of(file)));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the secret '%s'".formatted(file), e);
    }
  }

  /** Returns all topics, which have to exist. */
  List<String> topics() {
    List<String> topics = new ArrayList<>();
    topic.map(SourceTopic::name).ifPresent(topics::add);
    if (writesTopics) {
      topics.add(once);
      duplicates.ifPresent(topics::add);
    }
    return topics;
  }

  /** Returns the directories that are written, by the options that name them. */
  Map<String, String> directories() {
    Map<String, String> directories = new LinkedHashMap<>();
    if (!writesTopics) {
      directories.put("--output", once);
      duplicates.ifPresent(name -> directories.put("--duplicates-to", name));
    }
    return directories;
  }

  /** Returns whether the job starts from a state, whose options apply. */
  boolean startsFromState() {
    return initialState.isPresent() || savepoint.isPresent();
  }
}
