package dev.unseen.spring.responses;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.spring.idempotent.Idempotent;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers that fail and succeed in all the ways that Spring MVC has. */
@SpringBootApplication
@EnableResilientMethods
public class ResponsesApplication {
  static final int LARGE = 64 << 20;

  /** Counts how often each handler has run. */
  @Component
  static class Runs {
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    int count(String handler) {
      return counts.computeIfAbsent(handler, any -> new AtomicInteger()).incrementAndGet();
    }

    int of(String handler) {
      return counts.getOrDefault(handler, new AtomicInteger()).get();
    }
  }

  /** Thrown by handlers; what becomes of it is up to the handlers of exceptions. */
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

  @Component
  static class Ledger {
    private final Runs runs;

    Ledger(Runs runs) {
      this.runs = runs;
    }

    @Idempotent(key = "#id")
    public ResponseEntity<String> book(String id, int status) {
      runs.count("ledger");
      return ResponseEntity.status(status).body("booked");
    }
  }

  @RestController
  static class Failing {
    private final Runs runs;

    Failing(Runs runs) {
      this.runs = runs;
    }

    @ExceptionHandler
    ResponseEntity<String> on(Declined e) {
      return ResponseEntity.status(402).body("declined");
    }

    @Idempotent
    @PostMapping("/throws")
    String throwing() {
      runs.count("/throws");
      throw new IllegalStateException("it fails");
    }

    @Idempotent
    @PostMapping("/throws-mapped")
    String throwingMapped() {
      runs.count("/throws-mapped");
      throw new Declined();
    }

    @Idempotent
    @PostMapping("/entity")
    ResponseEntity<String> entity() {
      runs.count("/entity");
      return ResponseEntity.status(502).body("no");
    }

    @Idempotent
    @PostMapping("/problem")
    ProblemDetail problem() {
      runs.count("/problem");
      return ProblemDetail.forStatus(503);
    }

    @Idempotent
    @PostMapping("/error-response")
    ErrorResponse errorResponse() {
      runs.count("/error-response");
      return ErrorResponse.create(new RuntimeException(), HttpStatus.BAD_GATEWAY, "no");
    }

    @Idempotent
    @PostMapping("/send-error")
    void sendError(HttpServletResponse response) throws IOException {
      runs.count("/send-error");
      response.sendError(500);
    }

    @Idempotent
    @PostMapping("/set-status")
    void setStatus(HttpServletResponse response) {
      runs.count("/set-status");
      response.setStatus(503);
    }

    @Idempotent
    @PostMapping("/set-status-with-body")
    String setStatusWithBody(HttpServletResponse response) {
      runs.count("/set-status-with-body");
      response.setStatus(503);
      return "no";
    }

    @Idempotent
    @PostMapping("/annotated-status")
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    void annotatedStatus() {
      runs.count("/annotated-status");
    }

    @Idempotent
    @PostMapping("/unwritable")
    Object unwritable() {
      runs.count("/unwritable");
      return new Unwritable();
    }

    @Idempotent
    @PostMapping("/future-problem")
    CompletableFuture<ProblemDetail> futureProblem() {
      runs.count("/future-problem");
      return CompletableFuture.supplyAsync(() -> ProblemDetail.forStatus(503));
    }

    @Idempotent
    @PostMapping("/future-unwritable")
    CompletableFuture<Object> futureUnwritable() {
      runs.count("/future-unwritable");
      return CompletableFuture.supplyAsync(Unwritable::new);
    }

    @Idempotent
    @PostMapping("/future-throws")
    CompletableFuture<String> futureThrows() {
      runs.count("/future-throws");
      return CompletableFuture.failedFuture(new Declined());
    }

    @Idempotent
    @PostMapping("/mono-problem")
    Mono<ProblemDetail> monoProblem() {
      return Mono.fromSupplier(
          () -> {
            runs.count("/mono-problem");
            return ProblemDetail.forStatus(503);
          });
    }

    @Idempotent
    @PostMapping("/deferred-problem")
    DeferredResult<ProblemDetail> deferredProblem() {
      runs.count("/deferred-problem");
      DeferredResult<ProblemDetail> result = new DeferredResult<>();
      new Thread(() -> result.setResult(ProblemDetail.forStatus(503))).start();
      return result;
    }

    @Idempotent
    @PostMapping("/deferred-timeout")
    DeferredResult<String> deferredTimeout() {
      runs.count("/deferred-timeout");
      return new DeferredResult<>(1L);
    }

