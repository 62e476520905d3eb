package dev.unseen.spring.replay;

import dev.unseen.spring.idempotent.Idempotent;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application for both web frameworks, whose responses show how often a handler has run. */
@SpringBootApplication
public class ReplayApplication {
  private static final String HEADER = "Idempotency-Key";

  record Order(String id, int run) {}

  /** What the test looks at. */
  @Component
  static class Runs {
    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<String>> results = new ConcurrentHashMap<>();

    /** Returns the result of a slow request, which the test completes. */
    CompletableFuture<String> result(String path) {
      return results.computeIfAbsent(path, any -> new CompletableFuture<>());
    }

    int count(String what) {
      return runs.computeIfAbsent(what, any -> new AtomicInteger()).incrementAndGet();
    }

    int of(String what) {
      return runs.getOrDefault(what, new AtomicInteger()).get();
    }
  }

  @RestController
  static class Orders {
    private final Runs runs;

    Orders(Runs runs) {
      this.runs = runs;
    }

    @PostMapping("/filtered/{what}")
    Mono<ResponseEntity<Order>> filtered(
        @PathVariable String what, @RequestBody(required = false) String body) {
      return order("/filtered/" + what, what);
    }

    @Idempotent(key = "#key")
    @PostMapping("/annotated/{what}")
    Mono<ResponseEntity<Order>> annotated(
        @PathVariable String what,
        @RequestHeader(name = HEADER, required = false) String key,
        @RequestBody(required = false) String body) {
      return order("/annotated/" + what, what);
    }

    private Mono<ResponseEntity<Order>> order(String path, String what) {
      int run = runs.count(path);
      if (what.startsWith("slow")) {
        return Mono.fromFuture(runs.result(path)).map(id -> ResponseEntity.ok(new Order(id, run)));
      }
      return what.startsWith("failing") && run == 1
          ? Mono.just(ResponseEntity.badRequest().build())
          : Mono.just(
              ResponseEntity.created(URI.create("/orders/" + run))
                  .header("Set-Cookie", "secret=" + run)
                  .body(new Order(what, run)));
    }

    @PostMapping("/filtered/stream")
    Flux<String> stream() {
      runs.count("stream");
      return Flux.just("a", "b", "c");
    }

    /** Declares how long the stream is. */
    @PostMapping("/filtered/declared")
    ResponseEntity<Flux<String>> declared() {
      return ResponseEntity.ok().contentLength(3).body(Flux.just("a", "b", "c"));
    }

    @Idempotent(key = "#key")
    @PostMapping("/annotated/declared")
    Mono<ResponseEntity<Flux<String>>> declared(@RequestHeader(HEADER) String key) {
      return Mono.just(declared());
    }

    @PostMapping("/filtered/text")
    Mono<String> text() {
      return Mono.just("done");
    }

    @PostMapping("/filtered/none")
    Mono<Void> none() {
      return Mono.fromRunnable(() -> runs.count("none"));
    }

    @PostMapping("/filtered/large")
    Mono<byte[]> large() {
      return Mono.fromSupplier(() -> new byte[10_000 * runs.count("large")]);
    }

    @PostMapping(path = "/filtered/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> events() {
      runs.count("events");
      return Flux.just("a", "b");
    }
  }
}
