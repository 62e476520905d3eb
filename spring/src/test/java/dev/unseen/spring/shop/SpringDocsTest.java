package dev.unseen.spring.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.Deduplicator;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/spring.md shows the application that runs here, and the properties that there are. */
class SpringDocsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path SOURCES = ROOT.resolve("spring/src/test/java/dev/unseen/spring");

  @TempDir Path directory;

  private static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve("docs").resolve(name));
  }

  /** Returns the first block of a language. */
  private static String block(String language) throws IOException {
    Matcher block =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page("spring.md"));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  private static String shown(Path source) throws IOException {
    return "```java\n" + Files.readString(source).replaceFirst("package .*;\n\n", "") + "```";
  }

  @Test
  void the_code_of_the_pages_is_compiled_here() throws IOException {
    assertThat(page("spring.md")).contains(shown(SOURCES.resolve("shop/ShopApplication.java")));
    assertThat(page("kafka.md")).contains(shown(SOURCES.resolve("kafka/OrderListener.java")));
  }

  @Test
  void the_beans_of_the_page_are_compiled_here() throws IOException {
    String sources =
        words(Files.readString(SOURCES.resolve("ConditionsTest.java")))
            + words(Files.readString(SOURCES.resolve("messaging/MessagingTest.java")));
    List<String> beans =
        Pattern.compile("```java\n(@Bean\n.*?)```", Pattern.DOTALL)
            .matcher(page("spring.md"))
            .results()
            .map(block -> words(block.group(1)))
            .toList();
    assertThat(beans).hasSize(4).allSatisfy(bean -> assertThat(sources).contains(bean));
  }

  @Test
  void the_table_for_responses_is_the_one_of_the_tests() throws IOException {
    assertThat(page("spring.md"))
        .contains(
            "```sql\n" + Files.readString(ROOT.resolve("spring/src/test/resources/responses.sql")));
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }

  @Test
  void the_application_answers_as_the_page_says() throws Exception {
    assumeTrue(hasCurl(), "curl is not installed: the requests of docs/spring.md are not sent");
    Properties properties = new Properties();
    properties.load(new StringReader(block("properties")));
    properties.setProperty("server.port", "0");
    properties.replaceAll(
        (name, value) ->
            name.toString().endsWith(".state.file")
                ? directory.resolve(value.toString()).toString()
                : value);
    List<String> arguments =
        properties.stringPropertyNames().stream()
            .map(name -> "--" + name + "=" + properties.getProperty(name))
            .toList();
    List<String> lines = block("shell").lines().toList();
    try (ConfigurableApplicationContext shop =
        new SpringApplicationBuilder(ShopApplication.class).run(arguments.toArray(String[]::new))) {
      String port = shop.getEnvironment().getProperty("local.server.port");
      String script =
          lines.stream()
              .filter(line -> line.startsWith("$ "))
              .map(line -> line.substring(2).replace("localhost:8080", "localhost:" + port))
              .collect(Collectors.joining("\n"));
      assertThat(bash(script))
          .isEqualTo(
              lines.stream()
                  .filter(line -> !line.startsWith("$ "))
                  .collect(Collectors.joining("\n", "", "\n")));
    }
    try (ConfigurableApplicationContext again =
        new SpringApplicationBuilder(ShopApplication.class).run(arguments.toArray(String[]::new))) {
      for (Deduplicator<?> each : again.getBeansOfType(Deduplicator.class).values()) {
        assertThat(each.records()).as("what it knows after a restart").isPositive();
      }
    }
    assertThat(directory.resolve("shop.uns")).exists();
    assertThat(directory.resolve("clicks.uns")).exists();
  }

  private static boolean hasCurl() throws Exception {
    return bash("command -v curl || true").contains("curl");
  }

  private static String bash(String script) throws Exception {
    Process bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    try (InputStream out = bash.getInputStream()) {
      return new String(out.readAllBytes(), UTF_8);
    }
  }

  @Test
  void the_table_lists_the_properties_that_there_are() throws IOException {
    JsonNode metadata;
    try (InputStream json =
        getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      metadata = JsonMapper.shared().readTree(json);
    }
    String table =
        StreamSupport.stream(metadata.get("properties").spliterator(), false)
            .filter(property -> property.get("name").asString().startsWith("unseen."))
            .map(
                property ->
                    "| `%s` | %s |"
                        .formatted(
                            property.get("name").asString(),
                            property.get("description").asString()))
            .collect(Collectors.joining("\n"));
    assertThat(page("spring.md")).contains("| property | |\n|---|---|\n" + table + "\n\n");
  }
}
