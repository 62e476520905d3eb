package dev.unseen.flink;

import dev.unseen.Key;
import dev.unseen.Keys;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;

/**
 * Finds how a key of some Flink type becomes a hash: as {@link Keys} does it for the same Java
 * type, so that states of the library, the shell and Flink agree.
 */
final class KeyTypes {
  private KeyTypes() {}

  /**
   * Returns how keys of a type are hashed.
   *
   * @throws IllegalArgumentException if there is no way for the type
   */
  static <K> Key<K> keyFor(TypeInformation<K> type) {
    return cast(find(type));
  }

  private static Key<?> find(TypeInformation<?> type) {
    Class<?> java = type.getTypeClass();
    if (type instanceof TupleTypeInfo<?> tuple) {
      return composite(tuple);
    }
    if (type.equals(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)) {
      return Keys.bytes();
    }
    try {
      return Keys.ofType(java);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ", or a Tuple of these", e);
    }
  }

  /** Returns a key of which each field of the tuple is a part. */
  private static Key<Tuple> composite(TupleTypeInfo<?> tuple) {
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be made
    Key<Tuple>[] parts = new Key[tuple.getArity()];
    for (int i = 0; i < parts.length; i++) {
      int field = i;
      Key<Object> part = cast(find(tuple.getTypeAt(i)));
      parts[i] =
          new Key<>() {
            @Override
            public long hash(Tuple record, dev.unseen.hash.Hash64 hash) {
              return part.hash(record.getField(field), hash);
            }

            @Override
            public dev.unseen.KeyForm form() {
              return part.form();
            }
          };
    }
    return Keys.composite(parts);
  }

  @SuppressWarnings("unchecked") // the type of the key was just looked at
  private static <K> Key<K> cast(Key<?> key) {
    return (Key<K>) key;
  }
}
