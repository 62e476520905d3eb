package dev.unseen;

import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * Builds a {@link Deduplicator}. Only the memory or the number of expected keys must be set.
 *
 * @param <T> the type of the records
 */
public final class DeduplicatorBuilder<T>
    extends AbstractGateBuilder<DeduplicatorBuilder<T>, Deduplicator<T>> {
  private final Key<T> key;
  private ToLongFunction<? super T> time; // null: use the time of arrival

  DeduplicatorBuilder(Key<T> key) {
    this.key = Objects.requireNonNull(key, "key is null; see Keys for the usual ones");
  }

  /**
   * Sets the function that returns the time of a record in milliseconds since 1970, for a window of
   * time. By default the time of arrival is used. A late record counts as seen at the latest time
   * so far. A time too far in the future is not used: see {@link #maxTimeAhead}.
   */
  public DeduplicatorBuilder<T> eventTime(ToLongFunction<? super T> millis) {
    Objects.requireNonNull(millis, "millis is null");
    this.time = record -> timeOf(record, millis);
    return set(Option.EVENT_TIME, true);
  }

  private static <T> long timeOf(T record, ToLongFunction<? super T> millis) {
    try {
      return millis.applyAsLong(record);
    } catch (NullPointerException e) {
      if (!Unboxing.failed(e, DeduplicatorBuilder.class)) {
        throw e;
      }
      NullPointerException named =
          new NullPointerException(
              "the event time is null in a record of %s; every record needs a time: drop records without one first, or return another time for them"
                  .formatted(record.getClass().getName()));
      named.initCause(e);
      throw named;
    }
  }

  @Override
  protected DeduplicatorBuilder<T> self() {
    return this;
  }

  @Override
  Deduplicator<T> around(Gate gate) {
    return new Deduplicator<>(key, gate, time);
  }

  @Override
  boolean hasKeys() {
    return true;
  }

  @Override
  KeyForm formOfKeys() {
    return key.form();
  }
}
