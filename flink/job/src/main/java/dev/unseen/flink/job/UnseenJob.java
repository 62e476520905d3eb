package dev.unseen.flink.job;

import dev.unseen.KeyForm;
import dev.unseen.LateRecords;
import dev.unseen.Memory;
import dev.unseen.Option;
import dev.unseen.commands.GateArguments;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.OnError;
import dev.unseen.commands.RecordOptions;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.flink.NullKeys;
import dev.unseen.flink.UnseenDeduplication;
import dev.unseen.hash.Secret;
import dev.unseen.io.KeySpec;
import dev.unseen.text.Print;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job that needs no code: takes files or a topic, and writes each key once. {@link JobArguments}
 * declares its options.
 *
 * @param given the options by their long names; flags have an empty value
 * @param files to read; none if a topic is read
 */
record UnseenJob(Map<String, String> given, List<String> files) {
  /** The options of the filter. */
  static final List<Option<?>> OPTIONS =
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

  private static final String DEFAULT_MEMORY = "64M";
  private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(10);
  private static final String ONCE = "once";
  private static final String DUPLICATES = "duplicates";
  private static final String LATE = "late";

  /** Rejects options that contradict each other. */
  UnseenJob {
    one(given, !files.isEmpty(), "--input FILE", "--from TOPIC");
    one(given, given.containsKey("--output"), "--output DIRECTORY", "--to TOPIC");
    different(given, "--from", "--to");
    different(given, "--from", "--duplicates-to");
    different(given, "--to", "--duplicates-to");
    different(given, "--output", "--duplicates-to");
    for (String option : List.of("--group", "--exit-at-end")) {
      if (!files.isEmpty() && given.containsKey(option)) {
        throw new IllegalArgumentException(
            "%s is about topics, and files are read; leave it out, or use --from TOPIC"
                .formatted(option));
      }
    }
  }

  private static void different(Map<String, String> given, String first, String second) {
    String place = given.get(first);
    if (place != null && place.equals(given.get(second))) {
      throw new IllegalArgumentException(
          "%s and %s are both '%s', so their records would mix; name two places"
              .formatted(first, second, place));
    }
  }

  private static void one(Map<String, String> given, boolean first, String one, String other) {
    if (first == given.containsKey(other.split(" ", 2)[0])) {
      throw new IllegalArgumentException(
          "name either %s or %s%s".formatted(one, other, first ? ", not both" : ""));
    }
  }

