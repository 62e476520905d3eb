package dev.unseen.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.server.store.DeletedKeys.Times;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table of our own beside Java's map, in random operations. */
class DeletedKeysTest {
  private final DeletedKeys keys = new DeletedKeys();
  private final Map<Long, Times> model = new HashMap<>();

  @ParameterizedTest
  @ValueSource(ints = {4, 20, 300, 5000})
  void is_the_map_that_it_stands_for(int different) {
    SplittableRandom random = new SplittableRandom(different);
    long[] all = random.longs(different).toArray();
    all[0] = 0; // looks like an empty slot
    all[1] = -1;
    all[2] = all[3] ^ (1L << 40); // both want the same slot
    for (int step = 0; step < 40_000; step++) {
      long now = 1 + step / 10L;
      long key = all[random.nextInt(different)];
      switch (random.nextInt(8)) {
        case 0 -> remove(key);
        case 1 -> put(key, new Times(0, 0), now);
        case 2 -> {
          keys.removeEnded(now);
          model.values().removeIf(times -> times.end() <= now);
        }
        default -> put(key, new Times(now + random.nextInt(500), now + random.nextInt(9)), now);
      }
      long asked = all[random.nextInt(different)];
      assertThat(live(keys.get(asked), now)).isEqualTo(live(model.get(asked), now));
    }
    keys.removeEnded(4001);
    model.values().removeIf(times -> times.end() <= 4001);
    Map<Long, Times> visited = new HashMap<>();
    keys.forEach((key, by, until) -> visited.put(key, new Times(by, until)));
    assertThat(visited).isEqualTo(model).hasSize(keys.size());
    keys.clear();
    assertThat(keys.isEmpty()).isTrue();
    assertThat(keys.get(all[0])).isNull();
  }

  /** What has ended may have left one of both, and not yet the other. */
  private static Times live(Times times, long now) {
    return times == null || times.end() <= now ? null : times;
  }

  private void put(long key, Times times, long now) {
    keys.put(key, times, now);
    if (times.end() > 0) {
      model.put(key, times);
    } else {
      model.remove(key);
    }
  }

  private void remove(long key) {
    keys.remove(key);
    model.remove(key);
  }
}
