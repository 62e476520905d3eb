package dev.unseen.flink;

import dev.unseen.filter.engine.ShardedFilter;
import org.apache.flink.api.java.functions.KeySelector;

/**
 * Sends a record to the task that holds the shard of its key.
 *
 * @param <T> the records
 * @param <K> their keys
 */
final class ShardKey<T, K> implements KeySelector<T, Integer> {
  private static final long serialVersionUID = 1;

  private final KeyHash<T, K> keys;
  private final NullKeys nullKeys;

  ShardKey(KeyHash<T, K> keys, NullKeys nullKeys) {
    this.keys = keys;
    this.nullKeys = nullKeys;
  }

  @Override
  public Integer getKey(T record) throws Exception {
    K key = keys.keyOf(record);
    if (key == null) {
      return KeyGroups.keyOf(shardOfNull(record));
    }
    return KeyGroups.keyOf(ShardedFilter.shardOf(keys.hash(key)));
  }

  private int shardOfNull(T record) {
    if (nullKeys == NullKeys.FAIL) {
      throw new IllegalArgumentException(
          "the key of a record of %s is null; drop such records first, choose another key, or say what becomes of them: nullKeys(NullKeys.ADMIT) or nullKeys(NullKeys.DROP)"
              .formatted(record.getClass().getName()));
    }
    return 0; // any task will do
  }
}