  /**
   * Runs the job until it ends: on the cluster of {@code flink run}, or else in this process.
   *
   * @return the message to print at the end; empty if the job runs detached
   */
  Optional<String> run() throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration());
    env.setParallelism(parallelism());
    requireTopics();
    // A cluster that has lost its JobManager submits the job again, and then there are files.
    if (env instanceof LocalStreamEnvironment && !given.containsKey("--savepoint")) {
      requireNewDirectories();
    }
    JobInput input =
        files.isEmpty() ? new TopicInput(Brokers.of(given), given) : new FileInput(given, files);
    build(env, input);
    JobExecutionResult result = env.execute("unseen");
    if (!result.isJobExecutionResult()) {
      return Optional.empty();
    }
    input.finish(result);
    return Optional.of(summary(result));
  }

  private Configuration configuration() {
    Configuration config = new Configuration();
    config.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    if (given.containsKey("--checkpoints")) {
      config.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
      config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, Place.uri(given.get("--checkpoints")));
      config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_EVERY);
    }
    if (given.containsKey("--savepoint")) {
      config.set(StateRecoveryOptions.SAVEPOINT_PATH, Place.uri(given.get("--savepoint")));
    }
    return config;
  }

  private int parallelism() {
    String text = given.getOrDefault("--parallelism", "1");
    try {
      int parallelism = Integer.parseInt(text);
      if (parallelism >= 1 && parallelism <= ShardedFilter.SHARDS) {
        return parallelism;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "parallelism (%s) must be 1 to %d".formatted(text, ShardedFilter.SHARDS));
  }

  private void requireTopics() throws IOException, InterruptedException {
    List<String> topics =
        Stream.of("--from", "--to", given.containsKey("--to") ? "--duplicates-to" : "--to")
            .distinct()
            .filter(given::containsKey)
            .map(given::get)
            .toList();
    if (!topics.isEmpty()) {
      Brokers.of(given).requireTopics(topics);
    }
  }

  private void requireNewDirectories() throws IOException {
    if (given.containsKey("--output")) {
      new DirectoryOutput(given.get("--output")).requireNew("--output");
      if (given.containsKey("--duplicates-to")) {
        new DirectoryOutput(given.get("--duplicates-to")).requireNew("--duplicates-to");
      }
    }
  }

  private void build(StreamExecutionEnvironment env, JobInput input) {
    OnError onError = recordOptions().onError();
    DataStream<JobRecord> records =
        input.read(env).filter(new BadRecords(onError)).uid("bad").name("bad records");
    UnseenDeduplication<JobRecord, byte[]> deduplication = deduplication(onError);
    if (input.hasTimes()) {
      deduplication.eventTime();
    }
    SingleOutputStreamOperator<JobRecord> once = deduplication.applyTo(records);
    write(once, ONCE, given.containsKey("--to") ? "--to" : "--output");
    write(UnseenDeduplication.duplicatesOf(once), DUPLICATES, "--duplicates-to");
    if (LateRecords.DROP.name().equalsIgnoreCase(given.get("--late"))) {
      write(UnseenDeduplication.lateOf(once), LATE, "");
    }
  }

  /** Writes records where an option says, and counts them in any case. */
  private void write(DataStream<JobRecord> records, String uid, String option) {
    DataStream<JobRecord> counted =
        records.filter(new Counted(uid)).uid("count-" + uid).name("count");
    String place = given.get(option);
    if (place == null) {
      counted.sinkTo(new DiscardingSink<>()).uid(uid).name("nowhere");
      return;
    }
    JobOutput output =
        given.containsKey("--to")
            ? new TopicOutput(Brokers.of(given), place)
            : new DirectoryOutput(place);
    output.write(counted, uid);
  }

  private RecordOptions recordOptions() {
    return RecordOptions.of(new GivenOptions(given));
  }

  private UnseenDeduplication<JobRecord, byte[]> deduplication(OnError onError) {
    UnseenDeduplication<JobRecord, byte[]> deduplication =
        UnseenDeduplication.of((JobRecord record) -> record.key)
            .keyForm(keyForm())
            .nullKeys(onError == OnError.PASS ? NullKeys.ADMIT : NullKeys.FAIL);
    boolean starts = given.containsKey("--initial-state") || given.containsKey("--savepoint");
    if (!starts) {
      deduplication.memory(Memory.parse(DEFAULT_MEMORY));
    }
    deduplication.config(GateArguments.config(new GivenOptions(given)::text, OPTIONS));
    if (given.containsKey("--secret-file")) {
      deduplication.secret(secret(given.get("--secret-file")));
    }
    if (given.containsKey("--initial-state")) {
      deduplication.initialState(URI.create(Place.uri(given.get("--initial-state"))));
    }
    return deduplication;
  }

  private static Secret secret(String file) {
    try {
      return Secret.parse(Files.readString(Path.of(file)));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the secret '%s'".formatted(file), e);
    }
  }

  /** Returns the same form of keys as the command line uses, so that its states can be used. */
  private KeyForm keyForm() {
    String fields = given.getOrDefault("--key", "");
    if (files.isEmpty() && fields.equals(TopicRecords.MESSAGE_KEY)) {
      return new KeyForm("bytes", "the key of the message");
    }
    if (fields.isEmpty() || (files.isEmpty() && fields.equals(TopicRecords.MESSAGE_VALUE))) {
      return new KeyForm("bytes", "the whole record");
    }
    return new KeyForm(KeySpec.of(fields).isOneField() ? "bytes" : "fields", "key " + fields);
  }

  private static String summary(JobExecutionResult result) {
    long once = count(result, ONCE);
    long duplicates = count(result, DUPLICATES);
    long unusable = count(result, BadRecords.COUNT);
    long late = count(result, LATE);
    List<String> words = new ArrayList<>();
    words.add(Print.things(once + duplicates, "record"));
    words.add(String.format(Locale.ROOT, "%,d new", once));
    words.add(Print.things(duplicates, "duplicate"));
    if (unusable > 0) {
      words.add(String.format(Locale.ROOT, "%,d that could not be used", unusable));
    }
    if (late > 0) {
      words.add(String.format(Locale.ROOT, "%,d too late to check, dropped", late));
    }
    return String.join(", ", words);
  }

  private static long count(JobExecutionResult result, String name) {
    Long count = result.getAccumulatorResult(name);
    return count == null ? 0 : count;
  }
}
