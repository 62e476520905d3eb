package dev.unseen.spring.messaging;

import dev.unseen.Reservation;
import dev.unseen.client.ReservationStore;
import java.util.function.Function;
import org.springframework.integration.core.MessageSelector;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessagingException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Accepts each message of Spring Integration once, for its {@code IdempotentReceiverInterceptor}.
 *
 * <pre>{@code
 * @Bean
 * IdempotentReceiverInterceptor once(Deduplicator<String> keys) {
 *   return new IdempotentReceiverInterceptor(
 *       new IdempotentMessageSelector(
 *           ReservationStore.of(keys), message -> message.getHeaders().get("order", String.class)));
 * }
 * }</pre>
 *
 * <p>In a transaction, the key counts as processed when the transaction is committed, and is
 * released if it is rolled back. Without a transaction it counts when the message is accepted,
 * because a selector is not called again after the message was handled.
 */
public final class IdempotentMessageSelector implements MessageSelector {
  private final ReservationStore keys;
  private final Function<Message<?>, String> key;

  /**
   * Creates a selector.
   *
   * @param key returns the key of a message, or null if the message is to be accepted in any case
   */
  public IdempotentMessageSelector(ReservationStore keys, Function<Message<?>, String> key) {
    this.keys = keys;
    this.key = key;
  }

  /**
   * Returns whether the key of a message is new.
   *
   * @throws MessagingException if the key is being processed
   */
  @Override
  public boolean accept(Message<?> message) {
    String id = key.apply(message);
    if (id == null) {
      return true;
    }
    Reservation reservation = keys.reserve(id);
    switch (reservation.status()) {
      case DUPLICATE -> {
        return false;
      }
      case IN_FLIGHT ->
          throw new MessagingException(
              message, "the key of the message is being processed; it has to be delivered again");
      case GRANTED -> {}
    }
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
              if (status == STATUS_COMMITTED) {
                reservation.commit();
              } else {
                reservation.rollback();
              }
            }
          });
      return true;
    }
    return reservation.commit();
  }
}
