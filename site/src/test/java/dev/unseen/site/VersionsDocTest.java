package dev.unseen.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.GeneratedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The versions in docs/reference.md are those that the build tests with. */
final class VersionsDocTest {
  private static String file(String name) throws IOException {
    return Files.readString(SiteTest.ROOT.resolve(name), UTF_8);
  }

  /** Returns what a pattern finds in a file, each once, older versions first. */
  private static String versions(String file, String pattern) throws IOException {
    List<String> found =
        new ArrayList<>(
            new LinkedHashSet<>(
                Pattern.compile(pattern)
                    .matcher(file(file))
                    .results()
                    .map((MatchResult each) -> each.group(1))
                    .toList()));
    assertThat(found).as("%s in %s", pattern, file).isNotEmpty();
    found.sort(Comparator.naturalOrder());
    return String.join(", ", found);
  }

  private static String property(String file, String name) throws IOException {
    return versions(file, "<%s>([^<]+)<".formatted(Pattern.quote(name)));
  }

  @Test
  void the_page_has_the_versions_that_the_build_tests_with() throws IOException {
    List<String> rows =
        new ArrayList<>(List.of("| | supported | tested with | where |", "|---|---|---|---|"));
    rows.add(
        "| Java | 17 and newer | %s | the workflow on GitHub |"
            .formatted(versions(".github/workflows/ci.yml", "java: \\[([^]]+)\\]")));
    rows.add(
        "| Kafka Streams | 3.9 to 4.3 | %s, %s | each build; all tests with the last |"
            .formatted(
                versions("kafka/pom.xml", "kafka-streams</artifactId>\\s*<version>(\\d[^<]+)<"),
                property("pom.xml", "kafka.version")));
    rows.add(
        "| Kafka brokers | those that your Kafka Streams supports | %s | each build |"
            .formatted(property("pom.xml", "kafka.version")));
    rows.add(
        "| Flink | 1.20, 2.0 to 2.3 | %s, %s, %s | each build; all tests with the first and the last |"
            .formatted(
                property("flink/1.20/pom.xml", "flink.version"),
                versions("flink/pom.xml", "flink-core</artifactId>\\s*<version>(\\d[^<]+)<"),
                property("flink/pom.xml", "flink.version")));
    rows.add(
        "| Spring Boot | 4.1; 3.5 in [parts](spring.md) | %s; %s | each build |"
            .formatted(
                property("spring/pom.xml", "spring-boot.version"),
                property("spring/3.5/pom.xml", "spring-boot.version")));
    rows.add(
        "| Apache Camel | 4.x | %s | each build |"
            .formatted(property("camel/pom.xml", "camel.version")));
    rows.add(
        "| Redis clients | RESP2 and RESP3 | Jedis %s, Lettuce %s, Redisson %s; %s, %s, %s; redigo | each build, if node, python3 and go are installed |"
            .formatted(
                property("server/pom.xml", "jedis.version"),
                property("pom.xml", "lettuce.version"),
                property("server/pom.xml", "redisson.version"),
                client("\"(redis==[0-9.]+)\"").replace("redis==", "redis-py "),
                client("\"(redis@[0-9.]+)\"").replace("redis@", "node-redis "),
                client("\"(ioredis@[0-9.]+)\"").replace("@", " ")));
    GeneratedTable.check(SiteTest.ROOT.resolve("docs/reference.md"), rows);
  }

  private static String client(String pattern) throws IOException {
    return versions("server/src/test/java/dev/unseen/server/clients/Programs.java", pattern);
  }
}
