package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.bits.Mix;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.filter.engine.Filters;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
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
    DuplicateFilter filter = Filters.create(FilterSpec.of(FilterKind.BLOOM, 1000));
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
  void a_second_owner_in_this_process_is_rejected_until_the_first_is_done() throws IOException {
    Path path = dir.resolve("s.uns");
    try (StateFile file = StateFile.open(path)) {
      file.save(state("mine"));
      assertThatThrownBy(() -> StateFile.open(path))
          .isInstanceOf(SnapshotException.InUse.class)
          .hasMessageContaining("s.uns: the state is in use by this process")
          .hasMessageContaining("wait until that process ends, or choose another file");
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
      assertThat(out.readLine()).isEqualTo("0 1");
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

  @Test
  void what_a_killed_process_left_is_removed_by_the_next_owner() throws IOException {
    Path path = dir.resolve("s.uns");
    byte[] whole = Bytes.of(state("left"));
    for (byte[] left :
        List.of(whole, Arrays.copyOf(whole, 100), Arrays.copyOf(whole, 8), new byte[0])) {
      Files.write(dir.resolve("s.uns.new"), left);
      StateFile.open(path).close();
      assertThat(names()).containsExactly("s.uns.lock");
    }
  }

  @Test
  void a_file_of_somebody_in_the_place_of_ours_is_rejected_and_left_alone() throws IOException {
    Path path = dir.resolve("s.uns");
    for (String name : List.of("s.uns.new", "s.uns.lock")) {
      Path theirs = Files.writeString(dir.resolve(name), "a letter to my aunt");
      assertThatThrownBy(() -> StateFile.open(path))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining(name + ": this ")
          .hasMessageContaining("move it away");
      assertThat(theirs).hasContent("a letter to my aunt");
      Files.delete(theirs);
      StateFile.open(path).close(); // the refusal has left no lock behind
    }
  }

  @Test
  void links_in_the_place_of_our_files_are_not_followed() throws IOException {
    Path path = dir.resolve("s.uns");
    Path theirs = Files.writeString(dir.resolve("theirs"), "17");
    Files.createSymbolicLink(dir.resolve("s.uns.lock"), theirs);
    assertThatThrownBy(() -> StateFile.open(path))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("s.uns.lock: this file is not a lock of unseen");
    Files.delete(dir.resolve("s.uns.lock"));
    Files.createSymbolicLink(dir.resolve("s.uns.new"), theirs);
    try (StateFile file = StateFile.open(path)) {
      Files.createSymbolicLink(dir.resolve("s.uns.new"), theirs); // and while it runs
      file.save(state("mine"));
    }
    assertThat(theirs).hasContent("17");
    assertThat(names()).containsExactly("s.uns", "s.uns.lock", "theirs");
    assertThat(path).isRegularFile();
  }

  @Test
  void a_state_is_for_its_owner_alone_and_one_that_was_there_keeps_its_mode_and_group()
      throws IOException {
    Path path = dir.resolve("s.uns");
    try (StateFile file = StateFile.open(path)) {
      file.save(state("first"));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rw-------");
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
      var before = Files.readAttributes(path, PosixFileAttributes.class);
      file.save(state("second"));
      var after = Files.readAttributes(path, PosixFileAttributes.class);
      assertThat(after.permissions()).isEqualTo(before.permissions());
      assertThat(after.group()).isEqualTo(before.group());
      assertThat(after.owner()).isEqualTo(before.owner());
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /** Each save of its own buffer would add a megabyte that only a collection frees. */
  @Test
  void many_saves_take_the_memory_of_one() throws IOException {
    try (StateFile file = StateFile.open(dir.resolve("s.uns"))) {
      file.save(state("first"));
      long after = directBytes();
      for (int i = 0; i < 50; i++) {
        file.save(state("again"));
      }
      assertThat(directBytes() - after).isLessThan(1 << 20);
    }
  }

  /** A look at a state of 64 MiB: its numbers are told, and its words take no memory. */
  @Test
  void a_check_takes_no_memory_for_the_filter() throws IOException {
    DuplicateFilter filter = Filters.create(FilterSpec.of(FilterKind.BLOOM, 64 << 20));
    for (long hash = 1; hash < 1000; hash++) {
      filter.admit(Mix.mix(hash));
    }
    Path path = dir.resolve("large.uns");
    try (StateFile file = StateFile.open(path)) {
      file.save(Snapshot.of(filter, 999, 999));
    }
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    Snapshot checked = StateFile.check(path);
    long taken = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(taken).isLessThan(8 << 20);
    assertThat(checked.filter().load()).isEqualTo(filter.load());
    assertThat(checked.records()).isEqualTo(999);
    assertThatThrownBy(() -> SnapshotFormat.write(checked, OutputStream.nullOutputStream()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("load it with StateFile.read");
  }

  /** A stream that claims a filter of a terabyte is refused by its claim, not by its bytes. */
  @Test
  void a_stream_that_claims_more_than_the_heap_is_rejected_before_memory_is_taken() {
    byte[] bytes = Bytes.of(state("small"));
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(BlockWriter.FILE_HEADER_BYTES + BlockWriter.HEADER_BYTES + 48, 1L << 40);
    byte[] claims = Bytes.withRightChecksums(bytes);
    assertThatThrownBy(
            () ->
                SnapshotFormat.read(
                    Channels.newChannel(new ByteArrayInputStream(claims)), "the stream"))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("must be at most the heap of this Java process");
  }
}
