package dev.unseen.flink;

import dev.unseen.filter.engine.ShardedFilter;
import java.util.Arrays;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * Makes a shard of our filter and a key group of Flink the same thing. Flink hashes a key to find
 * its group; so there is one number for each shard that Flink hashes to the group of that number,
 * and records are keyed by that number.
 */
final class KeyGroups {
  /** The number of key groups, Flink's "max parallelism", that the operator runs with. */
  static final int COUNT = ShardedFilter.SHARDS;

  private static final Integer[] KEYS = keys();

  private KeyGroups() {}

  private static Integer[] keys() {
    Integer[] keys = new Integer[COUNT];
    int missing = COUNT;
    for (int key = 0; missing > 0; key++) {
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, COUNT);
      if (keys[group] == null) {
        keys[group] = key;
        missing--;
      }
    }
    return keys;
  }

  /** Returns the key that Flink sends to the key group with the number of this shard. */
  static Integer keyOf(int shard) {
    return KEYS[shard];
  }

  /** Returns the key groups, and so the shards, of one of the parallel tasks of an operator. */
  static KeyGroupRange ofTask(int parallelism, int task) {
    return KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(COUNT, parallelism, task);
  }

  /** Returns the shards of these key groups. */
  static int[] shards(KeyGroupRange range) {
    int[] shards = new int[range.getNumberOfKeyGroups()];
    Arrays.setAll(shards, i -> range.getStartKeyGroup() + i);
    return shards;
  }
}
