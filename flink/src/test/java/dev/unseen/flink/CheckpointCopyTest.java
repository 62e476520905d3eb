package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Gate;
import dev.unseen.Memory;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.testing.Patience;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** There is one copy, whatever checkpoints and savepoints come at a time. */
class CheckpointCopyTest {
  @Test
  void a_second_checkpoint_waits_and_uses_the_same_memory() throws Exception {
    Gate gate = Gate.builder().memory(Memory.MiB(1)).concurrent().build();
    CheckpointCopy copy = new CheckpointCopy();
    Snapshot first = copy.of(gate);
    gate.admit(1);
    CompletableFuture<Snapshot> second = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                second.complete(copy.of(gate));
              } catch (InterruptedException e) {
                second.completeExceptionally(e);
              }
            });
    thread.start();
    Patience.await("the second to wait").until(() -> thread.getState() == Thread.State.WAITING);
    assertThat(second).isNotDone();
    copy.release(first);
    Snapshot reused = second.get();
    assertThat(reused.filter()).isSameAs(first.filter());
    assertThat(reused.records()).isEqualTo(1);
  }
}