    @Idempotent
    @PostMapping("/callable-problem")
    Callable<ProblemDetail> callableProblem() {
      runs.count("/callable-problem");
      return () -> ProblemDetail.forStatus(503);
    }

    @Idempotent
    @PostMapping("/streaming-throws")
    StreamingResponseBody streamingThrows() {
      runs.count("/streaming-throws");
      return out -> {
        throw new Declined();
      };
    }

    @Idempotent
    @PostMapping("/emitter-throws")
    ResponseBodyEmitter emitterThrows() {
      runs.count("/emitter-throws");
      ResponseBodyEmitter emitter = new ResponseBodyEmitter();
      emitter.completeWithError(new Declined());
      return emitter;
    }

    @Idempotent
    @PostMapping("/own-async-status")
    void ownAsyncStatus(HttpServletRequest request) {
      runs.count("/own-async-status");
      AsyncContext context = request.startAsync();
      context.start(
          () -> {
            ((HttpServletResponse) context.getResponse()).setStatus(503);
            context.complete();
          });
    }
  }

  @RestController
  static class Succeeding {
    private final Runs runs;
    private final Ledger ledger;

    Succeeding(Runs runs, Ledger ledger) {
      this.runs = runs;
      this.ledger = ledger;
    }

    @ExceptionHandler
    String on(AlreadyFine e) {
      return "fine";
    }

    @Idempotent
    @PostMapping("/value")
    String value() {
      return "run " + runs.count("/value");
    }

    @Idempotent
    @PostMapping("/throws-mapped-to-success")
    String throwingMapped() {
      runs.count("/throws-mapped-to-success");
      throw new AlreadyFine();
    }

    @Idempotent
    @PostMapping("/redirect-status")
    ResponseEntity<Void> redirect() {
      runs.count("/redirect-status");
      return ResponseEntity.status(303).header("Location", "/elsewhere").build();
    }

    @Idempotent
    @PostMapping("/future")
    CompletableFuture<String> future() {
      return CompletableFuture.supplyAsync(() -> "run " + runs.count("/future"));
    }

    @Idempotent
    @PostMapping("/mono")
    Mono<String> mono() {
      return Mono.fromSupplier(() -> "run " + runs.count("/mono"));
    }

    @Idempotent
    @PostMapping("/flux")
    Flux<String> flux() {
      runs.count("/flux");
      return Flux.just("a", "b");
    }

    @Idempotent
    @PostMapping("/deferred")
    DeferredResult<String> deferred() {
      DeferredResult<String> result = new DeferredResult<>();
      new Thread(() -> result.setResult("run " + runs.count("/deferred"))).start();
      return result;
    }

    @Idempotent
    @PostMapping("/deferred-timeout-with-result")
    DeferredResult<String> deferredTimeout() {
      runs.count("/deferred-timeout-with-result");
      return new DeferredResult<>(1L, "what was known in time");
    }

    @Idempotent
    @PostMapping("/callable")
    Callable<String> callable() {
      return () -> "run " + runs.count("/callable");
    }

    @Idempotent
    @PostMapping("/streaming")
    StreamingResponseBody streaming() {
      runs.count("/streaming");
      return out -> out.write("done".getBytes(UTF_8));
    }

    @Idempotent
    @PostMapping("/emitter")
    ResponseBodyEmitter emitter() {
      runs.count("/emitter");
      ResponseBodyEmitter emitter = new ResponseBodyEmitter();
      new Thread(
              () -> {
                try {
                  emitter.send("done");
                  emitter.complete();
                } catch (IOException e) {
                  emitter.completeWithError(e);
                }
              })
          .start();
      return emitter;
    }

    @Idempotent
    @PostMapping("/own-async")
    void ownAsync(HttpServletRequest request) {
      runs.count("/own-async");
      AsyncContext context = request.startAsync();
      context.start(context::complete);
    }

    @Idempotent
    @PostMapping("/declared")
    void declared(HttpServletResponse response) throws IOException {
      runs.count("/declared");
      response.setContentLength(4);
      response.getOutputStream().print("do");
      response.flushBuffer();
      response.getOutputStream().print("ne");
      response.getOutputStream().flush();
    }

    @Idempotent
    @PostMapping("/declared-writer")
    void declaredByHeader(HttpServletResponse response) throws IOException {
      runs.count("/declared-writer");
      response.setHeader("Content-Length", "4");
      response.getWriter().print("done");
      response.getWriter().flush();
    }

    @Idempotent
    @PostMapping("/declared-large")
    byte[] declaredLarge() {
      runs.count("/declared-large");
      return new byte[1 << 20];
    }

