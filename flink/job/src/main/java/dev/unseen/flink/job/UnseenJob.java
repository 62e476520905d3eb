package dev.unseen.flink.job;

import dev.unseen.GateConfig;
import dev.unseen.LateRecords;
import dev.unseen.Memory;
import dev.unseen.Option;
import dev.unseen.commands.OnError;
import dev.unseen.flink.NullKeys;
import dev.unseen.flink.UnseenDeduplication;
import dev.unseen.flink.UnseenOptions;
import dev.unseen.text.Print;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

/** A job that needs no code: reads files or a topic, and writes each key once. */
record UnseenJob(JobOptions options) {
  private static final String DEFAULT_MEMORY = "64M";
  private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(10);
  private static final String ONCE = "once";
  private static final String DUPLICATES = "duplicates";
  private static final String LATE = "late";

  /**
   * Runs the job until it ends: on the cluster of {@code flink run}, or else in this process.
   *
   * @return the message to print at the end; empty if the job runs detached
   */
  Optional<String> run() throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration());
    env.setParallelism(options.parallelism());
    if (!options.topics().isEmpty()) {
      brokers().requireTopics(options.topics());
    }
    // A cluster that has lost its JobManager submits the job again, and then there are files.
    if (env instanceof LocalStreamEnvironment && options.savepoint().isEmpty()) {
      requireNewDirectories();
    }
    JobInput input = input();
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
    options
        .checkpoints()
        .ifPresent(
            directory -> {
              config.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
              config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory);
              config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_EVERY);
            });
    options.savepoint().ifPresent(path -> config.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
    return config;
  }

  private Brokers brokers() {
    return options.brokers().orElseThrow();
  }

  private JobInput input() {
    return options
        .topic()
        .<JobInput>map(topic -> new TopicInput(brokers(), topic, options.records()))
        .orElseGet(() -> new FileInput(options.files(), options.records()));
  }

  private void requireNewDirectories() throws IOException {
    Destinations to = options.destinations();
    if (!to.isTopics()) {
      new DirectoryOutput(to.once()).requireNew("--output");
      if (to.duplicates().isPresent()) {
        new DirectoryOutput(to.duplicates().get()).requireNew("--duplicates-to");
      }
    }
  }

  private void build(StreamExecutionEnvironment env, JobInput input) {
    OnError onError = options.records().options().onError();
    DataStream<JobRecord> records =
        input.read(env).filter(new BadRecords(onError)).uid("bad").name("bad records");
    GateConfig configured = UnseenOptions.read(env.getConfiguration());
    UnseenDeduplication<JobRecord, byte[]> deduplication = deduplication(onError, configured);
    if (input.hasTimes()) {
      deduplication.eventTime();
    }
    SingleOutputStreamOperator<JobRecord> once = deduplication.applyTo(records);
    write(once, ONCE, Optional.of(options.destinations().once()));
    write(UnseenDeduplication.duplicatesOf(once), DUPLICATES, options.destinations().duplicates());
    LateRecords late =
        configured.with(options.filter()).get(Option.LATE_RECORDS, LateRecords.ADMIT);
    if (late == LateRecords.DROP) {
      write(UnseenDeduplication.lateOf(once), LATE, Optional.empty());
    }
  }

  /** Writes records to a place, if there is one, and counts them in any case. */
  private void write(DataStream<JobRecord> records, String uid, Optional<String> place) {
    DataStream<JobRecord> counted =
        records.filter(new Counted(uid)).uid("count-" + uid).name("count");
    if (place.isEmpty()) {
      counted.sinkTo(new DiscardingSink<>()).uid(uid).name("nowhere");
      return;
    }
    JobOutput output =
        options.destinations().isTopics()
            ? new TopicOutput(brokers(), place.get())
            : new DirectoryOutput(place.get());
    output.write(counted, uid);
  }

  private UnseenDeduplication<JobRecord, byte[]> deduplication(
      OnError onError, GateConfig configured) {
    UnseenDeduplication<JobRecord, byte[]> deduplication =
        UnseenDeduplication.of((JobRecord record) -> record.key)
            .keyForm(options.keyForm())
            .nullKeys(onError == OnError.PASS ? NullKeys.ADMIT : NullKeys.FAIL);
    if (!options.startsFromState()
        && !configured.has(Option.MEMORY)
        && !configured.has(Option.EXPECTED_KEYS)) {
      deduplication.memory(Memory.parse(DEFAULT_MEMORY));
    }
    options.initialState().ifPresent(deduplication::initialState);
    return deduplication.config(options.filter());
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
