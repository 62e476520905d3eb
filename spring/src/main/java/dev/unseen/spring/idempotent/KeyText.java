package dev.unseen.spring.idempotent;

import java.time.temporal.TemporalAccessor;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Makes one text of the parts of a key, so that different parts never give the same text. */
final class KeyText {
  private static final int USUAL_LENGTH = 160; // a class, a method, a user and a UUID

  private KeyText() {}

  /** Joins texts, each with its length in front. */
  static String join(List<String> parts) {
    StringBuilder joined = new StringBuilder(USUAL_LENGTH);
    for (String part : parts) {
      joined.append(part.length()).append(':').append(part);
    }
    return joined.toString();
  }

  /**
   * Returns a value as a text, or null if there is none.
   *
   * @throws IllegalArgumentException if equal values need not give equal texts
   */
  static String of(Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof CharSequence text) {
      return text.toString().isBlank() ? null : text.toString();
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (value instanceof Number
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof UUID
        || value instanceof TemporalAccessor) {
      return value.toString();
    }
    if (value instanceof Collection<?> many) {
      List<String> parts = many.stream().map(KeyText::of).toList();
      return parts.isEmpty() || parts.contains(null) ? null : join(parts);
    }
    throw new IllegalArgumentException(
        "a key of type %s has no text that is equal for equal values; name a property of it, such as #order.id: a text, number, UUID, enum, time, or a list of these"
            .formatted(value.getClass().getName()));
  }
}
