package dev.unseen;

import dev.unseen.error.OptionException;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Deduplicator}. Only the memory or the number of expected keys must be set.
 *
 * @param <T> the type of the records
 */
public final class DeduplicatorBuilder<T>
    extends AbstractGateBuilder<DeduplicatorBuilder<T>, Deduplicator<T>> {
  private final Key<T> key;
  private @Nullable ToLongFunction<? super T> time; // null: use the time of arrival
  private @Nullable Predicate<? super T> wasSeen; // null: the filter decides alone

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

  /**
   * Sets a second opinion, for records whose loss costs more than a lookup. It is asked only about
   * records whose key the filter has seen, and returns whether the record really was, for example
   * whether a table has it. If not, the record is admitted and {@linkplain Report#rescued counted}:
   * no new record is lost.
   *
   * <p>It must know every record that was admitted before, also while that record is still being
   * processed; otherwise duplicates get through. Records of one batch are compared with each other,
   * too. If two threads have the same record at the same time, both may be admitted, unless they
   * call {@link Deduplicator#reserve} or {@link Deduplicator#runOnce}.
   *
   * <p>Choose it if there is such a table anyway, and most records are new. Otherwise choose a low
   * {@link #maxFalsePositiveRate}, which costs memory instead of a lookup for each duplicate: one
   * lost record in a billion (1e-9) takes 45.5 bits per key, or 52.8 with a window; one in 10,000
   * (1e-4) takes 24.
   */
  public DeduplicatorBuilder<T> confirm(Predicate<? super T> wasSeen) {
    this.wasSeen = Objects.requireNonNull(wasSeen, "wasSeen is null");
    return this;
  }

  @Override
  protected DeduplicatorBuilder<T> self() {
    return this;
  }

  @Override
  Deduplicator<T> around(Gate gate) {
    if (time == null && gate.isEventTime()) {
      throw OptionException.missing("eventTime", "set the function that returns a record's time");
    }
    if (wasSeen != null) {
      gate.allowRescues();
    }
    return new Deduplicator<>(key, gate, time, wasSeen);
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
