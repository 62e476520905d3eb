package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Measure;
import dev.unseen.Memory;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KeyValueMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The processor in Kafka's own driver for unit tests, which is also what users test with. */
class TopologyTest {
  private TopologyTestDriver driver;
  private TestInputTopic<String, String> in;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  private void drive(Topology topology) {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.String().getClass());
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.String().getClass());
    driver = new TopologyTestDriver(topology, config);
    in = driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
  }

  private void once(TopicDeduplication<String, String> deduplication) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream("in").process(deduplication).to("out");
    drive(builder.build());
  }

  private List<String> read(String topic) {
    return driver
        .createOutputTopic(topic, new StringDeserializer(), new StringDeserializer())
        .readValuesToList();
  }

  private static TopicDeduplication<String, String> byValue() {
    return Unseen.deduplicate((String key, String value) -> value).memory(Memory.MiB(1));
  }

  @Test
  void keys_of_all_types_are_told_apart() {
    List<KeyValueMapper<String, String, Object>> types =
        List.of(
            (key, value) -> value,
            (key, value) -> value.getBytes(java.nio.charset.StandardCharsets.UTF_8),
            (key, value) -> Integer.valueOf(value),
            (key, value) -> Long.valueOf(value),
            (key, value) -> new UUID(0, Long.parseLong(value)),
            (key, value) -> Instant.ofEpochMilli(Long.parseLong(value)),
            (key, value) ->
                List.copyOf(EnumSet.allOf(NullKeys.class)).get(Integer.parseInt(value)));
    for (KeyValueMapper<String, String, Object> type : types) {
      once(Unseen.<String, String>deduplicate(type).memory(Memory.MiB(1)));
      List.of("0", "1", "0", "2", "1").forEach(in::pipeInput);
      assertThat(read("out")).containsExactly("0", "1", "2");
      driver.close();
      driver = null;
    }
  }

  @Test
  void a_key_of_no_known_type_is_refused() {
    once(Unseen.deduplicate((String key, String value) -> List.of(value)).memory(Memory.MiB(1)));
    assertThatThrownBy(() -> in.pipeInput("a"))
        .hasStackTraceContaining("which has no hash here; return a String, byte[]");
  }

  @Test
  void duplicates_are_a_stream_of_their_own_if_asked_for() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> stream = builder.stream("in");
    Deduplicated<String, String> split = byValue().split(stream);
    split.once().to("out");
    split.duplicates().mapValues(value -> value + " again").to("again");
    drive(builder.build());

    List.of("a", "b", "a", "c", "b", "a").forEach(in::pipeInput);

    assertThat(read("out")).containsExactly("a", "b", "c");
    assertThat(read("again")).containsExactly("a again", "b again", "a again");
  }

  @Test
  void several_deduplications_of_a_topology_have_stores_of_their_own() {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> stream = builder.stream("in");
    stream.process(byValue()).to("out");
    stream
        .process(
            Unseen.deduplicate((String key, String value) -> value.length())
                .memory(Memory.MiB(1))
                .store("lengths"))
        .to("lengths");
    drive(builder.build());

    List.of("a", "b", "a", "cc").forEach(in::pipeInput);

    assertThat(read("out")).containsExactly("a", "b", "cc");
    assertThat(read("lengths")).containsExactly("a", "cc");
  }

  @Test
  void null_keys_fail_or_do_what_was_said() {
    KeyValueMapper<String, String, Object> nulls = (key, value) -> value.isEmpty() ? null : value;
    once(Unseen.<String, String>deduplicate(nulls).memory(Memory.MiB(1)));
    assertThatThrownBy(() -> in.pipeInput(""))
        .hasStackTraceContaining("the key of a record is null (in, partition 0, offset 0)")
        .hasStackTraceContaining("nullKeys(NullKeys.ADMIT)");
    driver.close();
    for (NullKeys policy : List.of(NullKeys.ADMIT, NullKeys.DROP)) {
      once(Unseen.<String, String>deduplicate(nulls).memory(Memory.MiB(1)).nullKeys(policy));
      List.of("", "a", "", "a").forEach(in::pipeInput);
      assertThat(read("out"))
          .isEqualTo(policy == NullKeys.ADMIT ? List.of("", "a", "") : List.of("a"));
      driver.close();
    }
    driver = null;
  }

  @Test
  void a_window_goes_by_the_timestamps_of_records() {
    once(byValue().window(Window.time(Duration.ofHours(8))));
    Instant start = Instant.parse("2026-01-01T00:00:00Z");

    in.pipeInput("k", "a", start);
    in.pipeInput("k", "a", start.plus(Duration.ofHours(6)));
    in.pipeInput("k", "b", start.plus(Duration.ofHours(7)));
    in.pipeInput("k", "a", start.plus(Duration.ofHours(30)));
    in.pipeInput("k", "a", start.plus(Duration.ofHours(25))); // late, and a duplicate
    in.pipeInput("k", "a", start.plus(Duration.ofHours(1))); // too late to be checked
    in.pipeInput("k", "b", start.plus(Duration.ofDays(9999))); // a wrong clock

    assertThat(read("out")).containsExactly("a", "b", "a", "a", "b");
  }

  @Test
  void all_measures_are_metrics_of_the_stream() {
    once(byValue());
    List.of("a", "b", "a").forEach(in::pipeInput);
    driver.advanceWallClockTime(Duration.ofSeconds(1));

    TreeMap<String, Object> metrics =
        driver.metrics().entrySet().stream()
            .filter(metric -> metric.getKey().group().equals(GateMeasures.GROUP))
            .collect(
                Collectors.toMap(
                    metric -> metric.getKey().name(),
                    metric -> metric.getValue().metricValue(),
                    (a, b) -> a,
                    TreeMap::new));

    assertThat(metrics.keySet())
        .isEqualTo(
            Measure.all().stream()
                .filter(measure -> !measure.isOfAudit())
                .map(measure -> measure.name().replace('_', '-'))
                .collect(Collectors.toCollection(java.util.TreeSet::new)));
    assertThat(metrics.get("memory-bytes")).isEqualTo((double) Memory.MiB(1));
  }

  @Test
  void a_share_of_the_memory_that_no_filter_fits_in_is_refused() {
    assertThatThrownBy(
            () ->
                once(
                    Unseen.deduplicate((String key, String value) -> value)
                        .memory(100_000)
                        .partitions(10_000)))
        .hasStackTraceContaining("memory (10");
    assertThatThrownBy(
            () -> once(Unseen.deduplicate((String key, String value) -> value).memory(1L << 40)))
        .hasStackTraceContaining("takes 1 TiB of heap, and Java's heap (-Xmx) is");
  }

  @Test
  void what_cannot_be_is_refused_when_the_topology_is_built() {
    assertThatThrownBy(() -> once(Unseen.deduplicate((String key, String value) -> value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("memory is not set");
    assertThatThrownBy(() -> once(byValue().window(Window.records(1000))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("window (1000 records) must be a time");
    assertThatThrownBy(() -> byValue().maxFalsePositiveRate(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxFalsePositiveRate (2.0)");
    assertThatThrownBy(
            () ->
                once(
                    byValue()
                        .window(Window.time(Duration.ofHours(24)))
                        .changelogRetention(Duration.ofHours(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("changelogRetention (1h) must be at least the window, which is 24h");
    assertThatThrownBy(() -> byValue().partitions(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partitions (0)");
  }
}
