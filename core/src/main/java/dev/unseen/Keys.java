package dev.unseen;

import dev.unseen.hash.Hash64;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates the usual keys: bytes, text, numbers, times, UUIDs, enums, and several of these together.
 */
public final class Keys {
  private static final String BYTES = "bytes";
  private static final String NUMBER = "number";

  private Keys() {}

  /** Uses the record itself, an array of bytes, as the key. */
  public static Key<byte[]> bytes() {
    return bytes(Function.identity());
  }

  /** Uses an array of bytes as the key. */
  public static <T> Key<T> bytes(Function<? super T, byte[]> key) {
    Objects.requireNonNull(key, "key is null");
    return formed(BYTES, (record, hash) -> hash.hash(present(key.apply(record), record)));
  }

  /**
   * Uses the bytes of a buffer from its position to its limit as the key, and changes neither. The
   * key equals the {@link #bytes} key of the same bytes.
   */
  public static <T> Key<T> buffer(Function<? super T, ByteBuffer> key) {
    Objects.requireNonNull(key, "key is null");
    return formed(BYTES, (record, hash) -> hashBuffer(present(key.apply(record), record), hash));
  }

  private static long hashBuffer(ByteBuffer buffer, Hash64 hash) {
    int length = buffer.remaining();
    if (buffer.hasArray()) {
      return hash.hash(buffer.array(), buffer.arrayOffset() + buffer.position(), length);
    }
    byte[] bytes = new byte[length];
    buffer.get(buffer.position(), bytes);
    return hash.hash(bytes);
  }

  /** Uses the record itself, a text, as the key, by its UTF-8 bytes. */
  public static Key<String> utf8() {
    return utf8(Function.identity());
  }

  /**
   * Uses a text as the key, by its UTF-8 bytes. The key equals the {@link #bytes} key of these
   * bytes.
   */
  public static <T> Key<T> utf8(Function<? super T, ? extends CharSequence> key) {
    Objects.requireNonNull(key, "key is null");
    return formed(BYTES, (record, hash) -> hash.hash(present(key.apply(record), record)));
  }

  /** Uses the record itself, a number, as the key. */
  public static Key<Long> longs() {
    return formed(NUMBER, (record, hash) -> hash.hash(present(record, record).longValue()));
  }

  /** Uses a number as the key. */
  public static <T> Key<T> longs(ToLongFunction<? super T> key) {
    Objects.requireNonNull(key, "key is null");
    return formed(
        NUMBER,
        (record, hash) -> {
          long number;
          try {
            number = key.applyAsLong(record);
          } catch (NullPointerException e) {
            throw record == null || Unboxing.failed(e, Keys.class) ? noKey(record, e) : e;
          }
          return hash.hash(number);
        });
  }

  /** Uses the record itself, a number, as the key. */
  public static Key<Integer> ints() {
    return formed(NUMBER, (record, hash) -> hash.hash(present(record, record).longValue()));
  }

  /** Uses a number as the key. The key equals the {@link #longs} key of the same number. */
  public static <T> Key<T> ints(ToIntFunction<? super T> key) {
    Objects.requireNonNull(key, "key is null");
    return longs(key::applyAsInt);
  }

  /** Uses a time as the key, to the nanosecond. */
  public static <T> Key<T> instant(Function<? super T, Instant> key) {
    Objects.requireNonNull(key, "key is null");
    return formed(
        "instant",
        (record, hash) -> {
          Instant instant = present(key.apply(record), record);
          return hash.combine(
              hash.hash(instant.getEpochSecond()), hash.hash((long) instant.getNano()));
        });
  }

  /**
   * Uses the name of an enum constant as the key. The key equals the {@link #utf8} key of that
   * name.
   */
  public static <T> Key<T> enums(Function<? super T, ? extends Enum<?>> key) {
    Objects.requireNonNull(key, "key is null");
    return formed(BYTES, (record, hash) -> hash.hash(present(key.apply(record), record).name()));
  }

  /** Uses the record itself, a UUID, as the key. */
  public static Key<UUID> uuid() {
    return uuid(Function.identity());
  }

  /** Uses a UUID as the key. All its 128 bits count. */
  public static <T> Key<T> uuid(Function<? super T, UUID> key) {
    Objects.requireNonNull(key, "key is null");
    return formed(
        "uuid",
        (record, hash) -> {
          UUID uuid = present(key.apply(record), record);
          return hash.combine(
              hash.hash(uuid.getMostSignificantBits()), hash.hash(uuid.getLeastSignificantBits()));
        });
  }

