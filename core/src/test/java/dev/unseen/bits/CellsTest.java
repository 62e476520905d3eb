package dev.unseen.bits;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.longs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.util.Random;

final class CellsTest {
  /** Against an array of ints, one cell at a time, wrapping at the end. */
  @Property(tries = 200)
  void behaves_as_an_array_of_small_counters(Choices choices) {
    int bits = choices.draw("bits", ints(1, 4));
    int words = choices.draw("words", ints(8, 40));
    long seed = choices.draw("seed", longs());
    Cells cells = new Cells(words, bits);
    int count = (int) cells.count();
    int[] oracle = new int[count];
    Random random = new Random(seed);
    for (int step = 0; step < 500; step++) {
      int cell = random.nextInt(count);
      if (random.nextBoolean()) {
        cells.setToMax(cell);
        oracle[cell] = (1 << bits) - 1;
      } else {
        int run = 1 + random.nextInt(Math.min(count, 150));
        cells.decrement(cell, run);
        for (int i = 0; i < run; i++) {
          int at = (cell + i) % count;
          oracle[at] = Math.max(0, oracle[at] - 1);
        }
      }
    }
    int nonZero = 0;
    for (int i = 0; i < count; i++) {
      assertThat(cells.isZero(i)).as("cell %d", i).isEqualTo(oracle[i] == 0);
      nonZero += oracle[i] == 0 ? 0 : 1;
    }
    assertThat(cells.countNonZero()).isEqualTo(nonZero);
    assertThat(cells.load()).isEqualTo(1 - (double) (count - nonZero) / count);
    assertThat(cells.memoryBytes()).isLessThanOrEqualTo(8L * words);
  }
}
