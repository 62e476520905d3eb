package dev.unseen.io;

import static dev.unseen.testing.Generators.anyOf;
import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.byteArrays;
import static dev.unseen.testing.Generators.bytes;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.CpuTime;
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
  private static final int NO_LIMIT = 1 << 20;

  @Property(tries = 2000)
  void gives_every_line_and_its_hash_however_the_bytes_arrive(Choices choices)
      throws InputException {
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
  void a_batch_takes_as_many_lines_as_come_in_one_read() throws InputException {
    byte[] input = "\n".repeat(100_000).getBytes(ISO_8859_1);
    assertThat(linesOf(reader(new ByteArrayInputStream(input), 90_000, NO_LIMIT), 2))
        .hasSize(100_000)
        .containsOnly("\n");
  }

  @Test
  void gives_the_lines_that_have_arrived_before_it_reads_on() throws InputException {
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
    Pieces block = new Pieces(100);
    assertThat(reader(once, 100, NO_LIMIT).fill(block)).isTrue();
    assertThat(block.count()).isEqualTo(2);
  }

  @Property
  void takes_lines_up_to_the_limit_and_names_the_first_that_is_longer(Choices choices)
      throws InputException {
    int limit = choices.draw("limit", ints(1, 200));
    int readBytes = choices.draw("readBytes", ints(1, 70));
    boolean terminated = choices.draw("terminated", booleans());
    int more = choices.draw("more", ints(1, 500));
    long arrival = choices.draw("arrival", longs());
    String end = terminated ? "\n" : "";
    byte[] longest = ("a\n" + "x".repeat(limit) + end).getBytes(ISO_8859_1);
    String tooLong = "x".repeat(limit + more) + end;
    byte[] input = ("a\n\n" + tooLong + (terminated ? "b\n" : "")).getBytes(ISO_8859_1);

    assertThat(linesOf(reader(arriving(longest, arrival), readBytes, limit), 2))
        .containsExactlyElementsOf(naive(longest));
    List<String> lines = linesOf(reader(arriving(input, arrival), readBytes, limit), 2);
    assertThat(lines).startsWith("a\n", "\n");
    String bad =
        "(line 3: the record is longer than %d bytes; raise max-record to allow it)"
            .formatted(limit);
    assertThat(String.join("", lines))
        .isEqualTo(
            "a\n\n"
                + "x".repeat(limit + 1)
                + bad
                + tooLong.substring(limit + 1)
                + (terminated ? "b\n" : ""));
  }

  /** A line of 64 MiB in pieces of 4 KiB, as from a pipe: each byte may be copied a few times. */
  @Test
  void a_long_line_that_arrives_in_small_pieces_takes_linear_time() throws Exception {
    int size = 64 << 20;
    InputStream pipe =
        new InputStream() {
          private int left = size;

          @Override
          public int read() {
            throw new AssertionError("one byte at a time");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            int count = Math.min(left, Math.min(length, 4096));
            left -= count;
            Arrays.fill(buffer, offset, offset + count, (byte) 'x');
            return count == 0 ? -1 : count;
          }
        };
    Pieces block = new Pieces(RecordReader.READ_BYTES);
    RecordReader reader = reader(pipe, RecordReader.READ_BYTES, RecordReader.MAX_RECORD_BYTES);
    assertThat(CpuTime.of(() -> assertThat(reader.fill(block)).isTrue()))
        .isLessThan(Duration.ofSeconds(20));
    assertThat(block.ends).containsExactly(size);
  }

  /** The blocks are used in turn, as the threads do. */
  private static List<String> linesOf(RecordReader reader, int blocks) throws InputException {
    List<Pieces> pool = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      pool.add(new Pieces(16));
    }
    List<String> lines = new ArrayList<>();
    for (int turn = 0; reader.fill(pool.get(turn % blocks)); turn++) {
      Pieces block = pool.get(turn % blocks);
      int start = 0;
      for (int i = 0; i < block.count(); i++) {
        int end = block.ends.get(i);
        lines.add(new String(block.bytes(), start, end - start, ISO_8859_1) + block.notes.get(i));
        start = end;
      }
    }
    return lines;
  }

  private static List<String> naive(byte[] input) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < input.length; i++) {
      if (input[i] == '\n' || i == input.length - 1) {
        lines.add(new String(input, start, i + 1 - start, ISO_8859_1));
        start = i + 1;
      }
    }
    return lines;
  }

  private static RecordReader reader(InputStream stream, int readBytes, int limit) {
    return new RecordReader(
        Source.of(stream, "test"),
        RecordFormat.LINES.cutter(RecordSpec.WHOLE_RECORDS, "test"),
        (byte) '\n',
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

  /** The pieces that it received, and what was reported about each. */
  private static final class Pieces extends Block {
    final List<Integer> ends = new ArrayList<>();
    final List<String> notes = new ArrayList<>();

    Pieces(int size) {
      super(size);
    }

    @Override
    protected void begin() {
      ends.clear();
      notes.clear();
    }

    @Override
    public int count() {
      return ends.size();
    }

    @Override
    protected void finish(boolean terminated) {
      // A record that is too long comes in several pieces, of which only the last has an end.
    }

    private void add(int end, String note) {
      ends.add(end);
      notes.add(note);
    }

    @Override
    public void record(int end, byte[] key, int from, int to, long time) {
      assertThat(key[to == key.length ? to - 1 : to] == '\n' || to == end).isTrue();
      add(end, "");
    }

    @Override
    public void header(int end, List<String> columns) {
      throw new AssertionError("lines have no header");
    }

    @Override
    public void mark(int end) {
      throw new AssertionError("lines have no mark");
    }

    @Override
    public void blank(int end) {
      throw new AssertionError("an empty line is a line");
    }

    @Override
    public void between(int end) {
      throw new AssertionError("nothing is between lines");
    }

    @Override
    public void bad(int end, long line, long column, String reason) {
      add(end, "(line %d: %s)".formatted(line, reason));
    }

    @Override
    public void more(int end) {
      add(end, "");
    }
  }
}