  /**
   * Returns the key for keys of a Java type: text, bytes, whole numbers, UUIDs, instants and enums.
   * It is for engines, which see types only when they run.
   *
   * @throws IllegalArgumentException if there is none for the type
   */
  public static <T> Key<T> ofType(Class<T> type) {
    @SuppressWarnings("unchecked") // the type of the key was looked at
    Key<T> key = (Key<T>) findByType(type);
    return key;
  }

  private static Key<?> findByType(Class<?> type) {
    if (type == byte[].class) {
      return bytes();
    }
    if (CharSequence.class.isAssignableFrom(type)) {
      return utf8((CharSequence text) -> text);
    }
    if (type == Long.class || type == Integer.class || type == Short.class || type == Byte.class) {
      return longs(Number::longValue);
    }
    if (type == UUID.class) {
      return uuid();
    }
    if (type == Instant.class) {
      return instant((Instant instant) -> instant);
    }
    if (Enum.class.isAssignableFrom(type)) {
      return enums((Enum<?> constant) -> constant);
    }
    throw new IllegalArgumentException(
        "the key is of type %s, which has no hash here; return a String, byte[], Long, Integer, UUID, Instant or an enum"
            .formatted(type.getName()));
  }

  /**
   * Uses a key that may be missing. All records without the key have the same key, which differs
   * from all others.
   *
   * <pre>{@code
   * Keys.composite(
   *     Keys.utf8(Order::id), Keys.nullable(order -> order.coupon() == null, Keys.utf8(Order::coupon)))
   * }</pre>
   *
   * @param isMissing returns whether a record has no key
   * @param key the key of the other records
   */
  public static <T> Key<T> nullable(Predicate<? super T> isMissing, Key<? super T> key) {
    Objects.requireNonNull(isMissing, "isMissing is null");
    Objects.requireNonNull(key, "key is null");
    return formed(
        "nullable(" + encodingOf(key) + ")",
        (record, hash) ->
            isMissing.test(record) ? hash.combine(0, 0) : hash.combine(1, key.hash(record, hash)));
  }

  /**
   * Combines several keys into one. Each part is hashed separately, so {@code ("ab", "c")} and
   * {@code ("a", "bc")} are different keys.
   */
  @SafeVarargs
  public static <T> Key<T> composite(Key<? super T>... parts) {
    if (parts.length == 0) {
      throw new IllegalArgumentException("composite key has 0 parts; it must have at least 1");
    }
    List<Key<? super T>> copy = new ArrayList<>(parts.length);
    for (Key<? super T> part : parts) {
      copy.add(Objects.requireNonNull(part, "a part of the composite key is null"));
    }
    String encoding =
        copy.stream().map(Keys::encodingOf).collect(Collectors.joining(",", "composite(", ")"));
    return formed(encoding, (record, hash) -> combine(copy, record, hash));
  }

  /**
   * Gives a key a name, which saved states contain. A state that was saved with one name rejects a
   * key with another name.
   */
  public static <T> Key<T> named(String name, Key<T> key) {
    return new Formed<>(key.form().named(name), key);
  }

  private static String encodingOf(Key<?> key) {
    String encoding = key.form().encoding();
    return encoding.isEmpty() ? "?" : encoding;
  }

  private static <T> long combine(List<Key<? super T>> parts, T record, Hash64 hash) {
    long combined = 0;
    for (Key<? super T> part : parts) {
      combined = hash.combine(combined, part.hash(record, hash));
    }
    return combined;
  }

  private static <K> K present(@Nullable K key, @Nullable Object record) {
    if (key == null) {
      throw noKey(record, null);
    }
    return key;
  }

  /** Creates the exception. It does not show the record itself, which may be large or private. */
  private static NullPointerException noKey(@Nullable Object record, @Nullable Throwable cause) {
    NullPointerException e =
        new NullPointerException(
            record == null
                ? "record is null; drop null records first"
                : "key is null in a record of %s; every record needs a key: drop records without one first, choose another key, or use Keys.nullable"
                    .formatted(record.getClass().getName()));
    e.initCause(cause);
    return e;
  }

  private static <T> Key<T> formed(String encoding, Key<T> key) {
    return new Formed<>(new KeyForm(encoding, ""), key);
  }

  private record Formed<T>(KeyForm form, Key<T> key) implements Key<T> {
    @Override
    public long hash(T record, Hash64 hash) {
      return key.hash(record, hash);
    }
  }
}
