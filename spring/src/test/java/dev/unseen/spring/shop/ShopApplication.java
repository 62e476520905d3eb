package dev.unseen.spring.shop;

import dev.unseen.Deduplicator;
import dev.unseen.spring.idempotent.Idempotent;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
public class ShopApplication {
  public static void main(String[] args) {
    SpringApplication.run(ShopApplication.class, args);
  }

  record Order(String id, int cents) {}

  record Event(String id, String type) {}

  @RestController
  static class Shop {
    private final Deduplicator<String> clicks;

    Shop(@Qualifier("clicks") Deduplicator<String> clicks) {
      this.clicks = clicks;
    }

    @PostMapping("/payments")
    @ResponseStatus(HttpStatus.CREATED)
    @Idempotent // once for each value of the header Idempotency-Key
    Order pay(@RequestBody Order order) {
      if (order.cents() <= 0) {
        throw new IllegalArgumentException("nothing to pay"); // the key is released
      }
      return order; // charge the card here
    }

    @PostMapping("/webhooks")
    @Idempotent(key = "#event.id") // once for each event, however often it is sent
    void receive(@RequestBody Event event) {}

    @PostMapping("/clicks/{id}")
    String click(@PathVariable String id) {
      return clicks.admit(id) ? "new\n" : "seen before\n"; // the deduplicator itself
    }
  }
}
