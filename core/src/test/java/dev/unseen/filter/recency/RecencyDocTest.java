package dev.unseen.filter.recency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.unseen.bits.Lanes;
import dev.unseen.testing.GeneratedTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** docs/recency.md and its pictures show the lines that filters have. */
final class RecencyDocTest {
  private static final Path DOCS = Path.of("..", "docs");

  /** Returns the lines of a filter that learns, with this largest false positive rate. */
  private static LineForm form(double maxFpr) {
    return LineForm.of(Lines.HEADER_BITS, maxFpr / 2, true); // a key is compared with two lines
  }

  @Test
  void the_page_has_the_lanes_of_full_lines() throws IOException {
    List<String> rows =
        new ArrayList<>(
            List.of(
                "| largest false positive rate | lanes in order | bits of a lane | bits of memory for each key | lanes if sorted | bits of memory for each key |",
                "|---|---|---|---|---|---|"));
    for (int digits = 2; digits <= 9; digits++) {
      LineForm form = form(Double.parseDouble("1e-" + digits));
      rows.add(
          String.format(
              Locale.ROOT,
              "| 1e-%d | %d | %d | %.1f | %d | %.1f |",
              digits,
              form.fullLanes(),
              form.narrowest().width(),
              512.0 / form.fullLanes(),
              form.mostLanes(),
              512.0 / form.mostLanes()));
    }
    GeneratedTable.check(DOCS.resolve("recency.md"), rows);
  }

  @Test
  void the_page_has_the_bits_of_sorted_lines() {
    LineForm form = form(1e-4);
    int bits = form.fingerprints().bits();
    int lanes = form.mostLanes();
    assertThat(lanes).isEqualTo(28);
    assertThat(bits).isEqualTo(14 + 6); // 48 quotients take six bits
    assertThat(2 * lanes * form.fingerprints().chance(bits))
        .isCloseTo(2.0 * 28 / (48 << 14), within(1e-12));
    assertThat(DOCS.resolve("recency.md"))
        .content()
        .contains("below 48 at 1e-4, and a remainder of 14 bits", "28 x 14 bits");
  }

  @Test
  void the_picture_has_the_shapes_that_a_line_goes_through() {
    LineForm form = form(1e-4);
    for (int level = 0; level < form.shapes().length; level++) {
      Lanes lanes = form.shapes()[level];
      double keys = 1 / (2 * lanes.count() * form.chanceAt(level));
      String text = "%d lanes of %d bits: 1 new key in ".formatted(lanes.count(), lanes.width());
      assertThat(DOCS.resolve("recency/narrowing.svg")).content().contains(text + rounded(keys));
      assertThat(DOCS.resolve("recency/narrowing-tall.svg"))
          .content()
          .contains(text + rounded(keys));
    }
  }

  /** Returns a number as text with two significant digits. */
  private static String rounded(double number) {
    if (number >= 1e6) {
      return Math.round(number / 1e6) + " million";
    }
    long unit = number >= 1e5 ? 10_000 : 1_000;
    return String.format(Locale.ROOT, "%,d", Math.round(number / unit) * unit);
  }
}
