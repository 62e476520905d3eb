package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;

/** The topology of docs/kafka.md compiles, and does what the page says. */
class KafkaDocsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @Test
  void the_topology_of_the_page_is_the_one_that_runs_here() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/kafka.md"));
    String topology =
        Files.readString(ROOT.resolve("kafka/src/test/java/dev/unseen/kafka/ClickTopology.java"));
    String shown =
        topology
            .replace("package dev.unseen.kafka;\n\n", "")
            .replace(
                "import dev.unseen.filter.Window;\n",
                "import dev.unseen.filter.Window;\nimport dev.unseen.kafka.Unseen;\n");
    assertThat(page).contains("```java\n" + shown + "```");
  }

  @Test
  void it_lets_each_click_through_once() {
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, "clicks-once");
    config.put(
        StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG,
        org.apache.kafka.common.serialization.Serdes.String().getClass());
    config.put(
        StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG,
        org.apache.kafka.common.serialization.Serdes.String().getClass());
    try (TopologyTestDriver driver = new TopologyTestDriver(ClickTopology.build(), config)) {
      TestInputTopic<String, String> clicks =
          driver.createInputTopic("clicks", new StringSerializer(), new StringSerializer());
      List.of("a", "b", "a", "c").forEach(id -> clicks.pipeInput(id, "click"));
      assertThat(
              driver
                  .createOutputTopic(
                      "clicks-once", new StringDeserializer(), new StringDeserializer())
                  .readKeyValuesToList())
          .extracting(click -> click.key)
          .containsExactly("a", "b", "c");
    }
  }
}
