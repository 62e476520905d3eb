package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.DuplicateFilter;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StateFileTest {
  @TempDir private Path dir;

  private static Snapshot state(String text) {
    DuplicateFilter filter = FilterSpec.of(FilterKind.BLOOM, 1000).build();
    return Snapshot.of(filter, 0, 0).with(Map.of("text", text));
  }

  private static String text(Snapshot snapshot) {
    return snapshot.metadata().get("text");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void the_last_save_is_what_is_loaded_and_nothing_else_is_left() throws IOException {
    Path path = dir.resolve("s.uns");
    try (StateFile file = StateFile.open(path)) {
      assertThat(file.load()).isEmpty();
      file.save(state("first"));
      file.save(state("second"));
      assertThat(text(file.load().orElseThrow())).isEqualTo("second");
    }
    assertThat(text(StateFile.read(path))).isEqualTo("second");
    assertThat(names()).containsExactly("s.uns", "s.uns.lock");
  }

  @Test
  void a_second_owner_in_this_process_is_refused_until_the_first_is_done() throws IOException {
    Path path = dir.resolve("s.uns");
    try (StateFile file = StateFile.open(path)) {
      file.save(state("mine"));
      assertThatThrownBy(() -> StateFile.open(path))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining("s.uns: the state is in use by this process")
          .hasMessageContaining("wait until that ends, or name another file");
    }
    try (StateFile file = StateFile.open(path)) {
      assertThat(text(file.load().orElseThrow())).isEqualTo("mine");
    }
  }

  @Test
  void a_second_process_is_told_which_one_has_the_state() throws Exception {
    Path path = dir.resolve("s.uns");
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SavesForEver.class.getName(),
                path.toString())
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      assertThat(out.readLine()).isEqualTo("1");
      assertThatThrownBy(() -> StateFile.open(path))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining("in use by another process, number %d;".formatted(process.pid()));
      assertThat(StateFile.read(path).spec().kind()).isEqualTo(FilterKind.BLOOM);
    } finally {
      process.destroyForcibly().waitFor();
    }
    StateFile.open(path).close(); // the system has given the lock of the dead free
  }

  /** Many come and go at once: at no time do two of them hold it. */
  @Test
  void at_most_one_of_many_threads_holds_the_file() throws Exception {
    Path path = dir.resolve("s.uns");
    AtomicInteger holders = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                while (taken.get() < 500) {
                  try (StateFile file = StateFile.open(path)) {
                    assertThat(file.path()).isEqualTo(path);
                    most.accumulateAndGet(holders.incrementAndGet(), Math::max);
                    taken.incrementAndGet();
                    holders.decrementAndGet();
                  } catch (SnapshotException e) {
                    Thread.onSpinWait();
                  } catch (IOException | RuntimeException e) {
                    failures.add(e);
                    return;
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    assertThat(most).hasValue(1);
  }

  @Test
  void a_save_that_fails_leaves_the_state_before() throws IOException {
    Path path = dir.resolve("s.uns");
    try (StateFile file = StateFile.open(path)) {
      file.save(state("good"));
      assertThatThrownBy(() -> file.save(state("x".repeat(2 << 20))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("metadata")
          .hasMessageContaining("1 MiB");
      assertThat(text(file.load().orElseThrow())).isEqualTo("good");
    }
    assertThat(names()).containsExactly("s.uns", "s.uns.lock");
  }

  @Test
  void a_link_stays_a_link_and_permissions_stay() throws IOException {
    Path path = dir.resolve("real.uns");
    Path link = dir.resolve("link.uns");
    try (StateFile file = StateFile.open(path)) {
      file.save(state("first"));
    }
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    Files.createSymbolicLink(link, path);
    try (StateFile file = StateFile.open(link)) {
      file.save(state("second"));
    }
    assertThat(link).isSymbolicLink();
    assertThat(text(StateFile.read(path))).isEqualTo("second");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    assertThatThrownBy(() -> StateFile.read(dir.resolve("none.uns")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("none.uns");
    assertThatThrownBy(() -> StateFile.open(dir.resolve("no/dir/s.uns")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void saving_and_loading_are_seen_in_a_flight_recording() throws IOException {
    Path path = dir.resolve("s.uns");
    Path recorded = dir.resolve("r.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.unseen.Save").withoutThreshold();
      recording.enable("dev.unseen.Load").withoutThreshold();
      recording.start();
      try (StateFile file = StateFile.open(path)) {
        file.save(state("seen"));
        file.load();
      }
      recording.stop();
      recording.dump(recorded);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(recorded);
    assertThat(events)
        .extracting(event -> event.getEventType().getName())
        .containsExactlyInAnyOrder("dev.unseen.Save", "dev.unseen.Load");
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.getString("file")).isEqualTo(path.toString());
              assertThat(event.getLong("bytes")).isEqualTo(Files.size(path));
            });
  }
}
