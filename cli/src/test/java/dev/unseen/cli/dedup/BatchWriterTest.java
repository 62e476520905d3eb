package dev.unseen.cli.dedup;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Gate;
import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
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

class BatchWriterTest {
  private static final int LINE_BYTES = 8;

  private final Gate gate = Gate.builder().seed(0).memory(1 << 20).build();

  @Test
  void keeps_the_order_of_batches_when_threads_take_turns() throws Exception {
    int rounds = 5000;
    List<Batch> batches = List.of(batch(), batch(), batch(), batch(), batch());
    Pipeline pipeline = new Pipeline(batches);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BatchWriter writer = new BatchWriter(pipeline, outputs(out));
    AtomicInteger next = new AtomicInteger();
    Runnable help =
        () -> {
          try {
            for (Pipeline.Task work = pipeline.await(); work != null; work = pipeline.await()) {
              Batch batch = work.batch();
              switch (work.step()) {
                case READ -> {
                  if (next.get() == rounds) {
                    pipeline.nothingRead(batch, null);
                  } else {
                    pipeline.wasRead(fill(batch, next.getAndIncrement()));
                  }
                }
                case CUT -> pipeline.wasCut(batch);
                case SETTLE -> pipeline.wasSettled(batch, null);
                case WRITE -> writer.writeNext();
              }
            }
          } catch (CliException | InterruptedException e) {
            pipeline.fail(e);
          }
        };
    for (int i = 0; i < 3; i++) {
      new Thread(help).start();
    }
    while (!pipeline.isOver()) {
      Batch batch = pipeline.takeFull(1_000_000);
      if (batch != null) {
        batch.decisions.decide(batch, gate);
        pipeline.putDecided(batch);
      } else {
        writer.flush();
      }
    }
    writer.flush();
    assertThat(pipeline.failure()).isNull();

    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < rounds; i++) {
      expected.append(line(i));
    }
    assertThat(out.toString(US_ASCII)).isEqualTo(expected.toString());
  }

  @Test
  void writes_nothing_after_a_failure_and_reports_it_again() throws Exception {
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
    Pipeline pipeline = new Pipeline(List.of());
    BatchWriter writer = new BatchWriter(pipeline, outputs(fullOnce));
    for (int i = 0; i < 3; i++) {
      Batch batch = fill(batch(), i);
      batch.decisions.decide(batch, gate);
      pipeline.putDecided(batch);
      if (i == 1) {
        assertThatThrownBy(writer::flush).hasMessageContaining("No space left");
      } else if (i == 2) {
        assertThatThrownBy(writer::writeNext).hasMessageContaining("No space left");
        assertThatThrownBy(writer::flush).hasMessageContaining("No space left");
      } else {
        writer.flush();
      }
    }
    assertThat(written).containsExactly(line(0), line(1));
  }

  private static Outputs outputs(OutputStream out) throws CliException {
    return new Outputs(
        DedupOptions.of(new GivenOptions(Map.of()), List.of()),
        new OutputPlaces(out, new Disk(), warning -> {}));
  }

  private Batch batch() {
    return new Batch(gate.hash(), List.of(), LINE_BYTES, false);
  }

  private static Batch fill(Batch batch, int number) throws CliException {
    byte[] line = line(number).getBytes(US_ASCII);
    System.arraycopy(line, 0, batch.bytes(), 0, line.length);
    batch.begin();
    try {
      batch.lines(batch.bytes(), 0, new int[] {line.length}, 1);
    } catch (InputException e) {
      throw CliException.inputOrOutput(e.getMessage(), e);
    }
    batch.finish(true);
    return batch;
  }

  private static String line(int number) {
    return String.format(Locale.ROOT, "%07d\n", number);
  }
}
