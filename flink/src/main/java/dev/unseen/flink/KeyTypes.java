package dev.unseen.flink;

import dev.unseen.Key;
import dev.unseen.KeyForm;
import dev.unseen.Keys;
import dev.unseen.hash.Hash64;
import java.lang.reflect.Field;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.types.Row;

/**
 * Finds how a key of some Flink type becomes a hash: as {@link Keys} does it for the same Java
 * type, so that states of the library, the shell and Flink agree.
 *
 * <p>The fields of tuples, rows and POJOs are the parts of a composite key. Fields of rows and of
 * POJOs can be null, except primitive ones; fields of tuples cannot, as everywhere in Flink.
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
    if (type instanceof TupleTypeInfo<?> tuple) {
      return composite(tuple.getArity(), i -> ofTuple(tuple, i));
    }
    if (type instanceof RowTypeInfo row) {
      return composite(row.getArity(), i -> ofRow(row, i));
    }
    if (type instanceof PojoTypeInfo<?> pojo) { // also a specific record of Avro
      return composite(pojo.getArity(), i -> ofPojo(pojo, i));
    }
    if (type.equals(PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)) {
      return Keys.bytes();
    }
    try {
      return Keys.ofType(type.getTypeClass());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage()
              + ", or a Tuple, a Row or a POJO of these; name the type of a Row with keyType(Types.ROW(...))",
          e);
    }
  }

  private static Key<Object> composite(int fields, Function<Integer, Key<Object>> field) {
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be made
    Key<Object>[] parts = IntStream.range(0, fields).boxed().map(field).toArray(Key[]::new);
    return Keys.composite(parts);
  }

  private static Key<Object> ofTuple(TupleTypeInfo<?> tuple, int i) {
    String name = tuple.getFieldNames()[i];
    return new Part(
        partKey(tuple, name, tuple.getTypeAt(i)),
        key -> {
          Object value = ((Tuple) key).getField(i);
          if (value == null) {
            throw new IllegalArgumentException(
                "field %s of the key is null, and fields of a Tuple cannot be; drop such records first, or return a Row, with keyType(Types.ROW(...))"
                    .formatted(name));
          }
          return value;
        });
  }

  private static Key<Object> ofRow(RowTypeInfo row, int i) {
    String name = row.getFieldNames()[i];
    return nullable(
        new Part(
            partKey(row, name, row.getTypeAt(i)),
            key -> {
              Row fields = (Row) key;
              boolean named = fields.getFieldNames(false) != null;
              return named ? fields.getField(name) : fields.getField(i);
            }));
  }

  private static Key<Object> ofPojo(PojoTypeInfo<?> pojo, int i) {
    Field field = pojo.getPojoFieldAt(i).getField();
    field.setAccessible(true); // as Flink's own serializer does
    Part part = new Part(partKey(pojo, field.getName(), pojo.getTypeAt(i)), key -> get(field, key));
    return field.getType().isPrimitive() ? part : nullable(part);
  }

  private static Object get(Field field, Object pojo) {
    try {
      return field.get(pojo);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e); // never thrown: it was made accessible
    }
  }

  private static Key<Object> nullable(Part part) {
    return Keys.nullable(key -> part.value.apply(key) == null, part);
  }

  private static Key<Object> partKey(TypeInformation<?> key, String name, TypeInformation<?> type) {
    try {
      return cast(find(type));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "field %s of %s: %s".formatted(name, key.getTypeClass().getName(), e.getMessage()), e);
    }
  }

  /** A field of a key. */
  private record Part(Key<Object> key, Function<Object, Object> value) implements Key<Object> {
    @Override
    public long hash(Object record, Hash64 hash) {
      return key.hash(value.apply(record), hash);
    }

    @Override
    public KeyForm form() {
      return key.form();
    }
  }

  @SuppressWarnings("unchecked") // the type of the key was just looked at
  private static <K> Key<K> cast(Key<?> key) {
    return (Key<K>) key;
  }
}
