package dev.unseen.cli.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.commands.CliException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordWriterTest {
  @Test
  void writes_runs_of_any_size_in_order() throws CliException, IOException {
    Random random = new Random(3);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RecordWriter writer = writer(out);
    for (int i = 0; i < 2000; i++) {
      byte[] run = new byte[random.nextInt(1 << (1 + random.nextInt(19)))];
      random.nextBytes(run);
      boolean terminated = random.nextBoolean();
      writer.write(run, 0, run.length, terminated);
      expected.writeBytes(run);
      if (!terminated) {
        expected.write('\n');
      }
    }
    writer.flush();
    assertThat(out.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void does_not_try_again_what_could_not_be_written() throws CliException, IOException {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    RecordWriter writer = writer(full);
    writer.write(new byte[] {'a'}, 0, 1, true);
    assertThatThrownBy(writer::flush)
        .isInstanceOf(CliException.class)
        .hasMessage("cannot write stdout: No space left on device");
    writer.flush();
  }

  private static RecordWriter writer(OutputStream out) throws IOException {
    return new RecordWriter(new LiveOutput("stdout", out, new Disk()), true, (byte) '\n');
  }
}
