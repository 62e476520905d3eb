package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.store.DeletedKeys.Times;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Generators;
import dev.unseen.testing.Property;
import java.util.HashMap;
import java.util.Map;

class DeletedKeysTest {
  /** Few different keys, which collide: they differ in their high bits only. */
  private static long key(long number) {
    return number % 3 + (number << 40);
  }

  @Property
  void it_answers_as_a_map_does(Choices choices) {
    MemoryBudget budget = new MemoryBudget(1 << 20, 0);
    DeletedKeys keys = new DeletedKeys(budget);
    Map<Long, Times> expected = new HashMap<>();
    long now = 1;
    int steps = choices.draw("steps", Generators.ints(0, 500));
    for (int i = 0; i < steps; i++) {
      long key = key(choices.draw(Generators.ints(0, 100)));
      switch (choices.draw(Generators.ints(0, 9))) {
        case 0 -> {
          keys.remove(key);
          expected.remove(key);
        }
        case 1 -> {
          now += 10;
          long ended = now;
          keys.removeEnded(now);
          expected.values().removeIf(times -> times.end() <= ended);
        }
        default -> {
          Times times =
              new Times(
                  choices.draw(Generators.ints(0, 50)) + now,
                  choices.draw(Generators.ints(0, 50)) + now);
          keys.put(key, times, now);
          if (times.end() > now) {
            expected.put(key, times);
          } else {
            expected.remove(key);
          }
        }
      }
      assertThat(keys.get(key)).isEqualTo(expected.get(key));
      assertThat(keys.size()).isEqualTo(expected.size());
    }
    Map<Long, Times> all = new HashMap<>();
    keys.forEach((key, forgotten, until) -> all.put(key, new Times(forgotten, until)));
    assertThat(all).isEqualTo(expected);
    keys.clear();
    assertThat(keys.isEmpty()).isTrue();
    assertThat(budget.used()).isZero();
  }
}
