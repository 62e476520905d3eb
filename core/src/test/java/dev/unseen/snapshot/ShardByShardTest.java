package dev.unseen.snapshot;

import static dev.unseen.Memory.MiB;
import static dev.unseen.audit.AuditSpec.oneIn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.bits.Mix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardByShardTest {
  private static final long MOST = 300_000; // fits, so nothing is forgotten

  @TempDir Path directory;

  private static Gate gate() {
    return Gate.builder().memory(MiB(4)).seed(0).concurrent().audit(oneIn(64)).build();
  }

  @Test
  void if_nothing_happens_meanwhile_the_file_is_that_of_a_save() throws IOException {
    Gate gate = gate();
    for (long i = 0; i < 100_000; i++) {
      gate.admit(Mix.mix(i));
    }
    Snapshot state = gate.snapshot(Map.of("a", "b"));
    Path once = directory.resolve("once.uns");
    Path slowly = directory.resolve("slowly.uns");
    try (StateFile file = StateFile.open(once)) {
      file.save(state);
    }
    try (StateFile file = StateFile.open(slowly)) {
      file.save(state);
    }
    assertThat(Files.mismatch(once, slowly)).isEqualTo(-1);
  }

  @Test
  void a_filter_in_use_is_saved_with_all_that_it_knew_before() throws Exception {
    Gate gate = gate();
    AtomicLong next = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!stop.get() && next.get() < MOST) {
                gate.admit(Mix.mix(next.get()));
                next.incrementAndGet();
              }
            });
    writer.start();
    Path path = directory.resolve("live.uns");
    try (StateFile file = StateFile.open(path)) {
      for (int i = 0; i < 10; i++) {
        long before = next.get();
        file.save(gate.snapshot(Map.of()));
        Gate loaded = Gate.builder().load(path);
        assertThat(loaded.records()).isGreaterThanOrEqualTo(before);
        for (long item = 0; item < before; item++) {
          assertThat(loaded.mightContain(Mix.mix(item))).isTrue();
        }
      }
    } finally {
      stop.set(true);
      writer.join();
    }
  }
}
