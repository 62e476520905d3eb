package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Gate;
import dev.unseen.KeyForm;
import dev.unseen.Memory;
import dev.unseen.filter.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot work is rejected: at submission if it can be known then, with the remedy. */
class RejectionTest {
  private static final TestCluster cluster = TestCluster.shared();

  @TempDir Path directory;

  private StreamExecutionEnvironment env(int parallelism) {
    return TestCluster.environment(TestCluster.settings(directory), parallelism);
  }

  private static DataStream<String> words(StreamExecutionEnvironment env) {
    return env.fromData(Types.STRING, "a", "b", "a");
  }

  private static UnseenDeduplication<String, String> byWord() {
    return UnseenDeduplication.of((String word) -> word).memory(Memory.MiB(1));
  }

  private void assertFails(StreamExecutionEnvironment env, String... words) {
    assertThatThrownBy(() -> cluster.run(env))
        .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e)).contains(words));
  }

  @Test
  void checkpoints_that_the_heap_of_the_job_manager_does_not_accept() throws Exception {
    StreamExecutionEnvironment env = env(1);
    NumberedJob job = new NumberedJob(directory).slowed(10).heldHere();
    job.build(env, NumberedJob.keys().memory(Memory.MiB(8)));
    Configuration later = new Configuration();
    later.set(CheckpointingOptions.CHECKPOINT_STORAGE, "jobmanager");
    env.configure(later);
    assertFails(env, "at most 5,242,880 bytes", "execution.checkpointing.dir");
  }

  @Test
  void a_heap_that_is_too_small() {
    StreamExecutionEnvironment env = env(2);
    byWord().memory(Memory.GiB(100)).applyTo(words(env)).sinkTo(new DiscardingSink<>());
    assertFails(
        env, "takes 50 GiB for its part of the filter", "taskmanager.memory.task.heap.size");
  }

  /** The filter fits if the operator has more tasks than the environment says. */
  @Test
  void nothing_that_depends_on_the_parallelism_of_the_operator() {
    Configuration config = TestCluster.settings(directory);
    config.set(TaskManagerOptions.TASK_HEAP_MEMORY, MemorySize.ofMebiBytes(64));
    StreamExecutionEnvironment env = TestCluster.environment(config, 1);
    byWord().memory(Memory.MiB(64)).applyTo(words(env)).setParallelism(4);
  }

  @Test
  void another_number_of_key_groups() {
    StreamExecutionEnvironment env = env(2);
    SingleOutputStreamOperator<String> once = byWord().applyTo(words(env));
    assertThatThrownBy(() -> once.setMaxParallelism(256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is 256, and must be 128");
    once.getTransformation().setMaxParallelism(256);
    once.sinkTo(new DiscardingSink<>());
    assertFails(env, "max parallelism of unseen", "is 256, and must be 128");
  }

  @Test
  void a_null_key_unless_it_is_said_what_becomes_of_it() throws Exception {
    StreamExecutionEnvironment env = env(2);
    UnseenDeduplication.of((String word) -> word.equals("b") ? null : word)
        .memory(Memory.MiB(1))
        .applyTo(words(env))
        .sinkTo(new DiscardingSink<>());
    assertFails(env, "the key of a record of java.lang.String is null", "NullKeys.ADMIT");
  }

  @Test
  void a_key_of_a_type_without_a_hash() {
    assertThatThrownBy(
            () ->
                UnseenDeduplication.of((String word) -> (double) word.length())
                    .memory(Memory.MiB(1))
                    .applyTo(words(env(2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Double")
        .hasMessageContaining("return a String");
  }

  @Test
  void a_record_without_a_timestamp_if_time_is_event_time() {
    StreamExecutionEnvironment env = env(2);
    byWord()
        .window(Window.time(Duration.ofHours(1)))
        .eventTime()
        .applyTo(words(env))
        .sinkTo(new DiscardingSink<>());
    assertFails(env, "a record has no timestamp", "assignTimestampsAndWatermarks");
  }

  @Test
  void an_initial_state_that_cannot_be_used() throws Exception {
    Path none = directory.resolve("none.uns");
    assertRejected(none, "none.uns");
    Path whole = directory.resolve("whole.uns");
    Gate.builder().memory(Memory.MiB(1)).build().save(whole, Map.of());
    assertRejected(whole, "not in shards", "concurrent()");
    Path sharded = directory.resolve("sharded.uns");
    Gate.builder().memory(Memory.MiB(1)).concurrent().build().save(sharded, Map.of());
    byWord().initialState(sharded.toUri()).applyTo(words(env(2)));
    byte[] bytes = Files.readAllBytes(sharded);
    bytes[bytes.length / 2] ^= 1;
    Path damaged = directory.resolve("damaged.uns");
    Files.write(damaged, bytes);
    assertRejected(damaged, "damaged.uns", "checksum");
    assertRejectedWith(
        UnseenDeduplication.of((String word) -> word).memory(Memory.MiB(2)),
        sharded,
        "memory: 1,048,576 and 2,097,152 bytes");
    Path numbers = directory.resolve("numbers.uns");
    Gate.builder()
        .memory(Memory.MiB(1))
        .keyForm(new KeyForm("number", ""))
        .concurrent()
        .build()
        .save(numbers, Map.of());
    assertRejected(numbers, "keys of number");
  }

  private void assertRejected(Path state, String... words) {
    assertRejectedWith(byWord(), state, words);
  }

  private void assertRejectedWith(
      UnseenDeduplication<String, String> deduplication, Path state, String... words) {
    assertThatThrownBy(() -> deduplication.initialState(state.toUri()).applyTo(words(env(2))))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
  }

  @Test
  void other_options_than_those_of_the_savepoint_and_damage() throws Exception {
    StreamExecutionEnvironment first = env(2);
    new NumberedJob(directory).toBeStopped(10).heldHere().build(first);
    JobID job = cluster.submit(first);
    cluster.awaitCheckpoints(job, 1);
    String savepoint =
        cluster.stopJob(job, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);
    Configuration from = TestCluster.from(TestCluster.settings(directory), savepoint);
    NumberedJob again = new NumberedJob(directory).heldHere();

    StreamExecutionEnvironment other = TestCluster.environment(from, 2);
    again.build(other, NumberedJob.deduplication().memory(Memory.MiB(1)));
    assertFails(other, "onChange(GROW)", "memory: 32,768 and 1,048,576 bytes");

    StreamExecutionEnvironment damaged = TestCluster.environment(from, 2);
    again.build(damaged);
    damage(Path.of(java.net.URI.create(savepoint)));
    assertFails(damaged, "of the state: block", "another checkpoint or savepoint");
  }

  @Test
  void a_filter_without_the_secret_that_records_are_hashed_with() throws Exception {
    StreamExecutionEnvironment first = env(2);
    new NumberedJob(directory)
        .toBeStopped(10)
        .heldHere()
        .build(first, NumberedJob.keys().memory(Memory.MiB(1)).uid("once"));
    JobID job = cluster.submit(first);
    cluster.awaitCheckpoints(job, 1);
    String savepoint =
        cluster.stopJob(job, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);
    Configuration from = TestCluster.from(TestCluster.settings(directory), savepoint);
    from.set(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE, true);
    StreamExecutionEnvironment env = TestCluster.environment(from, 2);
    new NumberedJob(directory)
        .heldHere()
        .build(
            env,
            records -> {
              var once = NumberedJob.keys().memory(Memory.MiB(1)).uid("other").applyTo(records);
              once.getTransformation().setUid("once"); // and not that of unseen-hash
              return once;
            });
    assertFails(env, "the state of unseen was restored, and that of unseen-hash", "secret(...)");
  }

  /** Changes a byte in the largest file of a savepoint, which holds the shards of a task. */
  private static void damage(Path savepoint) throws Exception {
    try (Stream<Path> files = Files.list(savepoint)) {
      Path largest =
          files.max(Comparator.comparingLong(file -> file.toFile().length())).orElseThrow();
      byte[] bytes = Files.readAllBytes(largest);
      bytes[bytes.length / 2 + 100] ^= 1;
      Files.write(largest, bytes);
    }
  }
}
