package dev.unseen.kafka;

import static dev.unseen.testing.Patience.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, while its only broker is away for some time, or for good. */
class BrokerGoneTest {
  @TempDir private Path directory;

  private Process start(TestKafka kafka, String from, String to, String... more) throws Exception {
    String[] args = {
      "-b",
      kafka.address(),
      "--from",
      from,
      "--to",
      to,
      "-m",
      "1M",
      "--application-id",
      "gone",
      "--patience",
      "2s",
    };
    return CommandProcess.startWithClock(
        err().toFile(),
        nextDay(),
        Stream.of(Stream.of(args), Stream.of("--state-dir", directory.toString()), Stream.of(more))
            .flatMap(each -> each)
            .toArray(String[]::new));
  }

  private Path err() {
    return directory.resolve("err");
  }

  private Path nextDay() {
    return directory.resolve("next-day");
  }

  /** Returns whether the last that the command has printed is that no broker answers. */
  private boolean reportsNoAnswer() throws IOException {
    return lastLine().contains(" does not answer (");
  }

  private String lastLine() throws IOException {
    return Files.readString(err()).lines().reduce("", (before, line) -> line);
  }

  /** Waits until the command misses the broker, and lets its patience end. */
  private void endPatience(Process process) throws Exception {
    await("a message that no broker answers")
        .failFast("the command has ended", () -> !process.isAlive())
        .until(this::reportsNoAnswer);
    assertThat(lastLine()).endsWith("); trying again for 2s");
    Files.createFile(nextDay());
    assertThat(Patience.exitCode(process)).isEqualTo(1);
    Files.delete(nextDay());
  }

  @Test
  void it_is_waited_for_then_reported_and_nothing_is_lost_at_the_next_start() throws Exception {
    try (TestKafka kafka = TestKafka.start()) {
      String in = kafka.topic("in", 2);
      String out = kafka.topic("out", 2);
      kafka.send(in, DeduplicationTest.numbers(0, 3000));
      Process process = start(kafka, in, out);
      await("all records to be processed")
          .failFast("the command has ended", () -> !process.isAlive())
          .until(() -> kafka.lag("gone", in) <= 0);
      kafka.send(in, DeduplicationTest.numbers(1000, 5000));
      kafka.broker().stop();
      endPatience(process);
      assertThat(lastLine())
          .isEqualTo(
              "unseen: %s has not answered for 2s: nothing listens there; start it, or correct --bootstrap"
                  .formatted(kafka.address()));

      kafka.broker().start();
      kafka.forget("gone");
      Process next = start(kafka, in, out, "--exit-at-end");
      assertThat(Patience.exitCode(next)).as(Files.readString(err())).isZero();
      kafka.assertOnce(in, out);
    }
  }

  /** Lines that no broker has taken yet must not keep the process alive. */
  @Test
  void standard_input_ends_too() throws Exception {
    try (TestKafka kafka = TestKafka.start()) {
      Process process = start(kafka, "-", "-");
      try (OutputStream lines = process.getOutputStream()) {
        lines.write("a\nb\n".getBytes(UTF_8));
        lines.flush();
        assertThat(process.getInputStream().readNBytes(4)).isEqualTo("a\nb\n".getBytes(UTF_8));
        kafka.broker().stop();
        lines.write("c\nd\n".getBytes(UTF_8));
        lines.flush();
        endPatience(process);
      }
      assertThat(Files.readString(err()))
          .contains("has not answered for 2s")
          .doesNotContain("Exception");
    }
  }

  /** The first answer is that there is no such topic yet, which is an answer too. */
  @Test
  void a_broker_that_starts_late_is_reported_to_answer_again() throws Exception {
    try (TestKafka kafka = TestKafka.start()) {
      kafka.broker().stop();
      Process process = start(kafka, "-", "-");
      try (OutputStream lines = process.getOutputStream()) {
        await("a message that no broker answers")
            .failFast("the command has ended", () -> !process.isAlive())
            .until(this::reportsNoAnswer);
        kafka.broker().start();
        lines.write("a\na\n".getBytes(UTF_8));
      }
      assertThat(process.getInputStream().readAllBytes()).isEqualTo("a\n".getBytes(UTF_8));
      assertThat(Patience.exitCode(process)).isZero();
      assertThat(Files.readString(err()).lines().limit(2))
          .containsExactly(
              "unseen: %s does not answer (nothing listens there; start it, or correct --bootstrap); trying again for 2s"
                  .formatted(kafka.address()),
              "unseen: %s answers again".formatted(kafka.address()));
    }
  }
}
