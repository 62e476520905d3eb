package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Mix;
import dev.unseen.bits.SplitMix64;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that do nothing but save are killed (SIGKILL) at random moments, and go on. Each saves
 * several files at once, so that one kill cuts off several saves: 80 in 20 kills.
 */
final class KilledProcessTest {
  private static final int PROCESSES = 2;
  private static final int FILES = 4; // of each process

  /** More of them: {@code -Dkills=100}. */
  private static final int KILLS = Integer.getInteger("kills", 10); // of each process

  @TempDir private Path dir;

  @Test
  void never_leaves_a_state_that_cannot_be_loaded_or_is_older_than_the_last_save() {
    IntStream.range(0, PROCESSES).parallel().forEach(this::killAgainAndAgain);
  }

  private void killAgainAndAgain(int which) {
    SplitMix64 random = new SplitMix64(which);
    List<Path> files =
        IntStream.range(0, FILES).mapToObj(i -> dir.resolve(which + "-" + i + ".uns")).toList();
    long unfinished = 0;
    try {
      long[] generations = new long[FILES];
      for (int i = 0; i < KILLS; i++) {
        long[] completed = killOnce(files, random.below(8_000_000));
        for (int f = 0; f < FILES; f++) {
          Path file = files.get(f);
          assertThat(completed[f]).isGreaterThan(generations[f]);
          unfinished += Files.exists(file.resolveSibling(file.getFileName() + ".new")) ? 1 : 0;
          generations[f] = loadAfter(file, completed[f]);
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(unfinished).as("saves that a kill cut off").isGreaterThan(FILES * KILLS / 10);
  }

  /** Returns the last save of each file that the process could say was complete. */
  private static long[] killOnce(List<Path> files, long nanos)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SavesForEver.class.getName()));
    files.forEach(file -> command.add(file.toString()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    long[] last = new long[files.size()];
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      while (Arrays.stream(last).anyMatch(generation -> generation == 0)) {
        String line = out.readLine();
        assertThat(line).as("it went on after the kill before").isNotNull();
        note(line, last);
      }
      LockSupport.parkNanos(nanos);
      process.toHandle().destroyForcibly(); // that of the process closes what we still want to read
      out.lines().forEach(line -> note(line, last));
      process.waitFor();
      return last;
    }
  }

  private static void note(String line, long[] last) {
    int space = line.indexOf(' ');
    last[Integer.parseInt(line.substring(0, space))] = Long.parseLong(line.substring(space + 1));
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
