package dev.unseen.flink.job;

import dev.unseen.GateConfig;
import dev.unseen.KeyForm;
import dev.unseen.Option;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.GivenOptions;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.hash.Secret;
import dev.unseen.io.KeySpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the command line asks for, checked as far as it can be without the input and a cluster.
 *
 * @param files to read; empty if a topic is read
 * @param topic to read; empty if files are read
 * @param brokers of the topics; empty if there are none
 * @param keyForm that of the command line for the same key, so that its states can be used
 * @param filter the options of the filter that were given
 * @param checkpoints the directory for checkpoints, as a URI
 * @param savepoint to start from, as a URI
 */
record JobOptions(
    List<String> files,
    Optional<SourceTopic> topic,
    Optional<Brokers> brokers,
    Destinations destinations,
    RecordTexts records,
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
  static JobOptions of(GivenOptions given, List<String> files) {
    requireOne(given, !files.isEmpty(), "--input FILE", "--from TOPIC");
    requireOne(given, given.isGiven("--output"), "--output DIRECTORY", "--to TOPIC");
    requireDifferent(given, "--from", "--to");
    requireDifferent(given, "--from", "--duplicates-to");
    requireDifferent(given, "--to", "--duplicates-to");
    requireDifferent(given, "--output", "--duplicates-to");
    if (!files.isEmpty()) {
      requireTopic(given, "--group");
      requireTopic(given, "--exit-at-end");
    }
    Optional<SourceTopic> topic = SourceTopic.of(given);
    return new JobOptions(
        files,
        topic,
        topic.isPresent() || given.isGiven("--to")
            ? Optional.of(Brokers.of(given.text("--bootstrap"), given.text("--config")))
            : Optional.empty(),
        new Destinations(
            given.isGiven("--to"),
            given.text("--to").or(() -> given.text("--output")).orElseThrow(),
            given.text("--duplicates-to")),
        RecordTexts.of(
            given, topic.map(one -> one.key() == SourceTopic.MessageKey.FIELDS).orElse(true)),
        topic.map(SourceTopic::keyForm).orElseGet(() -> keyForm(given)),
        filter(given),
        given.text("--initial-state").map(Place::uri).map(URI::create),
        parallelism(given),
        given.text("--checkpoints").map(Place::uri),
        given.text("--savepoint").map(Place::uri));
  }

  private static void requireTopic(GivenOptions given, String option) {
    if (given.isGiven(option)) {
      throw new IllegalArgumentException(
          "%s is about topics, and files are read; leave it out, or use --from TOPIC"
              .formatted(option));
    }
  }

  private static void requireDifferent(GivenOptions given, String first, String second) {
    Optional<String> place = given.text(first);
    if (place.isPresent() && place.equals(given.text(second))) {
      throw new IllegalArgumentException(
          "%s and %s are both '%s', so their records would mix; name two places"
              .formatted(first, second, place.get()));
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

  private static int parallelism(GivenOptions given) {
    return given.number(
        "--parallelism",
        ShardedFilter.SHARDS,
        1,
        "a filter has %d shards".formatted(ShardedFilter.SHARDS));
  }

  /** Returns all topics, which have to exist. */
  List<String> topics() {
    List<String> topics = new ArrayList<>();
    topic.map(SourceTopic::name).ifPresent(topics::add);
    if (destinations.isTopics()) {
      topics.add(destinations.once());
      destinations.duplicates().ifPresent(topics::add);
    }
    return topics;
  }

  /** Returns whether the job starts from a state, whose options apply. */
  boolean startsFromState() {
    return initialState.isPresent() || savepoint.isPresent();
  }
}
