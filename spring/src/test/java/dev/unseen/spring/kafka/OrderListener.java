package dev.unseen.spring.kafka;

import dev.unseen.Deduplicator;
import dev.unseen.Reservation;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

@Component
public class OrderListener {
  private final Deduplicator<String> orders;
  private final Payments payments;

  OrderListener(Deduplicator<String> orders, Payments payments) {
    this.orders = orders;
    this.payments = payments;
  }

  @KafkaListener(topics = "orders", groupId = "billing")
  void on(ConsumerRecord<String, String> order) {
    try (Reservation reservation = orders.reserve(order.key())) { // closing it rolls back
      switch (reservation.status()) {
        case GRANTED -> {
          payments.charge(order.value()); // if this throws, Kafka delivers the order again
          reservation.commit(); // now it counts as seen
        }
        case DUPLICATE -> {} // done before: the listener acknowledges it
        case IN_FLIGHT -> throw new IllegalStateException("another thread has it"); // try again
      }
    }
  }
}
