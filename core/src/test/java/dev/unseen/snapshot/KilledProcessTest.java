package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.SplitMix64;
import dev.unseen.hash.Mix;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that do nothing but save are killed (SIGKILL) at random moments, and go on. */
final class KilledProcessTest {
  private static final int FILES = 2;

  /** More of them: {@code -Dkills=100}. */
  private static final int KILLS_PER_FILE = Integer.getInteger("kills", 40);

  @TempDir private Path dir;

  @Test
  void never_leaves_a_state_that_cannot_be_loaded_or_is_older_than_the_last_save() {
    IntStream.range(0, FILES)
        .parallel()
        .forEach(i -> killAgainAndAgain(dir.resolve(i + ".uns"), i));
  }

  private static void killAgainAndAgain(Path file, int seed) {
    SplitMix64 random = new SplitMix64(seed);
    long unfinished = 0;
    try {
      long generation = 0;
      for (int i = 0; i < KILLS_PER_FILE; i++) {
        long completed = killOnce(file, random.below(8_000_000));
        assertThat(completed).isGreaterThan(generation);
        unfinished += Files.exists(file.resolveSibling(file.getFileName() + ".new")) ? 1 : 0;
        generation = loadAfter(file, completed);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(unfinished).as("kills in the middle of a save").isGreaterThan(KILLS_PER_FILE / 10);
  }

  /** Returns the last save that the process could say was complete. */
  private static long killOnce(Path file, long nanos) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SavesForEver.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      String last = out.readLine();
      assertThat(last).as("it went on after the kill before").isNotNull();
      LockSupport.parkNanos(nanos);
      process.toHandle().destroyForcibly(); // that of the process closes what we still want to read
      List<String> rest = out.lines().toList();
      process.waitFor();
      return Long.parseLong(rest.isEmpty() ? last : rest.get(rest.size() - 1));
    }
  }

  private static long loadAfter(Path file, long completed) throws IOException {
    Snapshot snapshot = StateFile.read(file);
    long generation = SavesForEver.generation(snapshot);
    assertThat(generation).isBetween(completed, completed + 1);
    assertThat(snapshot.records()).isEqualTo(generation);
    for (long i = 1; i <= generation; i++) {
      assertThat(snapshot.filter().mightContain(Mix.mix(i))).isTrue();
    }
    return generation;
  }
}
