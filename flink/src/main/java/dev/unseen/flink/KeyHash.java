package dev.unseen.flink;

import dev.unseen.Key;
import dev.unseen.KeyForm;
import dev.unseen.hash.Hash64;
import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;

/**
 * Takes the key out of a record and hashes it. It travels to the tasks that send records and to
 * those that decide them, which have to agree.
 *
 * @param <T> the records
 * @param <K> their keys
 */
final class KeyHash<T, K> implements Serializable {
  private static final long serialVersionUID = 1;

  private final KeySelector<T, K> keyOf;
  private final TypeInformation<K> type;
  private final FilterSetup setup;
  private transient Key<K> key;
  private transient Hash64 hash;

  KeyHash(KeySelector<T, K> keyOf, TypeInformation<K> type, FilterSetup setup) {
    this.keyOf = keyOf;
    this.type = type;
    this.setup = setup;
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
  long hash(K some) {
    if (key == null) {
      key = KeyTypes.keyFor(type);
      hash = setup.hash();
    }
    return key.hash(some, hash);
  }
}
