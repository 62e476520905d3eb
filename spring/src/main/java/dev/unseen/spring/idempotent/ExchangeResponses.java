package dev.unseen.spring.idempotent;

import org.aopalliance.intercept.MethodInvocation;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Ends the work of requests to WebFlux before their response is complete at the client. Methods
 * that return a Mono or a Flux find their response when that is subscribed to, others by their
 * parameter.
 *
 * @param recordingLimit the size of the largest body of a response that is kept
 */
record ExchangeResponses(IdempotentMethods methods, KeyHolders holders, int recordingLimit)
    implements Requests, WebFilter, Ordered {
  private static final String WORK = ExchangeResponses.class.getName() + ".work";

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
    ResponseWork work =
        new ResponseWork(
            methods,
            () -> exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE),
            recording);
    exchange.getAttributes().put(WORK, work);
    HeldExchangeResponse held =
        HeldExchangeResponse.of(exchange.getResponse(), work, holders::isBlocking);
    ServerWebExchange.Builder passed = exchange.mutate().response(held);
    if (recording != null) {
      passed.request(recording.request());
    }
    return chain
        .filter(passed.build())
        .doOnSuccess(nothing -> held.complete())
        .doOnError(held::fail)
        .doOnCancel(held::cancel)
        .contextWrite(context -> context.put(ResponseWork.class, work));
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
