package dev.unseen.bits;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LanesTest {
  private static final int AT = 3;

  /** Two values only, so that many lanes are equal; neighbours and the header must not change. */
  @Property(tries = 500)
  void does_what_a_list_does(Choices choices) {
    int count = choices.draw("count", ints(10, 40));
    boolean wideHeader = choices.draw("wideHeader", booleans());
    long seed = choices.draw("seed", longs());
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
      int lane = (int) random.below(count);
      switch ((int) random.below(3)) {
        case 0 -> {
          lanes.set(words, AT, lane, value);
          expected.set(lane, value & mask);
        }
        case 1 -> {
          int to = (int) random.below(lane + 1);
          lanes.insert(words, AT, to, lane, value);
          expected.remove(lane);
          expected.add(to, value & mask);
        }
        default -> {
          if (!wideHeader) {
            lanes.toBack(words, AT, lane, value);
            expected.remove(lane);
            expected.add(value & mask);
          }
        }
      }
      long sought = random.chance(1, 2) ? value : values[(int) random.below(3)];
      int first = expected.indexOf(sought & mask);
      int last = expected.lastIndexOf(sought & mask);
      int found = lanes.find(words, AT, sought, lanes.first(count));
      assertThat(found).isBetween(first, last);
      assertThat(found < 0 ? first : expected.get(found)).isEqualTo(found < 0 ? -1 : sought & mask);
      assertThat(lanes.find(words, AT, sought, lanes.first(first + 1))).isEqualTo(first);
      assertThat(lanes.find(words, AT, sought, lanes.first(Math.max(0, first)))).isEqualTo(-1);
      assertThat(lanes.find(words, AT, sought, lanes.last(count - 1 - last))).isEqualTo(-1);
      for (int i = 0; i < count; i++) {
        assertThat(lanes.get(words, AT, i)).as("lane %d", i).isEqualTo(expected.get(i));
      }
    }
    assertThat(words[AT + Lanes.WORDS - 1] >>> (64 - header))
        .isEqualTo(headerBits >>> (64 - header));
    assertThat(words).startsWith(-1, -1, -1).endsWith(-1, -1);
  }

  @Test
  void no_bit_is_lost() {
    for (int count = 10; count <= 40; count++) {
      Lanes lanes = new Lanes(16, count);
      assertThat(lanes.count()).isEqualTo(count);
      assertThat(Lanes.BITS - 16 - count * lanes.width())
          .as("count %d", count)
          .isBetween(0, count - 1);
    }
  }
}
