package dev.unseen.flink;

import dev.unseen.KeyForm;
import dev.unseen.Memory;
import dev.unseen.filter.Parameter;
import dev.unseen.io.KeySpec;
import dev.unseen.text.Parse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * A job that needs no code: takes files of lines, CSV, TSV or JSON Lines, and writes each key once.
 * {@link JobArguments} declares its options.
 *
 * @param given the options by their long names; flags have an empty value
 * @param files to read
 */
record UnseenJob(Map<String, String> given, List<String> files) {
  private static final String DEFAULT_MEMORY = "64M";
  private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(10);

  /** Runs it to its end: on the cluster that `flink run` names, or else in this process. */
  void run() throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration());
    env.setParallelism(parallelism());
    build(env);
    env.execute("unseen");
  }

  private Configuration configuration() {
    Configuration config = new Configuration();
    config.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    if (given.containsKey("--checkpoints")) {
      config.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
      config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, uri(given.get("--checkpoints")));
      config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_EVERY);
    }
    if (given.containsKey("--savepoint")) {
      config.set(StateRecoveryOptions.SAVEPOINT_PATH, uri(given.get("--savepoint")));
    }
    return config;
  }

  private int parallelism() {
    String text = given.getOrDefault("--parallelism", "1");
    try {
      int parallelism = Integer.parseInt(text);
      if (parallelism >= 1 && parallelism <= KeyGroups.COUNT) {
        return parallelism;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "parallelism (%s) must be 1 to %d".formatted(text, KeyGroups.COUNT));
  }

  private void build(StreamExecutionEnvironment env) {
    RecordFileFormat format = new RecordFileFormat(given, files);
    UnseenDeduplication<Tuple3<byte[], byte[], Long>, byte[]> deduplication = deduplication();
    for (String file : files) {
      requireLocalFile(file);
    }
    DataStream<Tuple3<byte[], byte[], Long>> records =
        env.fromSource(
                FileSource.forRecordStreamFormat(
                        format,
                        files.stream()
                            .map(file -> new org.apache.flink.core.fs.Path(uri(file)))
                            .toArray(org.apache.flink.core.fs.Path[]::new))
                    .build(),
                WatermarkStrategy.<Tuple3<byte[], byte[], Long>>forMonotonousTimestamps()
                    .withTimestampAssigner((record, before) -> record.f2),
                "files",
                RecordFileFormat.TYPE)
            .uid("files");
    SingleOutputStreamOperator<Tuple3<byte[], byte[], Long>> once = deduplication.applyTo(records);
    write(once, given.get("--output"), "once");
    if (given.containsKey("--duplicates-to")) {
      write(UnseenDeduplication.duplicatesOf(once), given.get("--duplicates-to"), "duplicates");
    }
  }

  private UnseenDeduplication<Tuple3<byte[], byte[], Long>, byte[]> deduplication() {
    UnseenDeduplication<Tuple3<byte[], byte[], Long>, byte[]> deduplication =
        UnseenDeduplication.of((Tuple3<byte[], byte[], Long> record) -> record.f1)
            .keyForm(keyForm());
    boolean starts = given.containsKey("--initial-state") || given.containsKey("--savepoint");
    if (given.containsKey("--memory") || !starts) {
      deduplication.memory(Memory.parse(given.getOrDefault("--memory", DEFAULT_MEMORY)));
    }
    for (Parameter<?> parameter : Parameter.all()) {
      set(parameter, deduplication);
    }
    if (given.containsKey("--seed")) {
      deduplication.seed(Long.parseLong(given.get("--seed")));
    }
    if (given.containsKey("--initial-state")) {
      deduplication.initialState(java.net.URI.create(uri(given.get("--initial-state"))));
    }
    if (given.containsKey("--max-time-ahead")) {
      deduplication.maxTimeAhead(Parse.duration("max-time-ahead", given.get("--max-time-ahead")));
    }
    return given.containsKey("--time") ? deduplication.eventTime() : deduplication;
  }

  private <V> void set(Parameter<V> parameter, UnseenDeduplication<?, ?> deduplication) {
    String option = parameter.option().orElse("");
    if (given.containsKey(option)) {
      deduplication.set(parameter, parameter.parse(given.get(option)));
    }
  }

  /** As the shell has it, so that its states fit. */
  private KeyForm keyForm() {
    String fields = given.getOrDefault("--key", "");
    boolean one = fields.isEmpty() || KeySpec.of(fields).isOneField();
    return new KeyForm(
        one ? "bytes" : "fields", fields.isEmpty() ? "the whole record" : "key " + fields);
  }

  private static void write(
      DataStream<Tuple3<byte[], byte[], Long>> records, String directory, String uid) {
    records
        .sinkTo(
            FileSink.<Tuple3<byte[], byte[], Long>>forRowFormat(
                    new org.apache.flink.core.fs.Path(uri(directory)),
                    (record, out) -> out.write(record.f0))
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .build())
        .uid(uid)
        .name(uid);
  }

  private static void requireLocalFile(String file) {
    if (!file.contains("://") && !Files.isReadable(Path.of(file))) {
      throw new IllegalArgumentException(
          "cannot read '%s'; name a file that is there, or one of a file system of Flink's such as s3://bucket/file"
              .formatted(file));
    }
  }

  /** A name without a scheme is that of a local file. */
  private static String uri(String file) {
    return file.contains("://") ? file : Path.of(file).toAbsolutePath().toUri().toString();
  }
}
