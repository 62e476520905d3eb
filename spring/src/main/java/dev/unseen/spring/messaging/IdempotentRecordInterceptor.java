package dev.unseen.spring.messaging;

import dev.unseen.Reservation;
import dev.unseen.client.ReservationStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * Skips records of Apache Kafka whose key was processed before. Reserves the key before the
 * listener is called, marks it when the listener has returned, and releases it if the listener
 * throws an exception, so that the record can be delivered again.
 *
 * <pre>{@code
 * @Bean
 * RecordInterceptor<String, String> once(Deduplicator<String> keys) {
 *   return new IdempotentRecordInterceptor<>(ReservationStore.of(keys), ConsumerRecord::key);
 * }
 * }</pre>
 *
 * <p>A record whose key another consumer processes at this moment fails, so that the container
 * delivers it again. Let the error handler try for longer than the reservation timeout.
 */
public final class IdempotentRecordInterceptor<K, V> implements RecordInterceptor<K, V> {
  private final ReservationStore keys;
  private final Function<ConsumerRecord<K, V>, String> key;
  private final Map<Position, Reservation> reservations = new ConcurrentHashMap<>();

  /** The place of a record. */
  private record Position(String topic, int partition, long offset) {
    static Position of(ConsumerRecord<?, ?> record) {
      return new Position(record.topic(), record.partition(), record.offset());
    }
  }

  /**
   * Creates an interceptor.
   *
   * @param key returns the key of a record, or null if the record is to be processed in any case
   */
  public IdempotentRecordInterceptor(
      ReservationStore keys, Function<ConsumerRecord<K, V>, String> key) {
    this.keys = keys;
    this.key = key;
  }

  /**
   * Reserves the key of a record.
   *
   * @return null if the key was processed before
   * @throws IllegalStateException if the key is being processed
   */
  @Override
  public ConsumerRecord<K, V> intercept(ConsumerRecord<K, V> record, Consumer<K, V> consumer) {
    String id = key.apply(record);
    if (id == null) {
      return record;
    }
    Reservation reservation = keys.reserve(id);
    return switch (reservation.status()) {
      case GRANTED -> {
        reservations.put(Position.of(record), reservation);
        yield record;
      }
      case DUPLICATE -> null;
      case IN_FLIGHT ->
          throw new IllegalStateException(
              "the key of the record at %s-%d@%d is being processed by another consumer; it has to be delivered again"
                  .formatted(record.topic(), record.partition(), record.offset()));
    };
  }

  @Override
  public void success(ConsumerRecord<K, V> record, Consumer<K, V> consumer) {
    Reservation reservation = reservations.remove(Position.of(record));
    if (reservation != null) {
      reservation.commit();
    }
  }

  @Override
  public void failure(ConsumerRecord<K, V> record, Exception failure, Consumer<K, V> consumer) {
    Reservation reservation = reservations.remove(Position.of(record));
    if (reservation != null) {
      reservation.rollback();
    }
  }
}
