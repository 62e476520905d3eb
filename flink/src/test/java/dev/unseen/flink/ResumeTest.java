package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Memory;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job resumes, and the program that submits it reads no savepoint. */
@Tag("both-versions")
class ResumeTest {
  /** The path that the Kubernetes operator sets if the JobManager knows the checkpoint. */
  private static final String LAST_STATE = "KUBERNETES_OPERATOR_LAST_STATE";

  private static final TestCluster cluster = TestCluster.shared();

  @TempDir Path directory;

  private String stopAfterSome(StreamExecutionEnvironment env) throws Exception {
    JobID job = cluster.submit(env);
    cluster.awaitCheckpoints(job, 2);
    return cluster.stopJob(job, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);
  }

  private static UnseenDeduplication<Tuple2<String, Long>, String> exact() {
    return NumberedJob.keys().memory(Memory.MiB(1)).maxFalsePositiveRate(1e-9);
  }

  @Test
  void from_a_path_that_only_the_cluster_understands() throws Exception {
    Configuration config = TestCluster.settings(directory);
    StreamExecutionEnvironment first = TestCluster.environment(config, 2);
    new NumberedJob(directory).toBeStopped(10).build(first, exact());
    String savepoint = stopAfterSome(first);

    StreamExecutionEnvironment again =
        TestCluster.environment(TestCluster.from(config, LAST_STATE), 3);
    NumberedJob job = new NumberedJob(directory);
    job.build(again, NumberedJob.keys()); // with the memory and the secret of the state
    again.configure(TestCluster.from(config, savepoint)); // as the JobManager does
    cluster.run(again);
    assertThat(job.numbers()).isEqualTo(NumberedJob.firstOfEachKey(NumberedJob.RECORDS));
  }

  private static SingleOutputStreamOperator<Tuple2<String, Long>> twice(
      DataStream<Tuple2<String, Long>> records) {
    return exact().applyTo(exact().applyTo(records).uid("first")).uid("second");
  }

  @Test
  void two_deduplications_that_get_their_uids_as_other_operators_do() throws Exception {
    Configuration config = TestCluster.settings(directory);
    StreamExecutionEnvironment env = TestCluster.environment(config, 1);
    new NumberedJob(directory).toBeStopped(10).build(env, ResumeTest::twice);
    String savepoint = stopAfterSome(env);
    assertThat(UnseenSavepoint.read(savepoint, "first").spec().secret())
        .isNotEqualTo(Optional.empty())
        .isNotEqualTo(UnseenSavepoint.read(savepoint, "second").spec().secret());

    StreamExecutionEnvironment again =
        TestCluster.environment(TestCluster.from(config, savepoint), 2);
    NumberedJob job = new NumberedJob(directory);
    job.build(again, ResumeTest::twice);
    cluster.run(again);
    assertThat(job.numbers()).isEqualTo(NumberedJob.firstOfEachKey(NumberedJob.RECORDS));
  }

  /** Its records have keys that were seen before the savepoint. */
  private static DataStream<Tuple2<String, Long>> another(DataStream<?> first) {
    return first
        .getExecutionEnvironment()
        .fromSequence(0, 99)
        .setParallelism(1)
        .uid("another source")
        .map(number -> Tuple2.of(NumberedJob.keyOf(number), NumberedJob.RECORDS + number))
        .returns(Types.TUPLE(Types.STRING, Types.LONG))
        .uid("another");
  }

  @Test
  void with_a_stream_more_than_before() throws Exception {
    Configuration config = TestCluster.settings(directory);
    StreamExecutionEnvironment env = TestCluster.environment(config, 2);
    new NumberedJob(directory).toBeStopped(10).build(env, exact());
    String savepoint = stopAfterSome(env);

    StreamExecutionEnvironment again =
        TestCluster.environment(TestCluster.from(config, savepoint), 2);
    NumberedJob job = new NumberedJob(directory);
    job.build(again, records -> exact().applyTo(records.union(another(records))));
    cluster.run(again);
    assertThat(job.numbers())
        .containsExactlyElementsOf(NumberedJob.firstOfEachKey(NumberedJob.RECORDS));
  }

  private static DataStream<Long> halfCrawling(StreamExecutionEnvironment env) {
    DataStream<Long> numbers =
        env.fromSequence(0, 99_999)
            .uid("source")
            .map(
                number -> {
                  if (number >= 50_000) {
                    Thread.sleep(1);
                  }
                  return number;
                })
            .returns(Types.LONG);
    return UnseenDeduplication.of((Long number) -> number).memory(Memory.MiB(1)).applyTo(numbers);
  }

  @Test
  void after_some_of_the_sending_tasks_have_finished() throws Exception {
    Configuration config = TestCluster.settings(directory);
    StreamExecutionEnvironment env = TestCluster.environment(config, 2);
    halfCrawling(env).sinkTo(new DiscardingSink<>());
    JobID job = cluster.submit(env);
    cluster.awaitSomeFinished(job);
    cluster.awaitCheckpoints(job, cluster.completed(job) + 2);
    String savepoint =
        cluster.stopJob(job, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);

    StreamExecutionEnvironment again =
        TestCluster.environment(TestCluster.from(config, savepoint), 2);
    halfCrawling(again).sinkTo(new DiscardingSink<>());
    JobID resumed = cluster.submit(again);
    cluster.awaitCheckpoints(resumed, 1);
    cluster.cancel(resumed);
  }
}
