package dev.unseen.filter.recency;

import static dev.unseen.testing.Generators.longs;
import static dev.unseen.testing.Generators.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.bits.BitRank;
import dev.unseen.bits.Lanes;
import dev.unseen.bits.SplitMix64;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A line with a window is a list of keys and their steps, ordered by groups, the latest first. */
final class WindowLinesTest {
  private static final int AT = 2;

  /** A key and its step. */
  private record Key(long print, long step) {}

  private final List<Key> keys = new ArrayList<>();
  private WindowLayout layout;
  private WindowLines lines;
  private LineForm form;

  @Property(tries = 300)
  void a_line_is_a_list(Choices choices) {
    double maxFpr = choices.draw("maxFpr", oneOf(1e-2, 1e-3, 1e-4, 1e-6, 1e-9));
    int lateEighths = choices.draw("lateness", oneOf(0, 1, 8, 13, 40, 400, 8000));
    long seed = choices.draw("seed", longs());
    Window window = new Window(800, Window.Unit.MILLISECONDS, 100L * lateEighths);
    FilterSpec spec =
        FilterSpec.builder(FilterKind.RECENCY, 64).maxFpr(maxFpr).window(window).build();
    form = LineForm.of(spec);
    layout = WindowLayout.of(window);
    lines = new WindowLines(form, layout);
    SplitMix64 random = new SplitMix64(seed);
    long[] line = new long[AT + Lanes.WORDS + 1];
    Arrays.fill(line, 0, AT, -1);
    line[AT + Lanes.WORDS] = -1;
    keys.clear();
    long group = random.below(1000);
    lines.setHeader(line, AT, lines.empty(group));
    for (int i = 0; i < 300; i++) {
      if (random.chance(1, 12)) {
        group += random.below(random.chance(1, 10) ? 200 : 3);
        long now = group;
        keys.removeIf(key -> now - layout.groupOf(key.step) >= layout.groups());
        lines.setHeader(line, AT, lines.at(group, lines.header(line, AT)));
      }
      change(line, group, random);
      assertSame(line, group);
    }
    assertThat(line).startsWith(-1, -1).endsWith(-1);
    write(line, group);
    assertSame(line, group);
  }

  private void change(long[] line, long group, SplitMix64 random) {
    long header = lines.header(line, AT);
    long age = random.below(layout.groups());
    Key key =
        new Key(
            random.next(),
            ((group - age) << layout.noteBits()) + random.below(1L << layout.noteBits()));
    if (!keys.isEmpty() && random.chance(1, 4)) {
      int lane = (int) random.below(keys.size());
      Key old = keys.get(lane);
      if (key.step > old.step) {
        long print = lines.print(line, AT, header, lane);
        keys.remove(lane);
        insert(new Key(print, key.step));
        lines.setHeader(line, AT, lines.move(line, AT, header, lane, print, key.step, group));
      }
    } else if (keys.size() < lines.capacity()) {
      lines.setHeader(line, AT, lines.add(line, AT, header, key.print, key.step, group));
      insert(key);
    } else {
      long after = lines.replaceOldest(line, AT, header, key.print, key.step, group);
      lines.setHeader(line, AT, after);
      Key oldest = keys.get(keys.size() - 1);
      if (layout.groupOf(key.step) >= layout.groupOf(oldest.step)) {
        keys.remove(keys.size() - 1);
        insert(key);
      }
    }
  }

  private void insert(Key key) {
    int lane = 0;
    while (lane < keys.size() && layout.groupOf(keys.get(lane).step) > layout.groupOf(key.step)) {
      lane++;
    }
    keys.add(lane, key);
  }

  private void write(long[] line, long group) {
    long[] prints = keys.stream().mapToLong(Key::print).toArray();
    long[] steps = keys.stream().mapToLong(Key::step).toArray();
    int level = lines.level(lines.header(line, AT));
    lines.write(line, AT, prints, steps, keys.size(), level, group);
  }

  private void assertSame(long[] line, long group) {
    long header = lines.header(line, AT);
    lines.check(header);
    assertThat(lines.used(header)).isEqualTo(keys.size());
    long mask = BitRank.below(form.width(lines.level(header)));
    for (int lane = 0; lane < keys.size(); lane++) {
      Key key = keys.get(lane);
      assertThat(lines.print(line, AT, header, lane)).isEqualTo(key.print & mask);
      assertThat(lines.step(line, AT, header, lane, group)).isEqualTo(key.step);
      assertThat(lines.find(line, AT, header, key.print, lines.inUse(header))).isNotNegative();
      assertThat(lane < Long.numberOfTrailingZeros(~header))
          .isEqualTo(layout.groupOf(key.step) == group);
    }
    if (!keys.isEmpty()) {
      Key oldest = keys.get(keys.size() - 1);
      assertThat(lines.oldestAge(header)).isEqualTo((int) (group - layout.groupOf(oldest.step)));
    }
  }
}