    @Idempotent
    @PostMapping("/declared-streaming")
    ResponseEntity<StreamingResponseBody> declaredStreaming() {
      runs.count("/declared-streaming");
      return ResponseEntity.ok()
          .contentLength(4)
          .body(
              out -> {
                out.write("done".getBytes(UTF_8));
                out.flush();
              });
    }

    @Idempotent
    @PostMapping("/closed")
    void closed(HttpServletResponse response) throws IOException {
      runs.count("/closed");
      response.getOutputStream().print("done");
      response.getOutputStream().close();
    }

    @Idempotent
    @PostMapping("/closed-writer")
    void closedWriter(HttpServletResponse response) throws IOException {
      runs.count("/closed-writer");
      response.getWriter().print("done");
      response.getWriter().close();
    }

    @Idempotent
    @PostMapping("/no-content")
    void noContent(HttpServletResponse response) throws IOException {
      runs.count("/no-content");
      response.setStatus(204);
      response.flushBuffer();
    }

    @Idempotent
    @PostMapping("/empty")
    void empty(HttpServletResponse response) throws IOException {
      runs.count("/empty");
      response.setContentLength(0);
      response.flushBuffer();
    }

    /** Gives a response that does not fit into any buffer. */
    @Idempotent
    @PostMapping("/large")
    byte[] large() {
      runs.count("/large");
      return new byte[LARGE];
    }

    /** Works as long as it writes, the first time until the client has disconnected. */
    @Idempotent
    @PostMapping("/endless")
    StreamingResponseBody endless() {
      boolean first = runs.count("/endless") == 1;
      return out -> {
        do {
          out.write(new byte[1 << 16]);
          out.flush();
        } while (first);
      };
    }

    /** Works as long as it sends, the first time until the client has disconnected. */
    @Idempotent
    @PostMapping("/endless-emitter")
    ResponseBodyEmitter endlessEmitter() {
      boolean first = runs.count("/endless-emitter") == 1;
      ResponseBodyEmitter emitter = new ResponseBodyEmitter(0L);
      new Thread(
              () -> {
                try {
                  do {
                    emitter.send("more");
                  } while (first);
                  emitter.complete();
                } catch (IOException e) {
                  // The server ends it.
                }
              })
          .start();
      return emitter;
    }

    /** Is called by requests, and by others. */
    @Idempotent(key = "#id")
    @PostMapping("/direct")
    public String direct(@RequestParam String id) {
      return "run " + runs.count("/direct");
    }

    /** Fails at first, and is then called again within the same request. */
    @Idempotent
    @Retryable(maxRetries = 3, delay = 1)
    @PostMapping("/retried")
    String retried() {
      int run = runs.count("/retried");
      if (run < 3) {
        throw new IllegalStateException("it fails");
      }
      return "run " + run;
    }

    @PostMapping("/ledger")
    ResponseEntity<String> ledger(@RequestHeader("Idempotency-Key") String key) {
      ledger.book(key, 200);
      return ResponseEntity.internalServerError().body("booked, and then it fails");
    }

    @PostMapping("/ledger-fails")
    ResponseEntity<String> ledgerFails(@RequestHeader("Idempotency-Key") String key) {
      ledger.book(key, 500);
      return ResponseEntity.ok("not booked, and nobody cares");
    }
  }

  @Controller
  static class Forwarding {
    private final Runs runs;

    Forwarding(Runs runs) {
      this.runs = runs;
    }

    @Idempotent
    @PostMapping("/forward-to-failure")
    String forward() {
      runs.count("/forward-to-failure");
      return "forward:/set-status-with-body";
    }
  }

  @Controller
  static class ForwardingToSuccess {
    private final Runs runs;

    ForwardingToSuccess(Runs runs) {
      this.runs = runs;
    }

    @Idempotent
    @PostMapping("/forward")
    String forward() {
      runs.count("/forward");
      return "forward:/target";
    }

    @PostMapping("/target")
    @ResponseBody
    String target() {
      return "done";
    }
  }

  @Component
  static class Functions {
    private final Runs runs;

    Functions(Runs runs) {
      this.runs = runs;
    }

    @Idempotent(key = "#request.headers().firstHeader('Idempotency-Key')")
    public ServerResponse fail(ServerRequest request) {
      runs.count("/function-fails");
      return ServerResponse.status(503).build();
    }

    @Idempotent(key = "#request.headers().firstHeader('Idempotency-Key')")
    public ServerResponse succeed(ServerRequest request) {
      runs.count("/function");
      return ServerResponse.ok().body("done");
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
