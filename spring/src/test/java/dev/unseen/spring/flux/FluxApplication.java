package dev.unseen.spring.flux;

import dev.unseen.spring.idempotent.Idempotent;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A reactive application. */
@SpringBootApplication
public class FluxApplication {
  @RestController
  static class Payments {
    private final AtomicInteger runs = new AtomicInteger();

    @PostMapping("/payments")
    @Idempotent(key = "#key")
    Mono<String> pay(@RequestHeader(name = "Idempotency-Key", required = false) String key) {
      return Mono.fromSupplier(
          () -> {
            if (runs.incrementAndGet() == 1) {
              throw new IllegalStateException("the first time it fails");
            }
            return "run " + runs.get();
          });
    }
  }
}
