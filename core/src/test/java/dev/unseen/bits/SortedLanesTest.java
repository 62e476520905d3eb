package dev.unseen.bits;

import static dev.unseen.testing.Generators.booleans;
import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SortedLanesTest {
  private static final int AT = 3;
  private static final int HEADER = 16;

  /** A fingerprint and its mark. */
  private record Entry(long fingerprint, boolean marked) {}

  /**
   * A list kept in order, for all shapes that fit: few remainders, so that runs are long, or random
   * ones. Neighbours of the line and its header must not change.
   */
  @Property(tries = 1000)
  void does_what_a_sorted_list_does(Choices choices) {
    int count = choices.draw("count", ints(16, 63));
    int quotients = choices.draw("quotients", ints(2, 64));
    int remainderBits = choices.draw("remainderBits", ints(4, 28));
    boolean crowded = choices.draw("crowded", booleans());
    long seed = choices.draw("seed", longs());
    int rest = remainderBits;
    while (rest > 1 && SortedLanes.mostQuotients(HEADER, count, rest) < quotients) {
      rest--;
    }
    int most = Math.min(quotients, SortedLanes.mostQuotients(HEADER, count, rest));
    if (most < 2 || 2 * count + most < Long.SIZE) {
      return;
    }
    Fingerprints fingerprints = new Fingerprints(rest, most);
    SortedLanes lanes = new SortedLanes(HEADER, count, fingerprints);
    SplitMix64 random = new SplitMix64(seed);
    long[] words = new long[AT + Lanes.WORDS + 2];
    Arrays.fill(words, 0, AT, -1);
    Arrays.fill(words, AT + Lanes.WORDS, words.length, -1);
    long header = random.next() << (Long.SIZE - HEADER);
    words[AT + Lanes.WORDS - 1] |= header;
    List<Entry> expected = new ArrayList<>();
    long few = crowded ? random.next() | (15L << rest) : -1;
    for (int step = 0; step < 200; step++) {
      long fingerprint = fingerprints.of(random.next() & few) & ((1L << fingerprints.bits()) - 1);
      int found = lanes.find(words, AT, expected.size(), fingerprint);
      assertThat(found).isEqualTo(indexOf(expected, fingerprint));
      if (found < 0) {
        int victim = victim(expected.size(), count, random);
        long marks = lanes.marks(words, AT);
        int lane = lanes.insert(words, AT, expected.size(), victim, marks, fingerprint);
        assertThat(lane).isEqualTo(insert(expected, victim, fingerprint, rest));
      } else {
        lanes.setMarks(words, AT, lanes.marks(words, AT) ^ (1L << found));
        expected.set(found, new Entry(fingerprint, !expected.get(found).marked));
      }
      for (int lane = 0; lane < expected.size(); lane++) {
        assertThat(lanes.get(words, AT, lane)).isEqualTo(expected.get(lane).fingerprint);
        assertThat((lanes.marks(words, AT) >>> lane) & 1)
            .isEqualTo(expected.get(lane).marked ? 1 : 0);
      }
    }
    assertThat(words[AT + Lanes.WORDS - 1] >>> (Long.SIZE - HEADER))
        .isEqualTo(header >>> (Long.SIZE - HEADER));
    assertThat(words).startsWith(-1, -1, -1).endsWith(-1, -1);
  }

  private static int victim(int used, int count, SplitMix64 random) {
    boolean grows = used == 0 || (used < count && random.chance(2, 3));
    return grows ? used : (int) random.below(used);
  }

  private static int indexOf(List<Entry> entries, long fingerprint) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).fingerprint == fingerprint) {
        return i;
      }
    }
    return -1;
  }

  /** The new one becomes the first of its quotient. */
  private static int insert(List<Entry> entries, int victim, long fingerprint, int rest) {
    if (victim < entries.size()) {
      entries.remove(victim);
    }
    int lane = 0;
    while (lane < entries.size() && entries.get(lane).fingerprint >>> rest < fingerprint >>> rest) {
      lane++;
    }
    entries.add(lane, new Entry(fingerprint, false));
    return lane;
  }

  /**
   * A fingerprint of fewer bits is the low part of one with more, so that a line can be narrowed.
   */
  @Property
  void without_a_quotient_a_fingerprint_is_the_hash(Choices choices) {
    long hash = choices.draw("hash", longs());
    assertThat(Fingerprints.LOW_BITS.of(hash)).isEqualTo(hash);
    assertThat(Fingerprints.LOW_BITS.chance(15)).isEqualTo(0x1p-15);
  }

  /** All quotients are equally likely: of a million hashes, each is within five deviations. */
  @Test
  void quotients_are_equally_likely() {
    int records = 1_000_000;
    for (int quotients : new int[] {40, 46, 63, 64}) {
      Fingerprints fingerprints = new Fingerprints(10, quotients);
      int[] counts = new int[quotients];
      SplitMix64 random = new SplitMix64(5);
      for (int i = 0; i < records; i++) {
        long hash = random.next();
        counts[fingerprints.quotient(fingerprints.of(hash))]++;
        assertThat(fingerprints.remainder(fingerprints.of(hash))).isEqualTo(hash & 1023);
      }
      double mean = (double) records / quotients;
      for (int count : counts) {
        // 12 bits are not a multiple of 40: a quotient can have 103 of their values, or 102
        assertThat((double) count)
            .isBetween(0.98 * mean - 5 * Math.sqrt(mean), 1.02 * mean + 5 * Math.sqrt(mean));
      }
    }
  }

  @Test
  void what_does_not_fit_is_rejected() {
    assertThat(SortedLanes.mostQuotients(HEADER, 38, 10)).isEqualTo(40);
    assertThatThrownBy(() -> new SortedLanes(HEADER, 38, new Fingerprints(10, 41)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("count (38) of lanes with remainders of 10 bits and 41 quotients does not fit");
  }
}
