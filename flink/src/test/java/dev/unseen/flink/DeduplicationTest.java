package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.Measure;
import dev.unseen.Memory;
import dev.unseen.filter.Window;
import dev.unseen.filter.engine.ShardedFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.runtime.partitioner.KeyGroupStreamPartitioner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes out where, by keys, windows and nulls. */
@Tag("both-versions")
class DeduplicationTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Configuration config = new Configuration();
    config.setString(
        ConfigConstants.METRICS_REPORTER_PREFIX + "test.factory.class", Reporters.class.getName());
    cluster = TestCluster.start(config);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.stop();
  }

  private static StreamExecutionEnvironment env(int parallelism) {
    return TestCluster.environment(new Configuration(), parallelism);
  }

  private static <T> List<T> collect(DataStream<T> stream) throws Exception {
    return cluster.collect(stream);
  }

  private static <K> List<K> once(KeySelector<K, K> self, List<K> records) throws Exception {
    DataStream<K> stream = env(1).fromData(records);
    return collect(UnseenDeduplication.of(self).memory(Memory.MiB(1)).applyTo(stream));
  }

  @Test
  void keys_of_all_types_are_let_through_once() throws Exception {
    assertThat(once((Long key) -> key, List.of(1L, 2L, 1L))).containsExactly(1L, 2L);
    assertThat(once((Integer key) -> key, List.of(1, 2, 1))).containsExactly(1, 2);
    assertThat(once((Instant key) -> key, List.of(Instant.EPOCH, Instant.MAX, Instant.EPOCH)))
        .containsExactly(Instant.EPOCH, Instant.MAX);
    UUID one = new UUID(1, 2);
    DataStream<String> texts = env(1).fromData(one.toString(), new UUID(1, 3).toString(), "x");
    assertThat(
            collect(
                UnseenDeduplication.of(
                        (String text) -> text.equals("x") ? one : UUID.fromString(text))
                    .keyType(Types.GENERIC(UUID.class))
                    .memory(Memory.MiB(1))
                    .applyTo(texts)))
        .hasSize(2);
    DataStream<Tuple2<String, Long>> pairs =
        env(1)
            .fromData(
                List.of(Tuple2.of("ab", 1L), Tuple2.of("ab", 2L), Tuple2.of("ab", 1L)),
                Types.TUPLE(Types.STRING, Types.LONG));
    assertThat(
            collect(
                UnseenDeduplication.of((Tuple2<String, Long> pair) -> pair)
                    .keyType(Types.TUPLE(Types.STRING, Types.LONG))
                    .memory(Memory.MiB(1))
                    .applyTo(pairs)))
        .containsExactly(Tuple2.of("ab", 1L), Tuple2.of("ab", 2L));
  }

  @Test
  void duplicates_go_to_the_side_output() throws Exception {
    DataStream<String> words = env(1).fromData("a", "b", "a", "c", "b", "a");
    SingleOutputStreamOperator<String> once =
        UnseenDeduplication.of((String word) -> word).memory(Memory.MiB(1)).applyTo(words);
    assertThat(collect(UnseenDeduplication.duplicatesOf(once))).containsExactly("a", "b", "a");
  }

  @Test
  void the_operator_has_at_most_a_task_for_each_shard() throws Exception {
    StreamExecutionEnvironment env = env(200);
    DataStream<String> words = env.fromData("a", "b", "a").setParallelism(1);
    SingleOutputStreamOperator<String> once =
        UnseenDeduplication.of((String word) -> word).memory(Memory.MiB(1)).applyTo(words);
    assertThat(once.getParallelism()).isEqualTo(128);
    env.setParallelism(1);
    assertThat(collect(once.setParallelism(3))).containsExactlyInAnyOrder("a", "b");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 127, 720, 32_768})
  void the_max_parallelism_of_the_job_can_be_any(int keyGroups) throws Exception {
    StreamExecutionEnvironment env = env(2);
    env.setMaxParallelism(keyGroups);
    DataStream<String> words = env.fromData("a", "b", "a", "c").keyBy(String::length);
    SingleOutputStreamOperator<String> once =
        UnseenDeduplication.of((String word) -> word).memory(Memory.MiB(1)).applyTo(words);
    assertThat(collect(once)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_stream_that_is_keyed_by_the_same_key_is_sent_once() throws Exception {
    StreamExecutionEnvironment env = env(2);
    DataStream<String> keyed = env.fromData("a", "b", "a").keyBy(word -> word);
    SingleOutputStreamOperator<String> once =
        UnseenDeduplication.of((String word) -> word).memory(Memory.MiB(1)).applyTo(keyed);
    assertThat(env.getStreamGraph(false).getStreamNodes())
        .filteredOn(
            node ->
                node.getOutEdges().stream()
                    .anyMatch(edge -> edge.getPartitioner() instanceof KeyGroupStreamPartitioner))
        .extracting(StreamNode::getOperatorName)
        .containsExactly("unseen-hash");
    assertThat(collect(once)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void keyed_and_united_streams_are_sent_once() throws Exception {
    StreamExecutionEnvironment env = env(2);
    DataStream<String> keyed = env.fromData("a", "b", "a").keyBy(String::length);
    DataStream<String> alone = env.fromData("b", "c").setParallelism(1);
    SingleOutputStreamOperator<String> once =
        UnseenDeduplication.of((String word) -> word)
            .memory(Memory.MiB(1))
            .applyTo(keyed.union(alone));
    assertThat(env.getStreamGraph(false).getStreamNodes().stream())
        .as("two sources, the hashes, and the deduplication")
        .hasSize(4);
    assertThat(collect(once)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void records_without_a_key_are_let_through_or_dropped_as_is_asked() throws Exception {
    for (NullKeys policy : List.of(NullKeys.ADMIT, NullKeys.DROP)) {
      DataStream<String> words = env(2).fromData("a", "?", "a", "?").setParallelism(1);
      List<String> out =
          collect(
              UnseenDeduplication.of((String word) -> word.equals("?") ? null : word)
                  .memory(Memory.MiB(1))
                  .nullKeys(policy)
                  .applyTo(words));
      assertThat(out)
          .containsExactlyInAnyOrderElementsOf(
              policy == NullKeys.ADMIT ? List.of("a", "?", "?") : List.of("a"));
    }
  }

  private static List<Tuple2<String, Long>> timed(List<Tuple2<String, Long>> records)
      throws Exception {
    return timed(records, WatermarkStrategy.forMonotonousTimestamps());
  }

  private static List<Tuple2<String, Long>> timed(
      List<Tuple2<String, Long>> records, WatermarkStrategy<Tuple2<String, Long>> marks)
      throws Exception {
    DataStream<Tuple2<String, Long>> stream =
        env(2)
            .fromData(records, Types.TUPLE(Types.STRING, Types.LONG))
            .setParallelism(1)
            .assignTimestampsAndWatermarks(
                marks.withTimestampAssigner((record, before) -> record.f1))
            .setParallelism(1);
    return collect(
        UnseenDeduplication.of((Tuple2<String, Long> record) -> record.f0)
            .memory(Memory.MiB(1))
            .seed(0)
            .window(Window.time(Duration.ofHours(8)))
            .eventTime()
            .applyTo(stream));
  }

  @Test
  void a_key_is_let_through_again_after_the_window_of_event_time() throws Exception {
    assertThat(
            timed(
                List.of(
                    Tuple2.of("a", HOUR),
                    Tuple2.of("a", 5 * HOUR), // within the window
                    Tuple2.of("a", 20 * HOUR), // after it
                    Tuple2.of("a", 14 * HOUR), // late, and within the window of 20
                    Tuple2.of("a", 2 * HOUR)))) // too late to be checked
        .containsExactly(Tuple2.of("a", HOUR), Tuple2.of("a", 20 * HOUR), Tuple2.of("a", 2 * HOUR));
  }

  /** Keys that come once a day are all new to a window of an hour, however they are read. */
  @ParameterizedTest
  @EnumSource
  void no_new_record_is_lost_when_times_are_out_of_order(RuntimeExecutionMode mode)
      throws Exception {
    StreamExecutionEnvironment env = env(2);
    env.setRuntimeMode(mode);
    long day = 24 * HOUR;
    DataStream<Tuple2<Long, Long>> stream =
        env.fromSequence(0, 39_999) // read as two ranges side by side
            .map(i -> Tuple2.of(i % 10_000, i / 10_000 * day + i % 10_000 * day / 10_000))
            .returns(Types.TUPLE(Types.LONG, Types.LONG))
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Tuple2<Long, Long>>forMonotonousTimestamps()
                    .withTimestampAssigner((record, before) -> record.f1));
    List<Tuple2<Long, Long>> out =
        collect(
            UnseenDeduplication.of((Tuple2<Long, Long> record) -> record.f0)
                .memory(Memory.MiB(1))
                .seed(0)
                .window(Window.time(Duration.ofHours(1)))
                .eventTime()
                .applyTo(stream));
    assertThat(out).as("at most 1 in 10,000 lost").hasSizeGreaterThanOrEqualTo(39_996);
  }

  /** Emits a watermark after each record. */
  private static final class AtOnce implements WatermarkGenerator<Tuple2<String, Long>> {
    private long latest = Long.MIN_VALUE;

    @Override
    public void onEvent(Tuple2<String, Long> record, long millis, WatermarkOutput out) {
      latest = Math.max(latest, millis);
      out.emitWatermark(new Watermark(latest));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput out) {}
  }

  @Test
  void time_goes_on_by_watermarks_for_a_task_that_gets_no_records() throws Exception {
    Gate like = Gate.builder().memory(Memory.MiB(1)).seed(0).concurrent().build();
    String first = keyInTask(like, 0);
    String second = keyInTask(like, 1);
    assertThat(
            timed(
                List.of(
                    Tuple2.of(first, HOUR),
                    Tuple2.of(second, 20 * HOUR), // in the other task
                    Tuple2.of(first, 2 * HOUR)), // late: the window has passed meanwhile
                WatermarkStrategy.forGenerator(any -> new AtOnce())))
        .containsExactlyInAnyOrder(
            Tuple2.of(first, HOUR), Tuple2.of(second, 20 * HOUR), Tuple2.of(first, 2 * HOUR));
  }

  /** Returns a key that one of two tasks gets. */
  private static String keyInTask(Gate like, int task) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> "key " + i)
        .filter(
            key -> KeyGroups.ofTask(2, task).contains(ShardedFilter.shardOf(like.hash().hash(key))))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void measures_are_metrics_of_the_operator() throws Exception {
    DataStream<String> words = env(1).fromData("a", "b", "a");
    DataStream<String> out =
        UnseenDeduplication.of((String word) -> word)
            .memory(Memory.MiB(1))
            .applyTo(words)
            .map(new Asking())
            .returns(Types.STRING);
    assertThat(collect(out)).hasSize(2);
    assertThat(Asking.SEEN.keySet())
        .containsExactlyElementsOf(
            Measure.all().stream()
                .filter(measure -> !measure.isOfAudit())
                .map(measure -> "unseen." + measure.jsonName())
                .sorted()
                .toList());
    assertThat(Asking.SEEN.get("unseen.memoryBytes")).isEqualTo(1 << 20);
    assertThat(Asking.SEEN.get("unseen.predecessorBytes")).isZero();
    assertThat(Asking.SEEN.get("unseen.admitted")).isBetween(1.0, 2.0);
  }

  /** Reads the gauges while the job runs: with its end they go. */
  private static final class Asking extends RichMapFunction<String, String> {
    private static final long serialVersionUID = 1;

    static final Map<String, Double> SEEN = new TreeMap<>();

    @Override
    public String map(String word) {
      Reporters.GAUGES.forEach(
          (name, gauge) -> SEEN.put(name, ((Number) gauge.getValue()).doubleValue()));
      return word;
    }
  }

  /** Keeps the gauges of our group. */
  public static final class Reporters implements MetricReporterFactory, MetricReporter {
    static final Map<String, Gauge<?>> GAUGES = new ConcurrentHashMap<>();

    @Override
    public MetricReporter createMetricReporter(java.util.Properties properties) {
      return this;
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
      String[] scope = group.getScopeComponents();
      if (metric instanceof Gauge<?> gauge && scope[scope.length - 1].equals("unseen")) {
        GAUGES.put("unseen." + name, gauge);
      }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
  }
}
