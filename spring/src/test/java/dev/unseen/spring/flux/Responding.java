package dev.unseen.spring.flux;

import dev.unseen.spring.idempotent.Idempotent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers that fail and succeed in all the ways that WebFlux has. */
@Configuration(proxyBeanMethods = false)
class Responding {
  static final int LARGE = 64 << 20;
  private static final String HEADER = "Idempotency-Key";

  /** Counts how often each handler has run. */
  @Component
  static class Runs {
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final CountDownLatch slow = new CountDownLatch(1);

    void awaitSlow() {
      try {
        slow.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    int count(String handler) {
      return counts.computeIfAbsent(handler, any -> new AtomicInteger()).incrementAndGet();
    }

    int of(String handler) {
      return counts.getOrDefault(handler, new AtomicInteger()).get();
    }

    <T> Mono<T> mono(String handler, Supplier<T> value) {
      return Mono.fromSupplier(
          () -> {
            count(handler);
            return value.get();
          });
    }
  }

  static class Declined extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  static class AlreadyFine extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A body that cannot be written. */
  public static class Unwritable {
    public String getText() {
      throw new IllegalStateException("it has no text");
    }
  }

  @RestController
  static class Handlers {
    private final Runs runs;

    Handlers(Runs runs) {
      this.runs = runs;
    }

    @ExceptionHandler
    ResponseEntity<String> on(Declined e) {
      return ResponseEntity.status(402).body("declined");
    }

    @ExceptionHandler
    Mono<String> on(AlreadyFine e) {
      return Mono.just("fine");
    }

    @Idempotent(key = "#key")
    @PostMapping("/throws")
    Mono<String> throwing(@RequestHeader(HEADER) String key) {
      return runs.mono(
          "/throws",
          () -> {
            throw new IllegalStateException("it fails");
          });
    }

    @Idempotent(key = "#key")
    @PostMapping("/throws-mapped")
    Mono<String> throwingMapped(@RequestHeader(HEADER) String key) {
      runs.count("/throws-mapped");
      return Mono.error(new Declined());
    }

    @Idempotent(key = "#key")
    @PostMapping("/throws-mapped-to-success")
    Mono<String> throwingMappedToSuccess(@RequestHeader(HEADER) String key) {
      runs.count("/throws-mapped-to-success");
      return Mono.error(new AlreadyFine());
    }

    @Idempotent(key = "#key")
    @PostMapping("/entity")
    Mono<ResponseEntity<String>> entity(@RequestHeader(HEADER) String key) {
      return runs.mono("/entity", () -> ResponseEntity.status(502).body("no"));
    }

    @Idempotent(key = "#key")
    @PostMapping("/problem")
    Mono<ProblemDetail> problem(@RequestHeader(HEADER) String key) {
      return runs.mono("/problem", () -> ProblemDetail.forStatus(503));
    }

    @Idempotent(key = "#key")
    @PostMapping("/error-response")
    Mono<ErrorResponse> errorResponse(@RequestHeader(HEADER) String key) {
      return runs.mono(
          "/error-response",
          () -> ErrorResponse.create(new RuntimeException(), HttpStatus.BAD_GATEWAY, "no"));
    }

    @Idempotent(key = "#key")
    @PostMapping("/set-status")
    Mono<String> setStatus(@RequestHeader(HEADER) String key, ServerHttpResponse response) {
      return runs.mono(
          "/set-status",
          () -> {
            response.setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
            return "no";
          });
    }

    @Idempotent(key = "#key")
    @PostMapping("/set-status-without-body")
    Mono<Void> setStatus(@RequestHeader(HEADER) String key, ServerWebExchange exchange) {
      return runs.mono(
              "/set-status-without-body",
              () -> exchange.getResponse().setStatusCode(HttpStatus.SERVICE_UNAVAILABLE))
          .then();
    }

    @Idempotent(key = "#key")
    @PostMapping("/annotated-status")
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    Mono<String> annotatedStatus(@RequestHeader(HEADER) String key) {
      return runs.mono("/annotated-status", () -> "no");
    }

    @Idempotent(key = "#key")
    @PostMapping("/unwritable")
    Mono<Object> unwritable(@RequestHeader(HEADER) String key) {
      return runs.mono("/unwritable", Unwritable::new);
    }

    @Idempotent(key = "#key")
    @PostMapping("/value-problem")
    ProblemDetail value(@RequestHeader(HEADER) String key, ServerWebExchange exchange) {
      runs.count("/value-problem");
      return ProblemDetail.forStatus(503);
    }

    @Idempotent(key = "#key")
    @PostMapping("/value-unwritable")
    Object unwritable(@RequestHeader(HEADER) String key, ServerWebExchange exchange) {
      runs.count("/value-unwritable");
      return new Unwritable();
    }

    @Idempotent(key = "#key")
    @PostMapping("/future-unwritable")
    CompletableFuture<Object> future(
        @RequestHeader(HEADER) String key, ServerWebExchange exchange) {
      runs.count("/future-unwritable");
      return CompletableFuture.supplyAsync(Unwritable::new);
    }

    @Idempotent(key = "#key")
    @PostMapping("/flux-throws")
    Flux<String> fluxThrows(@RequestHeader(HEADER) String key) {
      runs.count("/flux-throws");
      return Flux.error(new Declined());
    }

    @Idempotent(key = "#key")
    @PostMapping("/flux-breaks")
    Flux<String> fluxBreaks(@RequestHeader(HEADER) String key) {
      return runs.count("/flux-breaks") == 1
          ? Flux.just("a").concatWith(Flux.error(new Declined()))
          : Flux.just("a", "b");
    }

    @Idempotent(key = "#key")
    @PostMapping("/entity-breaks")
    Mono<ResponseEntity<Flux<String>>> entityBreaks(@RequestHeader(HEADER) String key) {
      return Mono.just(
          ResponseEntity.ok(
              runs.count("/entity-breaks") == 1
                  ? Flux.just("a").concatWith(Flux.error(new Declined()))
                  : Flux.just("a", "b")));
    }

    @Idempotent(key = "#key")
    @PostMapping("/mono")
    Mono<String> mono(@RequestHeader(HEADER) String key) {
      return runs.mono("/mono", () -> "done");
    }

    @Idempotent(key = "#key")
    @PostMapping("/empty")
    Mono<Void> empty(@RequestHeader(HEADER) String key) {
      return runs.mono("/empty", () -> "done").then();
    }

    @Idempotent(key = "#key")
    @PostMapping("/flux")
    Flux<String> flux(@RequestHeader(HEADER) String key) {
      runs.count("/flux");
      return Flux.just("a", "b");
    }

    @Idempotent(key = "#key")
    @PostMapping("/value")
    String plain(@RequestHeader(HEADER) String key, ServerWebExchange exchange) {
      runs.count("/value");
      return "done";
    }

    @Idempotent(key = "#key")
    @PostMapping("/future")
    CompletableFuture<String> later(@RequestHeader(HEADER) String key, ServerWebExchange exchange) {
      runs.count("/future");
      return CompletableFuture.supplyAsync(() -> "done");
    }

    @Idempotent(key = "#key")
    @PostMapping("/large")
    Mono<byte[]> large(@RequestHeader(HEADER) String key) {
      return runs.mono("/large", () -> new byte[LARGE]);
    }

    /** Never ends the first time. */
    @Idempotent(key = "#key")
    @PostMapping("/slow")
    Mono<String> slow(@RequestHeader(HEADER) String key) {
      return Mono.defer(
          () -> {
            Mono<String> result = runs.count("/slow") == 1 ? Mono.never() : Mono.just("done");
            runs.slow.countDown();
            return result;
          });
    }

    /** Works as long as it writes, the first time until the client has disconnected. */
    @Idempotent(key = "#key")
    @PostMapping("/endless")
    Flux<String> endless(@RequestHeader(HEADER) String key) {
      return runs.count("/endless") == 1
          ? Flux.interval(Duration.ofMillis(1)).onBackpressureDrop().map(i -> "more")
          : Flux.just("a", "b");
    }

    /** What the filter of requests is for: it has no annotation. */
    @PostMapping("/filtered/{what}")
    Mono<ResponseEntity<String>> filtered(@PathVariable String what) {
      int run = runs.count("/filtered/" + what);
      return switch (what) {
        case "fails" -> Mono.just(ResponseEntity.badRequest().body("no"));
        case "throws" -> Mono.error(new IllegalStateException("it fails"));
        case "slow" -> {
          Mono<ResponseEntity<String>> result =
              run == 1 ? Mono.never() : Mono.just(ResponseEntity.ok("done"));
          runs.slow.countDown();
          yield result;
        }
        default -> Mono.just(ResponseEntity.ok("run " + run));
      };
    }

    @PostMapping("/unfiltered")
    Mono<String> unfiltered() {
      return runs.mono("/unfiltered", () -> "done");
    }
  }

  @Component
  static class Functions {
    private final Runs runs;

    Functions(Runs runs) {
      this.runs = runs;
    }

    @Idempotent(key = "#request.headers().firstHeader('Idempotency-Key')")
    public Mono<ServerResponse> fail(ServerRequest request) {
      runs.count("/function-fails");
      return ServerResponse.status(503).build();
    }

    @Idempotent(key = "#request.headers().firstHeader('Idempotency-Key')")
    public Mono<ServerResponse> succeed(ServerRequest request) {
      runs.count("/function");
      return ServerResponse.ok().bodyValue("done");
    }
  }

  @Bean
  RouterFunction<ServerResponse> routes(Functions functions) {
    return RouterFunctions.route()
        .POST("/function-fails", functions::fail)
        .POST("/function", functions::succeed)
        .build();
  }
}
