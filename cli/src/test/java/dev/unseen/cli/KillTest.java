package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.unseen.snapshot.StateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs that are killed at random moments, while they read, write and save: each record that the
 * state counts is in an output, and the next run finds its way and leaves nothing behind.
 *
 * <p>A build kills some runs. For a thousand, half of them with {@code -o}:
 *
 * <pre>
 * mvn -pl cli -am test -Dtest=KillTest -Dsurefire.failIfNoSpecifiedTests=false -Dkills=1000
 * </pre>
 */
class KillTest {
  private static final int RECORDS = 150_000;
  private static final int KEYS = 100_000;
  private static final int KILLS = Integer.getInteger("kills", 10) / 2;

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_killed_run_loses_nothing_and_leaves_no_file(boolean toFile) throws Exception {
    Random random = new Random(toFile ? 2 : 1);
    Path in = Files.writeString(dir.resolve("in"), lines(), US_ASCII);
    int withState = 0;
    int leftovers = 0;
    int ended = 0;
    int usual = (int) millisOfWholeRun(in, toFile);
    for (int i = 0; i < KILLS; i++) {
      Path place = Files.createDirectory(dir.resolve("run" + i));
      Process process = start(in, place, toFile);
      boolean over = process.waitFor(usual / 4 + random.nextInt(usual), TimeUnit.MILLISECONDS);
      ended += over ? 1 : 0;
      process.destroyForcibly().waitFor();
      withState += Files.exists(place.resolve("state")) ? 1 : 0;
      leftovers += names(place).stream().anyMatch(name -> name.endsWith(".part")) ? 1 : 0;
      Set<String> kept = lines(place.resolve("out"));
      assertCountedIsThere(place, kept);

      Process next = start(in, Files.createDirectories(place), toFile);
      assertThat(Run.exitCode(next)).isZero();
      kept.addAll(lines(place.resolve("out")));
      assertThat(kept).as("run %d", i).hasSize(KEYS);
      assertThat(names(place)).isSubsetOf("out", "twice", "state", "state.lock");
      delete(place);
    }
    System.out.printf(
        "%d runs killed %s: 0 lost a record, 0 files left after the next start;"
            + " %d had saved a state, %d had left an unfinished file, %d had ended before%n",
        KILLS, toFile ? "with -o" : "without -o", withState, leftovers, ended);
  }

  /** So that kills hit all of a run, on a slow machine as on a quick one. */
  private long millisOfWholeRun(Path in, boolean toFile) throws Exception {
    Path place = Files.createDirectory(dir.resolve("whole"));
    long began = System.nanoTime();
    assertThat(Run.exitCode(start(in, place, toFile))).isZero();
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  private static void assertCountedIsThere(Path place, Set<String> kept) throws IOException {
    if (!Files.exists(place.resolve("state"))) {
      return;
    }
    long counted = StateFile.read(place.resolve("state")).records();
    Set<String> held = lines(place.resolve("twice"));
    for (int i = 0; i < counted; i++) {
      if (!(i < KEYS ? kept : held).contains(line(i))) {
        fail("record %d of %d counted is in no output", i, counted);
      }
    }
  }

  private static Process start(Path in, Path place, boolean toFile) throws IOException {
    List<String> args =
        new ArrayList<>(List.of("-q", "-t", ":", "-k", "1", "--kind", "bloom", "-m", "2M"));
    args.addAll(List.of("--state", place.resolve("state").toString(), "--save-every", "20ms"));
    args.addAll(List.of("--duplicates-to", place.resolve("twice").toString()));
    if (toFile) {
      args.addAll(List.of("-o", place.resolve("out").toString()));
    }
    args.add(in.toString());
    ProcessBuilder builder = Run.command(args.toArray(String[]::new));
    if (!toFile) {
      builder.redirectOutput(ProcessBuilder.Redirect.appendTo(place.resolve("out").toFile()));
    }
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static Set<String> lines(Path file) throws IOException {
    return Files.exists(file) ? new HashSet<>(Files.readAllLines(file, US_ASCII)) : new HashSet<>();
  }

  private static List<String> names(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static void delete(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(place);
  }

  private static String lines() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < RECORDS; i++) {
      text.append(line(i)).append('\n');
    }
    return text.toString();
  }

  private static String line(int i) {
    return i % KEYS + ":" + i;
  }
}
