package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.SplitMix64;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class LinePairsTest {
  @Property(tries = 2000)
  void two_lines_of_a_page_are_partners_of_each_other(Choices choices) {
    LinePairs pairs = new LinePairs(choices.draw("lines", longs(2, 1_000_000)));
    long line = choices.draw("line", longs(0, pairs.lines() - 1));
    long fingerprint = choices.draw("fingerprint", longs());
    long partner = pairs.partner(line, fingerprint);
    assertThat(partner).isNotEqualTo(line).isBetween(0L, pairs.lines() - 1);
    assertThat(pairs.partner(partner, fingerprint)).isEqualTo(line);
    assertThat(pairs.pageOf(partner)).isEqualTo(pairs.pageOf(line));
    long stored = fingerprint & ((1L << LinePairs.BITS) - 1);
    assertThat(pairs.partner(line, stored)).as("known from the stored bits").isEqualTo(partner);
  }

  /** Each page has an even number of lines, and together they are all lines but an odd last one. */
  @Test
  void pages_cover_all_lines() {
    for (long all = 1; all < 1000; all++) {
      LinePairs pairs = new LinePairs(all);
      assertThat(pairs.lines()).isEqualTo(all == 1 ? 1 : all - all % 2);
      long page = 0;
      while (page < pairs.lines()) {
        int places = pairs.linesOf(page);
        assertThat(places % 2).isEqualTo(all == 1 ? 1 : 0);
        assertThat(places).isLessThan(2 * LinePairs.PAGE);
        for (long line = page; line < page + places; line++) {
          assertThat(pairs.pageOf(line)).isEqualTo(page);
        }
        page += places;
      }
      assertThat(page).isEqualTo(pairs.lines());
    }
    assertThat(new LinePairs(1).partner(0, 123)).as("of a single line").isZero();
  }

  /** A line has a partner at any odd distance, each of them about equally often. */
  @Test
  void partners_are_equally_likely() {
    for (int lines : new int[] {64, 100, 126}) {
      LinePairs pairs = new LinePairs(lines);
      SplitMix64 random = new SplitMix64(lines);
      int[] counts = new int[lines];
      int records = 1_000_000;
      for (int i = 0; i < records; i++) {
        counts[(int) pairs.partner(7, random.next())]++;
      }
      double mean = 2.0 * records / lines;
      // 4096 values are no multiple of 50 or 63: a line can have one value more than another
      double least = mean * (1 - lines / 8192.0) - 5 * Math.sqrt(mean);
      double most = mean * (1 + lines / 8192.0) + 5 * Math.sqrt(mean);
      for (int line = 0; line < lines; line++) {
        if (line % 2 == 0) {
          assertThat((double) counts[line]).as("line %d", line).isBetween(least, most);
        }
      }
      assertThat(Arrays.stream(counts).sum()).isEqualTo(records);
    }
  }
}
