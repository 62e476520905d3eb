package dev.unseen.flink;

import dev.unseen.Key;
import dev.unseen.KeyForm;
import dev.unseen.hash.Hash64;
import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;

/**
 * Takes the key out of a record and hashes it.
 *
 * @param <T> the records
 * @param <K> their keys
 */
final class KeyHash<T, K> implements Serializable {
  private static final long serialVersionUID = 2;

  private final KeySelector<T, K> keyOf;
  private final TypeInformation<K> type;
  private transient Key<K> key;

  KeyHash(KeySelector<T, K> keyOf, TypeInformation<K> type) {
    this.keyOf = keyOf;
    this.type = type;
  }

  /** Returns what a state remembers of keys of a type. */
  static KeyForm formOf(TypeInformation<?> type) {
    return KeyTypes.keyFor(type).form();
  }

  /** Returns the key of a record, which may be null. */
  K keyOf(T record) throws Exception {
    return keyOf.getKey(record);
  }

  /** Returns the hash of a key that is not null. */
  long hash(K some, Hash64 hash) {
    if (key == null) {
      key = KeyTypes.keyFor(type);
    }
    return key.hash(some, hash);
  }
}
