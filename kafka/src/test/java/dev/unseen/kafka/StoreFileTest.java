package dev.unseen.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.Memory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a state is saved, and with which offset. */
class StoreFileTest {
  private final Gate gate = Gate.builder().memory(Memory.KiB(64)).build();
  @TempDir private Path directory;

  private StoreFile file(Duration every) {
    return new StoreFile(directory, "unseen", every);
  }

  @Test
  void what_came_after_the_last_commit_is_not_saved() {
    StoreFile file = file(Duration.ofHours(1));
    gate.admit(1);
    file.changed();
    file.committed(List.of(10L), gate);
    gate.admit(2);
    file.changed();
    file.close(gate); // as after a failure

    assertThat(file(Duration.ZERO).load()).isEmpty();
  }

  @Test
  void a_close_right_after_a_commit_saves_with_its_offset() {
    StoreFile file = file(Duration.ofHours(1));
    gate.admit(1);
    file.changed();
    file.committed(List.of(10L), gate);
    file.close(gate);

    StoreFile later = file(Duration.ofHours(1));
    assertThat(later.load().orElseThrow().admitted()).isEqualTo(1);
    assertThat(later.offset()).isEqualTo(10);
  }

  @Test
  void a_commit_saves_when_it_is_time_and_offsets_that_mean_unknown_never_do() {
    StoreFile file = file(Duration.ZERO);
    file.committed(List.of(-4L), gate);
    file.committed(List.of(1L, 2L), gate);
    assertThat(file(Duration.ZERO).load()).isEmpty();

    gate.admit(1);
    file.committed(List.of(7L), gate);
    gate.admit(2); // while the file is being written
    file.changed();
    file.close(gate);
    StoreFile later = file(Duration.ZERO);
    assertThat(later.load().orElseThrow().admitted()).as("at the commit").isEqualTo(1);
    assertThat(later.load()).isPresent();
    assertThat(later.offset()).isEqualTo(7);
  }

  @Test
  void a_commit_without_offsets_deletes_the_file() {
    StoreFile file = file(Duration.ZERO);
    gate.admit(1);
    file.committed(List.of(7L), gate);
    file.close(gate);
    file.committed(List.of(), gate);

    assertThat(file.offset()).isNull();
    assertThat(file(Duration.ZERO).load()).isEmpty();
  }

  @Test
  void a_disk_that_fails_does_not_end_the_stream_whose_thread_does_not_write() throws Exception {
    List<String> threads = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            threads.add(Thread.currentThread().getName());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger("dev.unseen");
    log.addHandler(handler);
    try {
      StoreFile file = new StoreFile(directory.resolve("missing"), "unseen", Duration.ZERO);
      gate.admit(1);
      file.committed(List.of(7L), gate);
      file.changed();
      file.close(gate);

      assertThat(file.offset()).isNull();
      assertThat(threads).containsExactly("unseen-snapshot");
    } finally {
      log.removeHandler(handler);
    }
  }
}
