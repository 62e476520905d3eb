package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.GateConfig;
import dev.unseen.Memory;
import dev.unseen.Option;
import dev.unseen.filter.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Options in Flink's configuration. */
@Tag("both-versions")
class UnseenOptionsTest {
  private static Configuration configuration(Map<String, String> texts) {
    return Configuration.fromMap(texts);
  }

  @Test
  void every_option_of_a_filter_in_flink_is_one() {
    assertThat(UnseenOptions.all())
        .extracting(ConfigOption::key)
        .contains("unseen.memory", "unseen.max-false-positive-rate", "unseen.event-time")
        .doesNotContain("unseen.concurrent", "unseen.audit")
        .hasSize(Option.all().size() - 4);
  }

  @Test
  void the_docs_list_every_option() throws Exception {
    String docs = Files.readString(Path.of(System.getProperty("user.dir"), docs()));
    Set<String> keys =
        UnseenOptions.all().stream().map(ConfigOption::key).collect(Collectors.toSet());
    assertThat(Option.all())
        .filteredOn(option -> keys.contains("unseen." + option.hyphenated()))
        .hasSameSizeAs(keys)
        .allSatisfy(
            option ->
                assertThat(docs)
                    .contains(
                        "| `unseen.%s` | %s |".formatted(option.hyphenated(), option.help())));
  }

  private static String docs() {
    return Files.exists(Path.of("..", "docs", "flink.md"))
        ? "../docs/flink.md"
        : "../../docs/flink.md"; // flink/1.20
  }

  @Test
  void values_are_read_as_text() {
    assertThat(
            UnseenOptions.read(
                configuration(
                    Map.of(
                        "unseen.memory", "1M",
                        "unseen.window", "24h",
                        "unseen.event-time", "true",
                        "parallelism.default", "2"))))
        .isEqualTo(
            GateConfig.EMPTY
                .with(Option.MEMORY, Memory.MiB(1))
                .with(Option.WINDOW, Window.time(Duration.ofHours(24)))
                .with(Option.EVENT_TIME, true));
  }

  @Test
  void a_builder_takes_precedence() {
    Configuration configuration =
        configuration(
            Map.of("unseen.memory", "1M", "unseen.seed", "7", "unseen.max-lateness", "1h"));
    assertThat(
            UnseenOptions.complete(
                GateConfig.EMPTY.with(Option.EXPECTED_KEYS, 1_000_000L), configuration))
        .isEqualTo(
            GateConfig.EMPTY
                .with(Option.EXPECTED_KEYS, 1_000_000L)
                .with(Option.SEED, 7L)
                .with(Option.MAX_LATENESS, Duration.ofHours(1)));
  }

  @Test
  void unknown_options_and_wrong_values_are_rejected() {
    assertThatThrownBy(() -> UnseenOptions.read(configuration(Map.of("unseen.memry", "1M"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("option 'unseen.memry' is unknown; known: unseen.cell-bits, ");
    assertThatThrownBy(() -> UnseenOptions.read(configuration(Map.of("unseen.memory", "much"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("unseen.memory 'much' must be");
  }

  @Test
  void a_job_uses_them() throws Exception {
    TestCluster cluster = TestCluster.shared();
    DataStream<String> words =
        TestCluster.environment(configuration(Map.of("unseen.memory", "1M")), 1)
            .fromData(Types.STRING, "a", "b", "a");
    assertThat(cluster.collect(UnseenDeduplication.of((String word) -> word).applyTo(words)))
        .containsExactly("a", "b");
  }
}
