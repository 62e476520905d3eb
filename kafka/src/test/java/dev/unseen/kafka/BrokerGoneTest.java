package dev.unseen.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, while its only broker goes away for good. */
class BrokerGoneTest {
  @TempDir private Path directory;

  /**
   * Starts the command. A process that could not leave its group counts as a member of it for a
   * while, which is short here.
   */
  private Process start(TestKafka kafka, String from, String to, String... more) throws Exception {
    Path config = directory.resolve("client.properties");
    Files.writeString(
        config,
        "session.timeout.ms=2000\nheartbeat.interval.ms=500\ntransaction.timeout.ms=2000\n");
    String[] args = {
      "-b", kafka.address(), "--from", from, "--to", to, "-m", "1M", "--state-dir",
    };
    return CommandProcess.start(
        directory.resolve("err").toFile(),
        Stream.of(
                Stream.of(args),
                Stream.of(directory.toString(), "--application-id", "gone", "--patience", "4s"),
                Stream.of("--config", config.toString()),
                Stream.of(more))
            .flatMap(each -> each)
            .toArray(String[]::new));
  }

  @Test
  void it_is_waited_for_then_told_and_nothing_is_lost_at_the_next_start() throws Exception {
    File err = directory.resolve("err").toFile();
    try (TestKafka kafka = TestKafka.start()) {
      String in = kafka.topic("in", 2);
      String out = kafka.topic("out", 2);
      kafka.send(in, DeduplicationTest.numbers(0, 3000));
      Process process = start(kafka, in, out);
      while (kafka.lag("gone", in) > 0) {
        assertThat(process.isAlive()).as(Files.readString(err.toPath())).isTrue();
        Thread.sleep(50);
      }
      kafka.send(in, DeduplicationTest.numbers(1000, 5000));
      kafka.broker().stop();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
      assertThat(process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(err.toPath()).lines())
          .satisfiesExactly(
              first ->
                  assertThat(first)
                      .startsWith("unseen: %s does not answer (".formatted(kafka.address()))
                      .endsWith("); trying again for 4s"),
              last ->
                  assertThat(last)
                      .isEqualTo(
                          "unseen: %s has not answered for 4s: nothing listens there; start it, or correct --bootstrap"
                              .formatted(kafka.address())));

      kafka.broker().start();
      Process next = start(kafka, in, out, "--exit-at-end");
      assertThat(next.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(next.exitValue()).as(Files.readString(err.toPath())).isZero();
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
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
      }
      assertThat(process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(directory.resolve("err")))
          .contains("has not answered for 4s")
          .doesNotContain("Exception");
    }
  }
}
