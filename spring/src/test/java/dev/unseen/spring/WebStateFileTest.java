package dev.unseen.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The state file of an application with a web server, whose resources are in a web root. */
@ExtendWith(OutputCaptureExtension.class)
class WebStateFileTest {
  @TempDir Path webRoot;

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    TomcatServletWebServerAutoConfiguration.class,
    UnseenAutoConfiguration.class
  })
  static class Application {
    @Bean
    WebServerFactoryCustomizer<ConfigurableServletWebServerFactory> webRoot(
        Environment environment) {
      return server ->
          server.setDocumentRoot(Path.of(environment.getRequiredProperty("web-root")).toFile());
    }
  }

  private ConfigurableApplicationContext start(String file) {
    return new SpringApplicationBuilder(Application.class)
        .registerShutdownHook(false)
        .run(
            "--server.port=0",
            "--web-root=" + webRoot,
            "--unseen.memory=64KB",
            "--unseen.state.file=" + file);
  }

  @Test
  void a_relative_file_is_in_the_working_directory_and_not_in_the_web_root() throws IOException {
    Path file = Path.of("target/web-state.uns"); // the tests of a module run in its directory
    Files.deleteIfExists(file);
    Path published = webRoot.resolve(file);
    Files.createDirectories(published.getParent());
    Files.writeString(published, "a page");

    start(file.toString()).close();

    assertThat(StateFile.check(file).records()).isZero();
    assertThat(Files.readString(published, UTF_8)).isEqualTo("a page");
    Files.delete(file);
  }

  @Test
  void a_directory_is_rejected_by_the_name_that_was_given(CapturedOutput output) {
    assertThatThrownBy(() -> start(".").close()).hasStackTraceContaining("is a directory");
    assertThat(output).contains("The state of the deduplicator 'default' in . is rejected");
    assertThat(webRoot).isEmptyDirectory();
  }

  @Test
  void an_empty_name_is_no_file() {
    try (ConfigurableApplicationContext running = start("")) {
      assertThat(running.getBean(DeduplicatorFactory.class).all())
          .allSatisfy(each -> assertThat(each.state()).isEmpty());
    }
  }
}
