package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Key;
import dev.unseen.Keys;
import dev.unseen.Measure;
import dev.unseen.Memory;
import dev.unseen.filter.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.util.Utf8;
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
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    drive(topology, new Properties());
  }

  private void drive(Topology topology, Properties config) {
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
  void a_key_of_no_known_type_is_rejected() {
    once(Unseen.deduplicate((String key, String value) -> List.of(value)).memory(Memory.MiB(1)));
    assertThatThrownBy(() -> in.pipeInput("a"))
        .hasStackTraceContaining("which has no hash here; return a String, byte[]")
        .hasStackTraceContaining("Unseen.deduplicateBy(Keys.composite(...))");
  }

  @Test
  void a_stream_with_keys_of_two_types_is_rejected() {
    once(
        Unseen.<String, String>deduplicate(
                (key, value) -> value.startsWith("#") ? (Object) value.length() : value)
            .memory(Memory.MiB(1)));
    in.pipeInput("a");
    assertThatThrownBy(() -> in.pipeInput("#"))
        .hasStackTraceContaining("has keys of bytes, and the stream has keys of number");
  }

  /** An order, as an application has it: with a part that may be missing. */
  private record Order(String customer, String coupon, long number) {
    static Order of(String text) {
      String[] parts = text.split(",", -1);
      return new Order(parts[0], parts[1].isEmpty() ? null : parts[1], Long.parseLong(parts[2]));
    }
  }

  private static Key<Record<String, Order>> orderKey() {
    return Keys.composite(
        Keys.utf8(record -> record.value().customer()),
        Keys.nullable(
            record -> record.value().coupon() == null,
            Keys.utf8(record -> record.value().coupon())),
        Keys.longs(record -> record.value().number()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keys_of_several_parts_are_compared_part_by_part(boolean forValues) {
    TopicDeduplication<String, Order> orders =
        Unseen.deduplicateBy(orderKey()).memory(Memory.MiB(1));
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, Order> stream = builder.<String, String>stream("in").mapValues(Order::of);
    (forValues ? stream.processValues(orders.forValues()) : stream.process(orders))
        .mapValues(Order::toString)
        .to("out");
    drive(builder.build());

    List.of("a,b,1", "ab,,1", "a,b,1", "a,,1", "ab,,1", "a,,1", "a,b,2").forEach(in::pipeInput);

    assertThat(read("out"))
        .containsExactly(
            Order.of("a,b,1").toString(),
            Order.of("ab,,1").toString(),
            Order.of("a,,1").toString(),
            Order.of("a,b,2").toString());
  }

  @Test
  void records_of_avro_are_compared_by_their_fields() {
    Schema schema =
        SchemaBuilder.record("Order")
            .fields()
            .requiredString("customer")
            .optionalString("coupon")
            .endRecord();
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream("in")
        .mapValues(
            text ->
                new GenericRecordBuilder(schema)
                    .set("customer", new Utf8(Order.of(text).customer())) // as decoders make them
                    .set("coupon", Order.of(text).coupon())
                    .build())
        .process(
            Unseen.<String, GenericData.Record>deduplicateBy(
                    Keys.composite(
                        Keys.utf8(record -> (CharSequence) record.value().get("customer")),
                        Keys.nullable(
                            record -> record.value().get("coupon") == null,
                            Keys.utf8(record -> (CharSequence) record.value().get("coupon")))))
                .memory(Memory.MiB(1)))
        .mapValues(GenericData.Record::toString)
        .to("out");
    drive(builder.build());

    List.of("a,b,1", "ab,,2", "a,b,3", "a,,4", "ab,,5").forEach(in::pipeInput);

    assertThat(read("out"))
        .containsExactly(
            "{\"customer\": \"a\", \"coupon\": \"b\"}",
            "{\"customer\": \"ab\", \"coupon\": null}",
            "{\"customer\": \"a\", \"coupon\": null}");
  }

  @Test
  void a_part_that_is_null_is_rejected_with_the_place_of_its_record() {
    once(
        Unseen.<String, String>deduplicateBy(Keys.utf8(record -> record.key()))
            .memory(Memory.MiB(1)));
    assertThatThrownBy(() -> in.pipeInput("a"))
        .hasStackTraceContaining("in, partition 0, offset 0: key is null in a record of")
        .hasStackTraceContaining("Keys.nullable");
  }

  @Test
  void a_count_after_processed_values_needs_no_repartition_topic() {
    StreamsBuilder process = new StreamsBuilder();
    process.<String, String>stream("in").process(byValue()).groupByKey().count();
    assertThat(process.build().describe().toString()).contains("-repartition");

    StreamsBuilder values = new StreamsBuilder();
    values.<String, String>stream("in")
        .processValues(byValue().forValues(), Named.as("orders-once"))
        .groupByKey()
        .count();
    assertThat(values.build().describe().toString())
        .contains("orders-once")
        .doesNotContain("-repartition");

    StreamsBuilder split = new StreamsBuilder();
    byValue().split(split.<String, String>stream("in")).once().groupByKey().count();
    assertThat(split.build().describe().toString()).doesNotContain("-repartition");
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

  /** As in Kafka's documentation, which has to name some broker. */
  @ParameterizedTest
  @ValueSource(strings = {"dummy:1234", "localhost:9092", "localhost:0"})
  void the_test_driver_asks_no_broker(String servers) {
    Properties config = new Properties();
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream("in").process(byValue()).to("out");
    drive(builder.build(), config);

    List.of("a", "b", "a").forEach(in::pipeInput);

    assertThat(read("out")).containsExactly("a", "b");
  }

  @Test
  void with_the_number_of_partitions_no_broker_is_asked() {
    StoreSetup setup = new StoreSetup(() -> byValue().options());
    setup.partitions(3);
    Map<String, Object> withoutBrokers = Map.of(StreamsConfig.APPLICATION_ID_CONFIG, "test");
    assertThat(setup.topic("test-unseen-changelog", withoutBrokers).partitions()).isEqualTo(3);
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
    assertThat(metrics.get("records")).as("however few").isEqualTo(3.0);
    assertThat(metrics.get("admitted")).isEqualTo(2.0);
  }

  @Test
  void a_share_of_the_memory_that_no_filter_fits_in_is_rejected() {
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
  void versions_of_kafka_streams_that_are_not_tested_are_rejected() {
    for (String version : List.of("2.8.2", "3.0.0", "3.8.1", "3.8")) {
      assertThatThrownBy(() -> StoreSetup.requireVersion(version))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs Kafka Streams 3.9 or newer, and this is " + version);
    }
    for (String version : List.of("3.9.0", "4.3.1", "3.10.0", "7.9.0-ccs", "10.0.0", "unknown")) {
      StoreSetup.requireVersion(version);
    }
  }

  @Test
  void what_cannot_be_is_rejected_when_the_topology_is_built() {
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
