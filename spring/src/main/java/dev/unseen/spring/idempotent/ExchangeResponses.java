package dev.unseen.spring.idempotent;

import dev.unseen.spring.idempotent.ResponseWork.End;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Ends the work of requests to WebFlux when their response is complete. Methods that return a Mono
 * or a Flux find their response when that is subscribed to, others by their parameter.
 *
 * <p>When the headers are about to be sent, the status is final. Nothing but the network can then
 * fail if the work is done, as for all but streams: a client that is fast finds the key settled.
 */
final class ExchangeResponses implements Requests, WebFilter, Ordered {
  private static final String WORK = ExchangeResponses.class.getName() + ".work";
  private static final int OK = 200;

  private final IdempotentMethods methods;
  private final KeyHolders holders;
  private final int recordingLimit;

  /**
   * Creates the filter.
   *
   * @param recordingLimit the size of the largest body of a response that is kept
   */
  ExchangeResponses(IdempotentMethods methods, KeyHolders holders, int recordingLimit) {
    this.methods = methods;
    this.holders = holders;
    this.recordingLimit = recordingLimit;
  }

  /** Returns the work that ends with the response to a request. */
  static ResponseWork workOf(ServerWebExchange exchange) {
    return exchange.getRequiredAttribute(WORK);
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE + 1;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ExchangeRecording recording =
        holders.keepsResponses() ? new ExchangeRecording(exchange, recordingLimit) : null;
    ResponseWork work = new ResponseWork(operation -> isHandler(exchange, operation), recording);
    exchange.getAttributes().put(WORK, work);
    ServerHttpResponse response = exchange.getResponse();
    response.beforeCommit(() -> beforeCommit(work, response, recording));
    Consumer<Throwable> onFailure = failure -> end(work, End.of(status(response), failure));
    Runnable onCancel =
        () -> end(work, End.of(status(response)) == End.SUCCEEDED ? End.ABORTED : End.FAILED);
    ServerHttpResponse watched = WatchedResponse.of(response, onFailure, onCancel, recording);
    ServerWebExchange.Builder passed = exchange.mutate().response(watched);
    if (recording != null) {
      passed.request(recording.request());
    }
    return chain
        .filter(passed.build())
        .doOnSuccess(nothing -> end(work, End.of(status(response))))
        .doOnError(onFailure)
        .doOnCancel(onCancel)
        .contextWrite(context -> context.put(ResponseWork.class, work));
  }

  private Mono<Void> beforeCommit(
      ResponseWork work, ServerHttpResponse response, ExchangeRecording recording) {
    End end = End.of(status(response));
    if (recording != null && end == End.SUCCEEDED && work.isBegun() && recording.isComplete()) {
      return recording
          .readRequest()
          .then(ReactiveCalls.run(holders.isBlocking(), () -> work.end(end)));
    }
    return end == End.FAILED || work.isDone()
        ? ReactiveCalls.run(holders.isBlocking(), () -> work.end(end))
        : Mono.empty();
  }

  /** Ends work, without waiting for that if it may take a while. */
  private void end(ResponseWork work, End end) {
    if (work.isBegun()) {
      Disposable unused = ReactiveCalls.run(holders.isBlocking(), () -> work.end(end)).subscribe();
    } else {
      work.end(end);
    }
  }

  private static int status(ServerHttpResponse response) {
    HttpStatusCode status = response.getStatusCode();
    return status == null ? OK : status.value();
  }

  /**
   * Reserves a key until the response to a request ends.
   *
   * @return fails as {@link ResponseWork#begin} does
   */
  static Mono<KeyedWork> begin(ResponseWork work, KeyHolder holder, String key) {
    boolean blocking = holder.isBlocking();
    return ReactiveCalls.call(blocking, () -> work.reserve(holder, key))
        .onErrorResume(
            DuplicateRequestException.class,
            duplicate ->
                work.recording() instanceof ExchangeRecording recording && !duplicate.isInFlight()
                    ? recording
                        .readRequest()
                        .then(
                            ReactiveCalls.call(
                                blocking, () -> holder.replay(duplicate, key, recording)))
                        .flatMap(Mono::error)
                    : Mono.error(duplicate));
  }

  private boolean isHandler(ServerWebExchange exchange, IdempotentOperation operation) {
    return operation.isFunction()
        || (exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
                instanceof HandlerMethod handler
            && methods.isAt(operation, handler.getMethod(), handler.getBeanType()));
  }

  @Override
  public void require(IdempotentOperation operation) {
    if (!operation.isReactive() && !operation.takesExchange()) {
      throw operation.rejected(
          "it returns %s, and its response cannot be observed in WebFlux"
              .formatted(operation.method().getReturnType().getName()),
          "Return a Mono or a Flux, or add a parameter of type ServerWebExchange.");
    }
  }

  @Override
  public ResponseWork workOf(IdempotentOperation operation, MethodInvocation call) {
    if (!operation.isHandler() || operation.isReactive()) {
      return null;
    }
    require(operation);
    for (Object argument : call.getArguments()) {
      if (argument instanceof ServerWebExchange exchange && exchange.getAttribute(WORK) != null) {
        ResponseWork work = workOf(exchange);
        return work.isOf(operation) ? work : null;
      }
    }
    return null;
  }
}
