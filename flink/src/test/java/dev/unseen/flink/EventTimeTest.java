package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.LateRecords;
import dev.unseen.Memory;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import dev.unseen.testing.TimedStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records are compared by their timestamps, in whatever order they come. */
@Tag("both-versions")
class EventTimeTest {
  private static final long START = 1_700_000_000_000L;
  private static final long HOUR = 3_600_000;
  private static final TypeInformation<Tuple3<Integer, String, Long>> RECORDS =
      Types.TUPLE(Types.INT, Types.STRING, Types.LONG);

  private static final TestCluster cluster = TestCluster.shared();

  private static DataStream<Tuple3<Integer, String, Long>> read(
      List<Tuple3<Integer, String, Long>> records, RuntimeExecutionMode mode) {
    StreamExecutionEnvironment env = TestCluster.environment(new Configuration(), 2);
    env.setRuntimeMode(mode);
    return env.fromData(records, RECORDS)
        .setParallelism(1)
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Tuple3<Integer, String, Long>>forMonotonousTimestamps()
                .withTimestampAssigner((record, before) -> record.f2))
        .setParallelism(1);
  }

  private static UnseenDeduplication<Tuple3<Integer, String, Long>, String> byKey() {
    return UnseenDeduplication.of((Tuple3<Integer, String, Long> record) -> record.f1)
        .memory(Memory.MiB(1))
        .seed(5)
        .window(Window.time(Duration.ofMillis(HOUR)))
        .eventTime();
  }

  private static void agrees(TimedStream drawn, TimedStream asRead, RuntimeExecutionMode mode)
      throws Exception {
    List<Tuple3<Integer, String, Long>> records =
        drawn.records().stream().map(r -> Tuple3.of(r.id(), r.key(), r.millis())).toList();
    SingleOutputStreamOperator<Tuple3<Integer, String, Long>> once =
        byKey()
            .maxFalsePositiveRate(1e-6)
            .window(Window.time(Duration.ofMillis(drawn.window())))
            .maxLateness(Duration.ofMillis(drawn.lateness()))
            .refresh(drawn.refreshes() ? Refresh.ALWAYS : Refresh.NEVER)
            .applyTo(read(records, mode));
    Set<Integer> admitted = new HashSet<>();
    cluster.collect(once).forEach(record -> admitted.add(record.f0));
    asRead.check(record -> admitted.contains(record.id()));
  }

  @Property(tries = 4)
  void a_stream_agrees_with_an_exact_model_in_any_order(Choices choices) throws Exception {
    TimedStream stream = TimedStream.drawn(choices, START);
    agrees(stream, stream, RuntimeExecutionMode.STREAMING);
  }

  /** A batch job reads each key group in the order of time. */
  @Property(tries = 4)
  void a_batch_agrees_with_an_exact_model_in_any_order(Choices choices) throws Exception {
    TimedStream stream = TimedStream.drawn(choices, START);
    agrees(stream, stream.byTime(), RuntimeExecutionMode.BATCH);
  }

  private static final List<Tuple3<Integer, String, Long>> LATE =
      List.of(
          Tuple3.of(1, "a", START + 10 * HOUR),
          Tuple3.of(2, "a", START + 10 * HOUR),
          Tuple3.of(3, "a", START),
          Tuple3.of(4, "a", START));

  private static List<Integer> ids(DataStream<Tuple3<Integer, String, Long>> stream)
      throws Exception {
    return cluster.collect(stream).stream().map(record -> record.f0).toList();
  }

  @Test
  void records_that_are_too_late_go_to_a_side_output_if_they_are_dropped() throws Exception {
    assertThat(ids(byKey().applyTo(read(LATE, RuntimeExecutionMode.STREAMING))))
        .containsExactly(1, 3, 4);
    for (boolean late : new boolean[] {false, true}) {
      SingleOutputStreamOperator<Tuple3<Integer, String, Long>> once =
          byKey().lateRecords(LateRecords.DROP).applyTo(read(LATE, RuntimeExecutionMode.STREAMING));
      assertThat(ids(late ? UnseenDeduplication.lateOf(once) : once))
          .isEqualTo(late ? List.of(3, 4) : List.of(1));
    }
  }

  @Test
  void a_record_that_is_too_late_ends_the_job_if_asked_for() {
    assertThatThrownBy(
            () ->
                ids(
                    byKey()
                        .lateRecords(LateRecords.FAIL)
                        .applyTo(read(LATE, RuntimeExecutionMode.STREAMING))))
        .hasStackTraceContaining("JobRejectedException")
        .hasStackTraceContaining("a record has the time 2023-11-14T22:13:20Z")
        .hasStackTraceContaining("raise maxLateness");
    assertThatThrownBy(
            () ->
                UnseenDeduplication.of((Tuple3<Integer, String, Long> record) -> record.f1)
                    .memory(Memory.MiB(1))
                    .lateRecords(LateRecords.DROP)
                    .applyTo(read(LATE, RuntimeExecutionMode.STREAMING)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "lateRecords (drop) must be left out, unless there is a window of event time");
  }
}
