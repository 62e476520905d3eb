package dev.unseen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;
import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application without a web server that ends, and starts again with what it knew. */
@ExtendWith(OutputCaptureExtension.class)
class RestartTest {
  @TempDir Path directory;

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({UnseenAutoConfiguration.class, UnseenActuatorAutoConfiguration.class})
  static class Application {}

  /** Marks a key at the last moment. */
  @Configuration(proxyBeanMethods = false)
  static class Late {
    @Bean
    DisposableBean late(Deduplicator<String> deduplicator) {
      return () -> deduplicator.admit("late");
    }
  }

  private Path file() {
    return directory.resolve("state.uns");
  }

  private ConfigurableApplicationContext start(String... properties) {
    return start(List.of(Application.class), properties);
  }

  private ConfigurableApplicationContext start(List<Class<?>> sources, String... properties) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.main.web-application-type=none",
                "--spring.main.banner-mode=off",
                "--spring.main.register-shutdown-hook=false"));
    if (Stream.of(properties).noneMatch(property -> property.startsWith("unseen.state.file"))) {
      arguments.add("--unseen.state.file=" + file());
    }
    Stream.of(properties).forEach(property -> arguments.add("--" + property));
    return new SpringApplication(sources.toArray(Class<?>[]::new))
        .run(arguments.toArray(String[]::new));
  }

  @SuppressWarnings("unchecked") // the only bean of its class
  private static Deduplicator<String> deduplicator(ConfigurableApplicationContext context) {
    return context.getBean("deduplicator", Deduplicator.class);
  }

  @Test
  void keys_survive_a_restart() {
    try (ConfigurableApplicationContext first = start("unseen.memory=1MB")) {
      assertThat(deduplicator(first).admit("a")).isTrue();
      Reservation open = deduplicator(first).reserve("b");
      assertThat(open.status()).isEqualTo(Reservation.Status.GRANTED);
    }
    try (ConfigurableApplicationContext second = start()) { // the memory is that of the state
      assertThat(deduplicator(second).memoryBytes()).isEqualTo(1 << 20);
      assertThat(deduplicator(second).admit("a")).isFalse();
      assertThat(deduplicator(second).admit("b")).isTrue();
    }
  }

  @Test
  void what_beans_mark_while_the_application_ends_is_saved() {
    start(List.of(Application.class, Late.class), "unseen.memory=1MB").close();
    try (ConfigurableApplicationContext second = start()) {
      assertThat(deduplicator(second).admit("late")).isFalse();
    }
  }

  @Test
  void saves_from_time_to_time_so_that_a_crash_loses_little() throws Exception {
    try (ConfigurableApplicationContext running =
        start("unseen.memory=1MB", "unseen.state.save-every=100ms")) {
      deduplicator(running).admit("a");
      await().atMost(Duration.ofMinutes(1)).until(() -> StateFile.check(file()).records() == 1);
      Path left = Files.copy(file(), directory.resolve("left.uns")); // as a crash leaves it
      try (ConfigurableApplicationContext other = start("unseen.state.file=" + left)) {
        assertThat(deduplicator(other).admit("a")).isFalse();
      }
    }
  }

  @Test
  void health_is_down_as_long_as_the_state_cannot_be_saved() throws Exception {
    try (ConfigurableApplicationContext running =
        start("unseen.memory=1MB", "unseen.state.save-every=100ms")) {
      HealthIndicator health =
          (HealthIndicator) running.getBean(DeduplicatorHealth.class).getContributor("default");
      assertThat(health.health().getStatus()).isEqualTo(Status.UP);
      Path inTheWay = Files.createDirectory(directory.resolve("state.uns.new"));
      Files.createFile(inTheWay.resolve("file"));
      deduplicator(running).admit("a");
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> health.health().getStatus().equals(Status.DOWN));
      assertThat(health.health().getDetails()).containsKeys("error", "lastSave");

      Files.delete(inTheWay.resolve("file"));
      Files.delete(inTheWay);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> health.health().getStatus().equals(Status.UP));
      assertThat(StateFile.check(file()).records()).isEqualTo(1);
    }
  }

  @Test
  void health_is_degraded_when_keys_are_evicted() {
    try (ConfigurableApplicationContext running = start("unseen.memory=8KB")) {
      for (int i = 0; i < 50_000; i++) {
        deduplicator(running).admit("key " + i);
      }
      HealthIndicator health =
          (HealthIndicator) running.getBean(DeduplicatorHealth.class).getContributor("default");
      assertThat(health.health().getStatus()).isEqualTo(DeduplicatorHealth.DEGRADED);
      assertThat(health.health().getDetails().get("alarms").toString())
          .containsPattern("(has evicted [0-9,]+|evicts) keys early");
    }
  }

  @Test
  void an_alarm_is_logged_and_told_to_listeners(CapturedOutput output) {
    List<DeduplicatorAlarm> published = new ArrayList<>();
    try (ConfigurableApplicationContext running = start("unseen.memory=8KB")) {
      running.addApplicationListener(
          event -> {
            if (event instanceof org.springframework.context.PayloadApplicationEvent<?> payload
                && payload.getPayload() instanceof DeduplicatorAlarm alarm) {
              published.add(alarm);
            }
          });
      for (int i = 0; i < 100_000; i++) {
        deduplicator(running).admit("key " + i);
      }
    }
    assertThat(published).extracting(DeduplicatorAlarm::name).contains("default");
    assertThat(output)
        .contains("Deduplicator 'default': the recency filter")
        .containsPattern("(has evicted [0-9,]+|evicts) keys early");
  }

  @Test
  void a_damaged_state_is_rejected_with_a_way_out(CapturedOutput output) throws IOException {
    start("unseen.memory=1MB").close();
    damage();
    assertThatThrownBy(() -> start("unseen.memory=1MB")).hasStackTraceContaining("state.uns");
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("The state of the deduplicator 'default' in " + file() + " is rejected")
        .contains("Restore the file from a copy. Or set unseen.state.on-damage=set-aside");
    assertThat(output.toString().split("APPLICATION FAILED", -1)[1]).doesNotContain("\tat ");

    // The file is as it was, and not locked any more.
    try (ConfigurableApplicationContext aside =
        start("unseen.memory=1MB", "unseen.state.on-damage=set-aside")) {
      assertThat(deduplicator(aside).records()).isZero();
    }
    assertThat(output).contains("is damaged and was set aside as " + file() + ".damaged-");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.filter(file -> file.toString().contains(".damaged-"))).hasSize(1);
    }
  }

  private void damage() throws IOException {
    byte[] bytes = Files.readAllBytes(file());
    bytes[bytes.length / 2] ^= 1;
    Files.write(file(), bytes);
  }

  @Test
  void a_state_with_other_options_is_rejected(CapturedOutput output) {
    start("unseen.memory=1MB", "unseen.window=1h").close();
    assertThatThrownBy(() -> start("unseen.memory=2MB", "unseen.window=2h"))
        .hasStackTraceContaining("window");
    assertThat(output)
        .contains("the options differ from those that the state was saved with")
        .contains("unseen.memory: ", "unseen.window: ")
        .contains("Set the properties below unseen to the saved values")
        .contains("unseen.on-change=grow");
  }

  @Test
  void options_change_without_forgetting() {
    try (ConfigurableApplicationContext before = start("unseen.memory=1MB", "unseen.window=1h")) {
      assertThat(deduplicator(before).admit("a")).isTrue();
    }
    String[] changed = {
      "unseen.memory=2MB",
      "unseen.window=2h",
      "unseen.secret=00112233445566778899aabbccddeeff",
      "unseen.on-change=grow"
    };
    for (int starts = 0; starts < 2; starts++) {
      try (ConfigurableApplicationContext after = start(changed)) {
        assertThat(deduplicator(after).admit("a")).isFalse();
        assertThat(deduplicator(after).admit("b" + starts)).isTrue();
        assertThat(deduplicator(after).report().predecessorBytes()).isPositive();
      }
    }
  }

  @Test
  void a_rolling_update_waits_for_the_process_before() throws Exception {
    ConfigurableApplicationContext before = start("unseen.memory=1MB");
    assertThat(deduplicator(before).admit("a")).isTrue();
    AtomicBoolean closed = new AtomicBoolean();
    Thread starting = Thread.currentThread();
    Thread closing =
        new Thread(
            () -> {
              await().atMost(Duration.ofMinutes(5)).until(() -> isWaitingForFile(starting));
              closed.set(true);
              before.close();
            });
    closing.start();
    try (ConfigurableApplicationContext after =
        start("unseen.memory=1MB", "unseen.state.lock-timeout=10m")) {
      assertThat(closed).isTrue();
      assertThat(deduplicator(after).admit("a")).isFalse();
    }
    closing.join();
  }

  private static boolean isWaitingForFile(Thread thread) {
    return Stream.of(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(StateFile.class.getName()))
        && thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void a_state_that_is_in_use_is_rejected(CapturedOutput output) {
    try (ConfigurableApplicationContext first = start("unseen.memory=1MB")) {
      assertThat(first.isActive()).isTrue();
      assertThatThrownBy(() -> start("unseen.memory=1MB")).hasStackTraceContaining("in use");
    }
    assertThat(output)
        .contains("the state is in use by this process")
        .contains("or set unseen.state.file to another file");
  }

  @Test
  void a_directory_that_does_not_exist_is_rejected(CapturedOutput output) {
    Path nowhere = directory.resolve("nowhere").resolve("state.uns");
    assertThatThrownBy(() -> start("unseen.state.file=" + nowhere))
        .hasStackTraceContaining("nowhere");
    assertThat(output).contains("nowhere does not exist; create it");
  }
}
