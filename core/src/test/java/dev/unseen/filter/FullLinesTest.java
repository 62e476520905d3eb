package dev.unseen.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.Lanes;
import dev.unseen.bits.SplitMix64;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A full line is two queues, wherever the ring begins. */
class FullLinesTest {
  private final List<Long> news = new ArrayList<>(); // latest first
  private final List<Long> repeated = new ArrayList<>(); // oldest first

  @Property
  void a_line_is_two_queues(
      @ForAll long seed,
      @ForAll @IntRange(min = 12, max = 40) int count,
      @ForAll @IntRange(min = 0, max = 100) int duplicates,
      @ForAll @IntRange(min = 0, max = 40) int mostRepeated) {
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
  @Property
  void the_oldest_move_the_target(
      @ForAll @IntRange(min = 3, max = 24) int mostRepeated,
      @ForAll @IntRange(min = 0, max = 30) int later) {
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
    assertThat(full.isMove(header, lane)).isTrue();
    full.repeat(line, 0, header, lane, oldest);
    assertThat(full.target()).isLessThan(target);

    target = full.target();
    header = line[LineHeader.WORD];
    int news = count - LineHeader.repeated(header);
    full.repeat(line, 0, header, news, 0); // the oldest of the repeated
    assertThat(full.target()).isGreaterThan(target);
    target = full.target();
    full.repeat(line, 0, line[LineHeader.WORD], news + 1, 0); // not the oldest
    assertThat(full.target()).isEqualTo(target);
  }
}
