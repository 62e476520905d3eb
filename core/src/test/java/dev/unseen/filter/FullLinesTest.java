package dev.unseen.filter;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.SplitMix64;
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
    Lanes lanes = new Lanes(LineHeader.BITS, count);
    FullLines full = new FullLines(lanes, 1 << 30, false); // the target hardly moves
    full.setTarget(((long) Math.min(count, mostRepeated) << 32) + (1L << 31));
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
    full.close(line, 0, repeated.size());

    for (int step = 0; step < 200; step++) {
      long header = line[LineHeader.WORD];
      if (random.chance(duplicates, 100)) {
        int index = (int) random.below(count);
        long key = index < news.size() ? news.get(index) : repeated.get(index - news.size());
        int lane = full.find(line, 0, key);
        assertThat(lanes.get(line, 0, lane)).isEqualTo(key);
        long[] before = line.clone();
        full.repeat(line, 0, header, lane, key);
        repeatInModel(index, key);
        if (!full.isMove(header, lane)) {
          assertThat(line).isEqualTo(before);
        }
      } else {
        long key = count + 1L + step;
        assertThat(full.find(line, 0, key)).isNegative();
        if (full.isQuick(header)) {
          full.replaceNew(line, 0, header, key);
        } else {
          full.replace(line, 0, header, key);
        }
        if (news.isEmpty() || repeated.size() > full.mostRepeated()) {
          repeated.remove(0);
        } else {
          news.remove(news.size() - 1);
        }
        news.add(0, key);
      }
      assertThat(full.newKeys(line, 0, line[LineHeader.WORD]).fingerprints())
          .containsExactly(news.toArray(Long[]::new));
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
    FullLines full = new FullLines(new Lanes(LineHeader.BITS, count), 1 << 20, false);
    long[] line = new long[Lanes.WORDS];
    full.setTarget((long) mostRepeated << 32);
    full.close(line, 0, mostRepeated);
    for (int i = 0; i < count + later; i++) { // the ring turns
      full.replace(line, 0, line[LineHeader.WORD], 1000 + i);
    }
    long target = full.target();
    long header = line[LineHeader.WORD];
    long oldest = 1000L + later + mostRepeated;
    int lane = full.find(line, 0, oldest);
    assertThat(full.isMove(header, lane)).as(as).isTrue();
    full.repeat(line, 0, header, lane, oldest);
    assertThat(full.target()).as(as).isLessThan(target);

    target = full.target();
    header = line[LineHeader.WORD];
    int news = count - LineHeader.repeated(header);
    full.repeat(line, 0, header, news, 0); // the oldest of the repeated
    assertThat(full.target()).as(as).isGreaterThan(target);
    target = full.target();
    full.repeat(line, 0, line[LineHeader.WORD], news + 1, 0); // not the oldest
    assertThat(full.target()).as(as).isEqualTo(target);
  }
}
