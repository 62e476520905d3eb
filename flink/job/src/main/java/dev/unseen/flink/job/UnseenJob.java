package dev.unseen.flink.job;

import dev.unseen.GateConfig;
import dev.unseen.LateRecords;
import dev.unseen.Memory;
import dev.unseen.Option;
import dev.unseen.commands.CliException;
import dev.unseen.commands.KafkaCluster;
import dev.unseen.commands.OnError;
import dev.unseen.commands.RecordOptions;
import dev.unseen.flink.NullKeys;
import dev.unseen.flink.UnseenDeduplication;
import dev.unseen.flink.UnseenOptions;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/**
 * A job that needs no code: reads files or a topic, and writes each key once.
 *
 * @param log receives what the user should know
 */
record UnseenJob(JobOptions options, Consumer<String> log) {
  private static final String DEFAULT_MEMORY = "64M";
  private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60); // with brokers
  private static final String ONCE = "once";
  private static final String DUPLICATES = "duplicates";
  private static final String LATE = "late";

  /** Runs the job until it ends: on the cluster of {@code flink run}, or else in this process. */
  void run() throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration());
    env.setParallelism(options.parallelism());
    if (options.kafka().isPresent()) {
      requireTopics();
    }
    // A cluster that has lost its JobManager submits the job again, and then there are files.
    if (env instanceof LocalStreamEnvironment && options.savepoint().isEmpty()) {
      for (Map.Entry<String, String> directory : options.directories().entrySet()) {
        JobSinks.requireNewDirectory(directory.getKey(), directory.getValue());
      }
    }
    build(env);
    JobExecutionResult result = env.execute("unseen");
    if (result.isJobExecutionResult()) { // and not detached
      commit(result);
      log.accept(summary(result));
    }
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

  private KafkaCluster kafka() throws CliException {
    return new KafkaCluster(options.kafka().orElseThrow(), PATIENCE, System::nanoTime, log);
  }

  private void requireTopics() throws CliException, InterruptedException {
    try (KafkaCluster kafka = kafka()) {
      for (String topic : options.topics()) {
        if (kafka.partitions(topic).isEmpty()) {
          throw new IllegalArgumentException(
              "there is no topic '%s' at %s; create it, or name another"
                  .formatted(topic, options.kafka().get().getProperty("bootstrap.servers")));
        }
      }
    }
  }

  /**
   * Commits what was read, so that the next job of the group resumes after it. Flink does so after
   * each checkpoint, but without waiting for the answer, so that the last time can be lost when the
   * job ends; and without checkpoints it never does.
   */
  private void commit(JobExecutionResult result) throws CliException, InterruptedException {
    Map<Integer, Long> read = result.getAccumulatorResult(ReadOffsets.NAME);
    if (read == null) { // it has read files
      return;
    }
    SourceTopic topic = options.topic().orElseThrow();
    Map<TopicPartition, Long> ends = new HashMap<>();
    read.forEach((partition, end) -> ends.put(new TopicPartition(topic.name(), partition), end));
    try (KafkaCluster kafka = kafka()) {
      kafka.commit(topic.group(), ends);
    } catch (CliException e) {
      throw CliException.inputOrOutput(
          "all records are written, but the offsets of the group '%s' could not be committed, so its next run reads some of them again: %s"
              .formatted(
                  topic.group(),
                  e.getCause() instanceof UnknownMemberIdException
                      ? "other programs read as this group; name another with --group"
                      : e.getMessage()),
          e);
    }
  }

  private void build(StreamExecutionEnvironment env) {
    OnError onError = RecordOptions.of(options.records()).onError();
    DataStream<JobRecord> records =
        read(env).filter(new BadRecords(onError)).uid("bad").name("bad records");
    GateConfig configured = UnseenOptions.read(env.getConfiguration());
    UnseenDeduplication<JobRecord, byte[]> deduplication = deduplication(onError, configured);
    if (options.topic().isPresent() || options.records().isGiven("--time")) {
      deduplication.eventTime();
    }
    SingleOutputStreamOperator<JobRecord> once = deduplication.applyTo(records);
    write(once, ONCE, Optional.of(options.once()));
    write(UnseenDeduplication.duplicatesOf(once), DUPLICATES, options.duplicates());
    LateRecords late =
        configured.with(options.filter()).get(Option.LATE_RECORDS, LateRecords.ADMIT);
    if (late == LateRecords.DROP) {
      write(UnseenDeduplication.lateOf(once), LATE, Optional.empty());
    }
  }

  private DataStream<JobRecord> read(StreamExecutionEnvironment env) {
    WatermarkStrategy<JobRecord> times =
        WatermarkStrategy.<JobRecord>forMonotonousTimestamps()
            .withTimestampAssigner((record, before) -> record.time);
    if (options.topic().isPresent()) {
      return env.fromSource(
              options.topic().get().source(options.kafka().orElseThrow(), options.records()),
              times,
              "topic",
              JobRecord.TYPE)
          .uid("topic")
          .filter(new ReadOffsets.Recording())
          .uid("offsets")
          .name("offsets");
    }
    RecordFileFormat format = new RecordFileFormat(options.files(), options.records());
    Path[] files =
        options.files().stream().map(file -> new Path(JobSinks.uri(file))).toArray(Path[]::new);
    return env.fromSource(
            FileSource.forRecordStreamFormat(format, files).build(), times, "files", JobRecord.TYPE)
        .uid("files");
  }

  /** Writes records to a place, if there is one, and counts them in any case. */
  private void write(DataStream<JobRecord> records, String uid, Optional<String> place) {
    Sink<JobRecord> sink = new DiscardingSink<>();
    if (place.isPresent()) {
      sink =
          options.writesTopics()
              ? JobSinks.topic(
                  place.get(),
                  uid,
                  options.kafka().orElseThrow(),
                  records.getExecutionEnvironment().getCheckpointConfig().isCheckpointingEnabled())
              : JobSinks.directory(place.get());
    }
    records
        .filter(new Counted(uid))
        .uid("count-" + uid)
        .name("count")
        .sinkTo(sink)
        .uid(uid)
        .name(place.isPresent() ? uid : "nowhere");
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
