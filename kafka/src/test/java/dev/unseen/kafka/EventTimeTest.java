package dev.unseen.kafka;

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
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;

/** Records are compared by their timestamps, in whatever order they come. */
class EventTimeTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  /** A topology that splits a topic, with what it has written. */
  private static final class Split implements AutoCloseable {
    private final TopologyTestDriver driver;
    private final TestInputTopic<String, String> in;

    Split(TopicDeduplication<String, String> deduplication) {
      StreamsBuilder builder = new StreamsBuilder();
      Deduplicated<String, String> split = deduplication.split(builder.stream("in"));
      split.once().to("once");
      split.duplicates().to("duplicates");
      split.late().to("late");
      Properties config = new Properties();
      config.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
      config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.String().getClass());
      config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.String().getClass());
      driver = new TopologyTestDriver(builder.build(), config);
      in = driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
    }

    void put(String key, String value, Instant at) {
      in.pipeInput(key, value, at);
    }

    List<String> read(String topic) {
      return driver
          .createOutputTopic(topic, new StringDeserializer(), new StringDeserializer())
          .readValuesToList();
    }

    /** Returns the number of keys that were logged for a restart. */
    int logged() {
      return driver
          .createOutputTopic(
              "test-unseen-changelog",
              Serdes.ByteArray().deserializer(),
              Serdes.ByteArray().deserializer())
          .readKeyValuesToList()
          .stream()
          .mapToInt(entry -> ChangelogFormat.isEntry(entry.key, entry.value) ? 1 : 0)
          .sum();
    }

    @Override
    public void close() {
      driver.close();
    }
  }

  private static TopicDeduplication<String, String> byKey() {
    return Unseen.deduplicate((String key, String value) -> key)
        .memory(Memory.KiB(256))
        .window(Window.time(HOUR));
  }

  @Property(tries = 15)
  void agrees_with_an_exact_model_in_any_order(Choices choices) {
    TimedStream stream = TimedStream.drawn(choices, START.toEpochMilli());
    TopicDeduplication<String, String> deduplication =
        byKey()
            .seed(5)
            .maxFalsePositiveRate(1e-6)
            .window(Window.time(Duration.ofMillis(stream.window())))
            .maxLateness(Duration.ofMillis(stream.lateness()))
            .refresh(stream.refreshes() ? Refresh.ALWAYS : Refresh.NEVER);
    try (Split split = new Split(deduplication)) {
      stream
          .records()
          .forEach(r -> split.put(r.key(), "" + r.id(), Instant.ofEpochMilli(r.millis())));
      Set<String> once = new HashSet<>(split.read("once"));
      stream.check(record -> once.contains("" + record.id()));
      assertThat(split.read("late")).isEmpty();
    }
  }

  private static void putLate(Split split) {
    split.put("a", "first", START.plus(HOUR.multipliedBy(10)));
    split.put("a", "again", START.plus(HOUR.multipliedBy(10)));
    split.put("a", "late", START);
    split.put("a", "late again", START);
  }

  @Test
  void records_that_are_too_late_are_admitted_and_not_logged() {
    try (Split split = new Split(byKey())) {
      putLate(split);
      assertThat(split.read("once")).containsExactly("first", "late", "late again");
      assertThat(split.read("duplicates")).containsExactly("again");
      assertThat(split.logged()).isEqualTo(1);
    }
  }

  @Test
  void records_that_are_too_late_are_a_stream_of_their_own_if_they_are_dropped() {
    try (Split split = new Split(byKey().lateRecords(LateRecords.DROP))) {
      putLate(split);
      split.put("b", "ahead", Instant.now().plus(Duration.ofDays(9)));
      assertThat(split.read("once")).containsExactly("first");
      assertThat(split.read("duplicates")).containsExactly("again");
      assertThat(split.read("late")).containsExactly("late", "late again", "ahead");
      assertThat(split.logged()).isEqualTo(1);
    }
  }

  @Test
  void a_record_that_is_too_late_ends_the_stream_if_asked_for() {
    try (Split split = new Split(byKey().lateRecords(LateRecords.FAIL))) {
      assertThatThrownBy(() -> putLate(split))
          .hasStackTraceContaining("in, partition 0, offset 2: a record has the time")
          .hasStackTraceContaining("2026-01-01T00:00:00Z")
          .hasStackTraceContaining("raise maxLateness");
    }
  }
}
