package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Gate;
import dev.unseen.io.InputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WritingTest {
  private static final int LINE_BYTES = 8;

  private final Gate gate = Gate.builder().seed(0).memory(1 << 20).build();

  @Test
  void keeps_the_order_of_batches_when_threads_take_turns() throws Exception {
    int rounds = 5000;
    List<Batch> batches = List.of(batch(), batch(), batch(), batch(), batch());
    Handover handover = new Handover(batches);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Writing writing = new Writing(handover, outputs(out));
    AtomicInteger next = new AtomicInteger();
    Runnable help =
        () -> {
          try {
            for (Work work = handover.await(); work != null; work = handover.await()) {
              Batch batch = work.batch();
              switch (work.step()) {
                case READ -> {
                  if (next.get() == rounds) {
                    handover.nothingRead(batch, null);
                  } else {
                    handover.wasRead(fill(batch, next.getAndIncrement()));
                  }
                }
                case CUT -> handover.wasCut(batch);
                case SETTLE -> handover.wasSettled(batch, null);
                case WRITE -> writing.writeNext();
              }
            }
          } catch (Failure | InterruptedException e) {
            handover.fail(e);
          }
        };
    for (int i = 0; i < 3; i++) {
      new Thread(help).start();
    }
    while (!handover.isOver()) {
      Batch batch = handover.takeFull(1_000_000);
      if (batch != null) {
        batch.verdicts().decide(batch, gate);
        handover.putDecided(batch);
      } else {
        writing.flush();
      }
    }
    writing.flush();
    assertThat(handover.failure()).isNull();

    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < rounds; i++) {
      expected.append(line(i));
    }
    assertThat(out.toString(US_ASCII)).isEqualTo(expected.toString());
  }

  @Test
  void writes_nothing_behind_a_failure_and_tells_it_again() throws Exception {
    List<String> written = new ArrayList<>();
    OutputStream fullOnce =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new AssertionError("one byte at a time");
          }

          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            written.add(new String(bytes, from, length, US_ASCII));
            if (written.size() == 2) {
              throw new IOException("No space left on device");
            }
          }
        };
    Handover handover = new Handover(List.of());
    Writing writing = new Writing(handover, outputs(fullOnce));
    for (int i = 0; i < 3; i++) {
      Batch batch = fill(batch(), i);
      batch.verdicts().decide(batch, gate);
      handover.putDecided(batch);
      if (i == 1) {
        assertThatThrownBy(writing::flush).hasMessageContaining("No space left");
      } else if (i == 2) {
        assertThatThrownBy(writing::writeNext).hasMessageContaining("No space left");
        assertThatThrownBy(writing::flush).hasMessageContaining("No space left");
      } else {
        writing.flush();
      }
    }
    assertThat(written).containsExactly(line(0), line(1));
  }

  private static Outputs outputs(OutputStream out) throws Failure {
    return new Outputs(
        new DedupOptions(Map.of(), List.of()), new OutputPlaces(out, new Disk(), warning -> {}));
  }

  private Batch batch() {
    return new Batch(gate.hash(), LINE_BYTES, false);
  }

  private static Batch fill(Batch batch, int number) throws Failure {
    byte[] line = line(number).getBytes(US_ASCII);
    System.arraycopy(line, 0, batch.bytes(), 0, line.length);
    batch.begin();
    try {
      batch.lines(batch.bytes(), 0, new int[] {line.length}, 1);
    } catch (InputException e) {
      throw Failure.inputOrOutput(e.getMessage(), e);
    }
    batch.finish(true);
    return batch;
  }

  private static String line(int number) {
    return String.format(Locale.ROOT, "%07d\n", number);
  }
}
