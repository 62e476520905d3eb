package dev.unseen.flink.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The jar contains the work of others, and says so. */
class BundledLicencesIT {
  private static final Path JAR = Path.of("target/unseen-flink-job.jar");

  /** What Maven put into the jar, a line each: {@code group:artifact:jar:version:scope}. */
  private static final Path BUNDLED = Path.of("target/bundled.txt");

  private static String entry(String name) throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.getEntry(name)).as(name).isNotNull();
      return new String(jar.getInputStream(jar.getEntry(name)).readAllBytes(), UTF_8);
    }
  }

  private static Set<String> found(String regex, String text) {
    return Pattern.compile(regex, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map((MatchResult m) -> m.group(1))
        .collect(Collectors.toSet());
  }

  @Test
  void the_notice_names_all_libraries_of_the_jar_and_no_others() throws IOException {
    Set<String> bundled = found("^\\s+([^:\\s]+:[^:\\s]+):jar:", Files.readString(BUNDLED, UTF_8));
    assertThat(bundled).contains("org.apache.kafka:kafka-clients");
    assertThat(found("^- (\\S+)", entry("META-INF/NOTICE"))).isEqualTo(bundled);
  }

  @Test
  void the_licences_that_the_notice_names_are_in_the_jar() throws IOException {
    for (String name : found("([a-z0-9-]+\\.txt)", entry("META-INF/NOTICE"))) {
      assertThat(entry("META-INF/licenses/" + name)).contains("Copyright");
    }
    assertThat(entry("META-INF/LICENSE"))
        .isEqualTo(Files.readString(Path.of("../../LICENSE"), UTF_8));
  }

  @Test
  void the_notices_of_the_libraries_are_in_the_jar() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.stream().map(e -> e.getName()).filter(n -> n.contains("NOTICE")))
          .anyMatch(n -> n.startsWith("META-INF/licenses/kafka-clients"))
          .anyMatch(n -> n.startsWith("META-INF/licenses/flink-connector-kafka"))
          .anyMatch(n -> n.startsWith("META-INF/licenses/commons-compress"));
    }
  }
}
