package dev.unseen.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class WordsTest {
  private static final long CHUNK = 1L << 26;

  @Test
  void goes_on_where_one_chunk_ends() {
    Words words = new Words(CHUNK + 3);
    for (long i = CHUNK - 2; i < CHUNK + 3; i++) {
      words.set(i, i);
    }
    for (long i = CHUNK - 2; i < CHUNK + 3; i++) {
      assertThat(words.get(i)).isEqualTo(i);
    }
    long bit = CHUNK * 64;
    words.set(CHUNK, 0);
    assertThat(words.setBit(bit + 5)).isEqualTo(1);
    assertThat(words.setBit(bit + 5)).isZero();
    assertThat(words.getBit(bit + 5)).isTrue();
    assertThat(words.getBit(bit - 64 + 5)).isEqualTo(((CHUNK - 1) >>> 5 & 1) != 0);
    assertThat(words.clearBit(bit + 5)).isEqualTo(1);
    assertThat(words.clearBit(bit + 5)).isZero();
  }

  /** In a process with a small heap: to fill that of the tests takes a quarter of a minute. */
  @Test
  void what_the_heap_cannot_hold_is_rejected_with_the_way_out() throws IOException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                TooMany.class.getName())
            .redirectErrorStream(true)
            .start();
    List<String> told;
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      told = out.lines().toList();
    }
    assertThat(told).hasSize(3);
    assertThat(told.get(1)).startsWith("refused: ").contains(told.get(0) + " bytes", "-Xmx");
    assertThat(told.get(2)).startsWith("refused: ").contains("-Xmx");
  }

  /** Asks for more than the heap, and for all of it. */
  static final class TooMany {
    private TooMany() {}

    public static void main(String[] args) {
      long words = Runtime.getRuntime().maxMemory() / 8 + 1;
      System.out.println(String.format(Locale.ROOT, "%,d", words * 8));
      System.out.println(answer(words));
      System.out.println(
          answer(words - 2)); // below the limit, but there is no room beside the rest
    }

    private static String answer(long words) {
      try {
        return "given: " + new Words(words).length();
      } catch (IllegalArgumentException e) {
        return "refused: " + e.getMessage();
      }
    }
  }
}
