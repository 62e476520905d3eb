package dev.unseen;

import dev.unseen.hash.Hash64;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** The usual keys: bytes, text, numbers, UUIDs, and several of these together. */
public final class Keys {
  private Keys() {}

  /** The record is the key: an array of bytes. */
  public static Key<byte[]> bytes() {
    return bytes(Function.identity());
  }

  /** A key of bytes. */
  public static <T> Key<T> bytes(Function<? super T, byte[]> key) {
    Objects.requireNonNull(key);
    return (record, hash) -> hash.hash(present(key.apply(record), record));
  }

  /** The record is the key: text, by its UTF-8 bytes. */
  public static Key<String> utf8() {
    return utf8(Function.identity());
  }

  /** A key of text, by its UTF-8 bytes: equal to {@link #bytes} of those. */
  public static <T> Key<T> utf8(Function<? super T, ? extends CharSequence> key) {
    Objects.requireNonNull(key);
    return (record, hash) -> hash.hash(present(key.apply(record), record));
  }

  /** The record is the key: a number. */
  public static Key<Long> longs() {
    return (record, hash) -> hash.hash(present(record, record).longValue());
  }

  /** A key that is a number. */
  public static <T> Key<T> longs(ToLongFunction<? super T> key) {
    Objects.requireNonNull(key);
    return (record, hash) -> hash.hash(key.applyAsLong(record));
  }

  /** The record is the key: a number. */
  public static Key<Integer> ints() {
    return (record, hash) -> hash.hash(present(record, record).longValue());
  }

  /** A key that is a number: equal to {@link #longs} of the same number. */
  public static <T> Key<T> ints(ToIntFunction<? super T> key) {
    Objects.requireNonNull(key);
    return (record, hash) -> hash.hash((long) key.applyAsInt(record));
  }

  /** The record is the key: a UUID. */
  public static Key<UUID> uuid() {
    return uuid(Function.identity());
  }

  /** A key that is a UUID: all its 128 bits count. */
  public static <T> Key<T> uuid(Function<? super T, UUID> key) {
    Objects.requireNonNull(key);
    return (record, hash) -> {
      UUID uuid = present(key.apply(record), record);
      return hash.combine(
          hash.hash(uuid.getMostSignificantBits()), hash.hash(uuid.getLeastSignificantBits()));
    };
  }

  /**
   * A key of several parts. Each part is hashed by itself, so parts do not flow into each other:
   * {@code ("ab", "c")} is another key than {@code ("a", "bc")}.
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
    return (record, hash) -> combine(copy, record, hash);
  }

  private static <T> long combine(List<Key<? super T>> parts, T record, Hash64 hash) {
    long combined = 0;
    for (Key<? super T> part : parts) {
      combined = hash.combine(combined, part.hash(record, hash));
    }
    return combined;
  }

  private static <K> K present(K key, Object record) {
    if (key == null) {
      throw new NullPointerException(
          "key is null in record '%s'; every record needs a key: drop such records first, or choose another key"
              .formatted(record));
    }
    return key;
  }
}
