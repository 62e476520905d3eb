package dev.unseen.cli;

import static dev.unseen.testing.Generators.anyOf;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.byteArrays;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.hash.Xxh3;
import dev.unseen.io.CutSpec;
import dev.unseen.io.RecordFormat;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
  private static final int NO_LIMIT = 1 << 20;
  private static final Xxh3 HASH = new Xxh3(0);

  @Property(tries = 2000)
  void gives_every_line_and_its_hash_however_the_bytes_arrive(Choices choices) throws Failure {
    byte[] input = choices.draw("input", lines());
    int readBytes = choices.draw("readBytes", ints(1, 70));
    int batches = choices.draw("batches", ints(1, 3));
    long arrival = choices.draw("arrival", longs());
    assertThat(linesOf(reader(arriving(input, arrival), readBytes, NO_LIMIT), batches))
        .containsExactlyElementsOf(naive(input));
  }

  private static Generator<byte[]> lines() {
    Generator<Byte> tricky = oneOf((byte) '\n', (byte) 11, (byte) 0, (byte) -1);
    return byteArrays(anyOf(tricky, bytes()), 0, 300);
  }

  @Test
  void a_batch_takes_as_many_lines_as_come_in_one_read() throws Failure {
    byte[] input = "\n".repeat(100_000).getBytes(ISO_8859_1);
    assertThat(linesOf(reader(new ByteArrayInputStream(input), 90_000, NO_LIMIT), 2))
        .hasSize(100_000)
        .containsOnly("\n");
  }

  @Test
  void gives_the_lines_that_have_arrived_before_it_reads_on() throws Failure {
    InputStream once =
        new InputStream() {
          private int reads;

          @Override
          public int read() {
            throw new AssertionError("one byte at a time");
          }

          @Override
          public int available() {
            return 0;
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            assertThat(reads++).as("reads").isZero();
            byte[] arrived = "a\nb\nc".getBytes(ISO_8859_1);
            System.arraycopy(arrived, 0, buffer, offset, arrived.length);
            return arrived.length;
          }
        };
    Batch batch = new Batch(HASH, 100, false);
    assertThat(reader(once, 100, NO_LIMIT).fill(batch)).isTrue();
    assertThat(batch.count()).isEqualTo(2);
  }

  @Property
  void takes_lines_up_to_the_limit_and_names_the_first_that_is_longer(Choices choices)
      throws Failure {
    int limit = choices.draw("limit", ints(1, 200));
    int readBytes = choices.draw("readBytes", ints(1, 70));
    boolean terminated = choices.draw("terminated", booleans());
    long arrival = choices.draw("arrival", longs());
    String end = terminated ? "\n" : "";
    byte[] longest = ("a\n" + "x".repeat(limit) + end).getBytes(ISO_8859_1);
    byte[] tooLong = ("a\n\n" + "x".repeat(limit + 1) + end).getBytes(ISO_8859_1);

    assertThat(linesOf(reader(arriving(longest, arrival), readBytes, limit), 2))
        .containsExactlyElementsOf(naive(longest));
    assertThatThrownBy(() -> linesOf(reader(arriving(tooLong, arrival), readBytes, limit), 2))
        .isInstanceOf(Failure.class)
        .hasMessage("test, line 3: longer than %d bytes, the most a record may have", limit);
  }

  /** The batches are used in turn, as the threads do. */
  private static List<String> linesOf(RecordReader reader, int batches) throws Failure {
    List<Batch> pool = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      pool.add(new Batch(HASH, 16, false));
    }
    List<String> lines = new ArrayList<>();
    for (int turn = 0; reader.fill(pool.get(turn % batches)); turn++) {
      Batch batch = pool.get(turn % batches);
      for (int i = 0; i < batch.count(); i++) {
        String line =
            new String(batch.bytes, batch.start(i), batch.end(i) - batch.start(i), ISO_8859_1);
        assertThat(batch.isTerminated(i)).isEqualTo(line.endsWith("\n"));
        byte[] key = line.replace("\n", "").getBytes(ISO_8859_1);
        assertThat(batch.hashes()[i]).isEqualTo(HASH.hash(key));
        lines.add(line);
      }
    }
    return lines;
  }

  private static List<String> naive(byte[] input) {
    List<String> lines = new ArrayList<>();
    for (byte[] line : Oracle.lines(input)) {
      lines.add(new String(line, ISO_8859_1) + "\n");
    }
    if (input.length > 0 && input[input.length - 1] != '\n') {
      int last = lines.size() - 1;
      lines.set(last, lines.get(last).substring(0, lines.get(last).length() - 1));
    }
    return lines;
  }

  private static RecordReader reader(InputStream stream, int readBytes, int limit) {
    Input input = new Input("test", stream, new AtomicLong());
    return new RecordReader(
        input,
        CutSpec.WHOLE_RECORDS.cutter(RecordFormat.LINES, "test"),
        new TestOrigin(),
        readBytes,
        limit);
  }

  /** Each read returns some of what was asked for. */
  private static InputStream arriving(byte[] bytes, long seed) {
    Random random = new Random(seed);
    return new ByteArrayInputStream(bytes) {
      @Override
      public int read(byte[] to, int offset, int length) {
        return super.read(to, offset, length == 0 ? 0 : 1 + random.nextInt(length));
      }
    };
  }

  private static final class TestOrigin implements Batch.Origin {
    @Override
    public String name() {
      return "test";
    }

    @Override
    public RecordFormat format() {
      return RecordFormat.LINES;
    }

    @Override
    public boolean takesHeader(List<String> columns) {
      throw new AssertionError("lines have no header");
    }

    @Override
    public long records() {
      return 0;
    }

    @Override
    public boolean isFirst() {
      return true;
    }

    @Override
    public Batch.Odd withoutKey(long line, long column, String reason) {
      throw new AssertionError(reason);
    }
  }
}
