package dev.unseen.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LineBlocksTest {
  private static final int NO_LIMIT = 1 << 20;

  @Property(tries = 2000)
  void cuts_any_bytes_at_newlines_only_however_they_arrive(
      @ForAll("bytes") byte[] input,
      @ForAll @IntRange(min = 1, max = 70) int readBytes,
      @ForAll long arrival)
      throws Failure {
    LineBlocks blocks = new LineBlocks(arriving(input, arrival), readBytes, NO_LIMIT);

    assertThat(linesOf(blocks)).containsExactlyElementsOf(naive(input));
  }

  /** Newlines and the bytes next to them, which a careless search would confuse, are frequent. */
  @Provide
  Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> tricky =
        Arbitraries.of((byte) '\n', (byte) 11, (byte) 9, (byte) 0x8A, (byte) 0, (byte) -1);
    Arbitrary<Byte> any = Arbitraries.bytes();
    return Arbitraries.oneOf(tricky, any, any).array(byte[].class).ofMinSize(0).ofMaxSize(300);
  }

  @Test
  void finds_newlines_at_every_place_of_a_word_beside_every_byte() throws Failure {
    for (int other = 0; other < 256; other++) {
      for (int newline = 0; newline < 16; newline++) {
        byte[] input = new byte[16];
        Arrays.fill(input, (byte) other);
        input[newline] = '\n';
        LineBlocks blocks = new LineBlocks(arriving(input, 0), 64, NO_LIMIT);
        assertThat(linesOf(blocks)).containsExactlyElementsOf(naive(input));
      }
    }
  }

  @Test
  void gives_blocks_of_few_lines_when_there_are_many() throws Failure {
    byte[] input = ("\n".repeat(3 * LineBlocks.MAX_LINES + 5) + "rest").getBytes(ISO_8859_1);
    LineBlocks blocks = new LineBlocks(new Input("test", stream(input), false, () -> {}));
    int lines = 0;
    while (blocks.next()) {
      assertThat(blocks.count()).isBetween(1, LineBlocks.MAX_LINES);
      lines += blocks.count();
    }
    assertThat(lines).isEqualTo(3 * LineBlocks.MAX_LINES + 6);
  }

  @Test
  void gives_the_lines_that_have_arrived_before_it_reads_on() throws Failure {
    InputStream once =
        new InputStream() {
          private boolean read;

          @Override
          public int read() {
            throw new AssertionError("one byte at a time");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            assertThat(read).as("read again").isFalse();
            read = true;
            byte[] arrived = "a\nb\nc".getBytes(ISO_8859_1);
            System.arraycopy(arrived, 0, buffer, offset, arrived.length);
            return arrived.length;
          }
        };
    LineBlocks blocks = new LineBlocks(new Input("test", once, false, () -> {}));

    assertThat(blocks.next()).isTrue();
    assertThat(blocks.count()).isEqualTo(2);
  }

  @Property
  void takes_lines_up_to_the_limit_and_names_the_first_that_is_longer(
      @ForAll @IntRange(min = 1, max = 200) int limit,
      @ForAll @IntRange(min = 1, max = 70) int readBytes,
      @ForAll boolean terminated,
      @ForAll long arrival)
      throws Failure {
    String end = terminated ? "\n" : "";
    byte[] longest = ("a\n" + "x".repeat(limit) + end).getBytes(ISO_8859_1);
    byte[] tooLong = ("a\n\n" + "x".repeat(limit + 1) + end).getBytes(ISO_8859_1);

    assertThat(linesOf(new LineBlocks(arriving(longest, arrival), readBytes, limit)))
        .containsExactlyElementsOf(naive(longest));
    assertThatThrownBy(() -> linesOf(new LineBlocks(arriving(tooLong, arrival), readBytes, limit)))
        .isInstanceOf(Failure.class)
        .hasMessage("test, line 3: longer than %d bytes, the most a line may have", limit);
  }

  private static List<String> linesOf(LineBlocks blocks) throws Failure {
    List<String> lines = new ArrayList<>();
    while (blocks.next()) {
      for (int i = 0; i < blocks.count(); i++) {
        int start = blocks.start(i);
        String line = new String(blocks.buffer(), start, blocks.end(i) - start, ISO_8859_1);
        lines.add(line + (blocks.isTerminated(i) ? "\n" : ""));
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

  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  /** Each read returns some of what was asked for. */
  private static Input arriving(byte[] bytes, long seed) {
    Random random = new Random(seed);
    InputStream slow =
        new ByteArrayInputStream(bytes) {
          @Override
          public int read(byte[] to, int offset, int length) {
            return super.read(to, offset, 1 + random.nextInt(length));
          }
        };
    return new Input("test", slow, false, () -> {});
  }
}
