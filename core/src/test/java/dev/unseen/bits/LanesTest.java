package dev.unseen.bits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

final class LanesTest {
  private static final int AT = 3;

  /** Two values only, so that many lanes are equal; neighbours and the header must not change. */
  @Property(tries = 500)
  void does_what_a_list_does(
      @ForAll @IntRange(min = 8, max = 40) int count,
      @ForAll boolean wideHeader,
      @ForAll long seed) {
    int header = wideHeader ? 64 : 16;
    Lanes lanes = new Lanes(header, count);
    long mask = (1L << lanes.width()) - 1;
    SplitMix64 random = new SplitMix64(seed);
    long[] words = new long[AT + Lanes.WORDS + 2];
    Arrays.fill(words, 0, AT, -1);
    Arrays.fill(words, AT + Lanes.WORDS, words.length, -1);
    long headerBits = random.next() << (64 - header);
    words[AT + Lanes.WORDS - 1] |= headerBits;
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add(0L);
    }
    long[] values = {random.next(), random.next() & 0xFF, random.next() << 8};
    for (int step = 0; step < 100; step++) {
      long value = random.chance(1, 2) ? random.next() : values[(int) random.below(3)];
      int first = (int) random.below(count);
      int last = first + (int) random.below(count - first);
      if (random.chance(1, 4)) {
        lanes.set(words, AT, first, value);
        expected.set(first, value & mask);
      } else {
        lanes.insert(words, AT, first, last, value);
        expected.remove(last);
        expected.add(first, value & mask);
      }
      long sought = random.chance(1, 2) ? value : values[(int) random.below(3)];
      assertThat(lanes.find(words, AT, sought)).isEqualTo(expected.indexOf(sought & mask));
      for (int lane = 0; lane < count; lane++) {
        assertThat(lanes.get(words, AT, lane)).as("lane %d", lane).isEqualTo(expected.get(lane));
      }
    }
    assertThat(words[AT + Lanes.WORDS - 1] >>> (64 - header))
        .isEqualTo(headerBits >>> (64 - header));
    assertThat(words).startsWith(-1, -1, -1).endsWith(-1, -1);
  }

  @Property
  void no_bit_is_lost(@ForAll @IntRange(min = 8, max = 40) int count) {
    Lanes lanes = new Lanes(16, count);
    assertThat(lanes.count()).isEqualTo(count);
    assertThat(Lanes.BITS - 16 - count * lanes.width()).isBetween(0, count - 1);
  }
}
