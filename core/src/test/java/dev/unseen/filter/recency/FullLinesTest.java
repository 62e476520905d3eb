package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.Refresh;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A full line is two queues, wherever the ring begins. */
class FullLinesTest {
  private final List<Long> news = new ArrayList<>(); // latest first
  private final List<Long> repeated = new ArrayList<>(); // oldest first

  @Property
  void a_line_is_two_queues(Choices choices) {
    long seed = choices.draw("seed", longs());
    int count = choices.draw("count", ints(12, 40));
    int duplicates = choices.draw("duplicates", ints(0, 100));
    int mostRepeated = choices.draw("mostRepeated", ints(0, 40));
    SplitMix64 random = new SplitMix64(seed);
    Lanes lanes = new Lanes(Lines.HEADER_BITS, count);
    Target target = new Target(count, 1 << 30, false); // it hardly moves
    target.set(((long) Math.min(count, mostRepeated) << 32) + (1L << 31));
    FullLines full = new FullLines(lanes, target, Refresh.ADAPTIVE);
    long[] line = new long[Lanes.WORDS];
    news.clear();
    repeated.clear();
    int first = (int) random.below(count + 1);
    for (int i = 0; i < count; i++) {
      lanes.set(line, 0, i, i + 1);
      if (i < first) {
        news.add(0, i + 1L);
      } else {
        repeated.add(i + 1L);
      }
    }
    FullLines.open(line, 0, repeated.size());

    for (int step = 0; step < 200; step++) {
      if (random.chance(duplicates, 100)) {
        int index = (int) random.below(count);
        long key = index < news.size() ? news.get(index) : repeated.get(index - news.size());
        assertThat(take(full, line, key)).isFalse();
        repeatInModel(index, key);
      } else {
        long key = count + 1L + step;
        boolean dropsRepeated = news.isEmpty() || repeated.size() > target.lanes();
        assertThat(target.isQuick(repeated.size())).isEqualTo(!dropsRepeated);
        assertThat(take(full, line, key)).isTrue();
        if (dropsRepeated) {
          repeated.remove(0);
        } else {
          news.remove(news.size() - 1);
        }
        news.add(0, key);
      }
      long after = line[Lines.HEADER_WORD];
      assertThat(full.newKeys(line, 0, after)).containsExactly(news.toArray(Long[]::new));
      assertThat(full.repeatedKeys(line, 0, after)).hasSize(repeated.size());
      for (int i = 0; i < repeated.size(); i++) {
        assertThat(lanes.get(line, 0, news.size() + i)).isEqualTo(repeated.get(i));
      }
    }
  }

  private void repeatInModel(int index, long key) {
    if (index < news.size()) {
      if (index >= 2) {
        news.remove(index);
        repeated.add(key);
      }
    } else if (4 * (repeated.size() - 1 - (index - news.size())) >= repeated.size()) {
      repeated.remove(index - news.size());
      repeated.add(key);
    }
  }

  /** One step of the smallest size up for the oldest repeated key, down for the oldest new one. */
  @Test
  void the_oldest_move_the_target() {
    for (int mostRepeated = 3; mostRepeated <= 24; mostRepeated++) {
      for (int later = 0; later <= 30; later++) {
        theOldestMoveTheTarget(mostRepeated, later);
      }
    }
  }

  private static void theOldestMoveTheTarget(int mostRepeated, int later) {
    String as = "at most %d repeated, %d later".formatted(mostRepeated, later);
    int count = 26;
    Lanes lanes = new Lanes(Lines.HEADER_BITS, count);
    Target target = new Target(count, 1 << 20, false);
    target.set(((long) mostRepeated << 32) + (1L << 31));
    FullLines full = new FullLines(lanes, target, Refresh.ADAPTIVE);
    long[] line = new long[Lanes.WORDS];
    for (int i = 0; i < count; i++) {
      lanes.set(line, 0, i, i + 1);
    }
    FullLines.open(line, 0, mostRepeated);
    for (int i = 0; i < count + later; i++) { // the ring turns
      take(full, line, 1000 + i);
    }
    long[] news = full.newKeys(line, 0, line[Lines.HEADER_WORD]);
    assertThat(change(full, target, line, news[news.length - 1])).as(as).isNegative();
    long[] repeated = full.repeatedKeys(line, 0, line[Lines.HEADER_WORD]);
    assertThat(change(full, target, line, repeated[repeated.length - 2])).as(as).isZero();
    repeated = full.repeatedKeys(line, 0, line[Lines.HEADER_WORD]);
    assertThat(change(full, target, line, repeated[repeated.length - 1])).as(as).isPositive();
  }

  /** Returns by how much a repeated key moves the target. */
  private static long change(FullLines full, Target target, long[] line, long key) {
    long before = target.value();
    assertThat(take(full, line, key)).isFalse();
    return target.value() - before;
  }

  /** Takes a key in as the filter does; returns whether it is new. */
  private static boolean take(Lines lines, long[] line, long key) {
    long header = line[Lines.HEADER_WORD];
    int lane = lines.find(line, 0, header, key);
    if (lane >= 0) {
      lines.repeat(line, 0, header, lane, key);
    } else {
      lines.add(line, 0, header, key);
    }
    return lane < 0;
  }
}
