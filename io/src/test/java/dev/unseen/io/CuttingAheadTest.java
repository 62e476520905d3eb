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
import dev.unseen.testing.Generator;
import dev.unseen.testing.Property;
import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Blocks that are cut before their turn give the records that one thread would find. */
class CuttingAheadTest {
  @Property(tries = 5000)
  void gives_the_pieces_of_one_thread_in_whatever_order_blocks_are_cut(Choices choices) {
    RecordFormat format =
        choices.draw(
            "format",
            oneOf(
                RecordFormat.LINES,
                RecordFormat.CSV,
                RecordFormat.TSV,
                RecordFormat.JSONL,
                RecordFormat.JSON));
    RecordSpec spec = choices.draw("keyed", booleans()) ? keyed(format) : RecordSpec.WHOLE_RECORDS;
    byte[] input = choices.draw("input", input());
    int readBytes = choices.draw("readBytes", ints(1, 60));
    int limit = choices.draw("limit", ints(20, 400));
    boolean fails = choices.draw("fails", booleans());
    long arrival = choices.draw("arrival", longs());
    long order = choices.draw("order", longs());

    List<String> one = inOneThread(reader(format, spec, input, arrival, readBytes, limit), fails);
    RecordReader many = reader(format, spec, input, arrival, readBytes, limit);
    assertThat(inAnyOrder(many, fails, new Random(order))).isEqualTo(one);
  }

  /** So that the property above is not about a guess that is never made. */
  @Test
  void most_blocks_of_plain_lines_are_cut_ahead() throws InputException {
    byte[] input = "some line\n".repeat(10_000).getBytes(ISO_8859_1);
    RecordReader reader =
        reader(RecordFormat.CSV, RecordSpec.WHOLE_RECORDS, input, 1, 1000, 1 << 20);
    int ahead = 0;
    int blocks = 0;
    Recorded block = new Recorded(false);
    while (reader.read(block)) {
      reader.cutAhead(block);
      ahead += block.linesAhead == Block.NOT_AHEAD ? 0 : 1;
      blocks++;
      reader.settle(block);
    }
    assertThat(ahead).isGreaterThan(blocks * 9 / 10);
  }

  private static RecordSpec keyed(RecordFormat format) {
    return switch (format) {
      case CSV, TSV -> RecordSpec.of(KeySpec.of("a"));
      case JSONL, JSON -> RecordSpec.of(KeySpec.of("a"));
      default -> RecordSpec.WHOLE_RECORDS;
    };
  }

  /** Some bytes that mean something in one of the formats, and whole records of each. */
  private static Generator<byte[]> input() {
    Generator<Byte> tricky =
        oneOf(
            (byte) '\n',
            (byte) '\n',
            (byte) '\r',
            (byte) '"',
            (byte) ',',
            (byte) '\t',
            (byte) '{',
            (byte) 'a');
    Generator<byte[]> noise = byteArrays(anyOf(tricky, tricky, tricky, bytes()), 0, 40);
    Generator<byte[]> records =
        oneOf(
            text("{\"a\":1}\n"),
            text("{\"a\":\"x\"}\n"),
            text("1,2\n"),
            text("\"1\n1\",\"2\"\n"),
            text("1\t2\r\n"),
            text("\n"),
            text("a\n"));
    return choices -> {
      StringBuilder all = new StringBuilder("a,b\n".repeat(choices.draw(ints(0, 1))));
      int parts = choices.draw(ints(0, 60));
      for (int i = 0; i < parts; i++) {
        all.append(new String(choices.draw(i % 8 == 7 ? noise : records), ISO_8859_1));
      }
      return text(all.toString());
    };
  }

  private static byte[] text(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static RecordReader reader(
      RecordFormat format, RecordSpec spec, byte[] input, long arrival, int readBytes, int limit) {
    Random random = new Random(arrival);
    ByteArrayInputStream stream =
        new ByteArrayInputStream(input) {
          @Override
          public int read(byte[] to, int offset, int length) {
            return super.read(to, offset, length == 0 ? 0 : 1 + random.nextInt(length));
          }
        };
    RecordCutter cutter = format.cutter(spec, "test");
    return new RecordReader(Source.of(stream, "test"), cutter, (byte) '\n', readBytes, limit);
  }

  private static List<String> inOneThread(RecordReader reader, boolean fails) {
    List<String> pieces = new ArrayList<>();
    Recorded block = new Recorded(fails);
    try {
      while (reader.fill(block)) {
        pieces.addAll(block.pieces());
      }
    } catch (InputException e) {
      pieces.addAll(block.pieces());
      pieces.add(e.getMessage());
    }
    return pieces;
  }

  private static List<String> inAnyOrder(RecordReader reader, boolean fails, Random random) {
    List<String> pieces = new ArrayList<>();
    Deque<Recorded> free = new ArrayDeque<>();
    for (int i = 0; i < 4; i++) {
      free.add(new Recorded(fails));
    }
    List<Recorded> read = new ArrayList<>();
    String failure = null;
    boolean more = true;
    while (more || !read.isEmpty()) {
      int step = random.nextInt(3);
      if (step == 0 && more && !free.isEmpty()) {
        Recorded block = free.poll();
        try {
          more = reader.read(block);
        } catch (InputException e) {
          more = false;
          failure = e.getMessage();
        }
        (more ? read : free).add(block);
      } else if (step == 1 && !read.isEmpty()) {
        Recorded block = read.get(random.nextInt(read.size()));
        if (block.linesAhead == Block.NOT_AHEAD) {
          reader.cutAhead(block);
        }
      } else if (!read.isEmpty()) {
        Recorded block = read.remove(0);
        try {
          reader.settle(block);
        } catch (InputException e) {
          pieces.addAll(block.pieces());
          pieces.add(e.getMessage());
          return pieces;
        }
        pieces.addAll(block.pieces());
        free.add(block);
      }
    }
    if (failure != null) {
      pieces.add(failure);
    }
    return pieces;
  }

  /** What it received: the kind of each piece, its bytes, and its key or the trouble. */
  private static final class Recorded extends Block {
    private final boolean fails;
    private final List<Integer> ends = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private boolean terminated;

    Recorded(boolean fails) {
      super(16);
      this.fails = fails;
    }

    List<String> pieces() {
      List<String> pieces = new ArrayList<>();
      int start = 0;
      for (int i = 0; i < ends.size(); i++) {
        String text = new String(bytes(), start, ends.get(i) - start, ISO_8859_1);
        pieces.add(text + "|" + notes.get(i));
        start = ends.get(i);
      }
      if (!pieces.isEmpty() && !terminated) {
        pieces.add("not terminated");
      }
      return pieces;
    }

    private void add(int end, String note) {
      ends.add(end);
      notes.add(note);
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
    protected void finish(boolean lastIsTerminated) {
      terminated = lastIsTerminated;
    }

    @Override
    public void record(int end, byte[] key, int from, int to, long time) {
      add(end, "key " + new String(key, from, to - from, ISO_8859_1));
    }

    @Override
    public void header(int end, List<String> columns) {
      add(end, "header " + columns);
    }

    @Override
    public void mark(int end) {
      add(end, "mark");
    }

    @Override
    public void blank(int end) {
      add(end, "blank");
    }

    @Override
    public void between(int end) {
      add(end, "between");
    }

    @Override
    public void bad(int end, long line, long column, String reason) throws InputException {
      if (fails) {
        throw new InputException("line %d, column %d: %s".formatted(line, column, reason));
      }
      add(end, reason); // the line is for failures only
    }

    @Override
    public void more(int end) {
      add(end, "more");
    }
  }
}
