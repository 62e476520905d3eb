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
import reactor.core.publisher.Mono;

/**
 * Ends the work of requests to WebFlux when their response is complete. Methods that return a Mono
 * or a Flux find their response when that is subscribed to, others by their parameter.
 *
 * <p>When the headers are about to be sent, the status is final. Nothing but the network can then
 * fail if the work is done, as for all but streams: a client that is fast finds the key settled.
 */
final class ExchangeResponses implements Responses, WebFilter, Ordered {
  private static final String WORK = ExchangeResponses.class.getName() + ".work";
  private static final int OK = 200;

  private final IdempotentMethods methods;

  ExchangeResponses(IdempotentMethods methods) {
    this.methods = methods;
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
    ResponseWork work = new ResponseWork(operation -> isHandler(exchange, operation));
    exchange.getAttributes().put(WORK, work);
    ServerHttpResponse response = exchange.getResponse();
    response.beforeCommit(() -> Mono.fromRunnable(() -> beforeCommit(work, response)));
    Consumer<Throwable> onFailure = failure -> work.end(End.of(status(response), failure));
    Runnable onCancel =
        () -> work.end(End.of(status(response)) == End.SUCCEEDED ? End.ABORTED : End.FAILED);
    ServerHttpResponse watched = WatchedResponse.of(response, onFailure, onCancel);
    return chain
        .filter(exchange.mutate().response(watched).build())
        .doOnSuccess(nothing -> work.end(End.of(status(response))))
        .doOnError(onFailure)
        .doOnCancel(onCancel)
        .contextWrite(context -> context.put(ResponseWork.class, work));
  }

  private static void beforeCommit(ResponseWork work, ServerHttpResponse response) {
    End end = End.of(status(response));
    if (end == End.FAILED || work.isDone()) {
      work.end(end);
    }
  }

  private static int status(ServerHttpResponse response) {
    HttpStatusCode status = response.getStatusCode();
    return status == null ? OK : status.value();
  }

  private boolean isHandler(ServerWebExchange exchange, IdempotentOperation operation) {
    return operation.isFunction()
        || (exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
                instanceof HandlerMethod handler
            && operation.isAt(methods.find(handler.getMethod(), handler.getBeanType())));
  }

  @Override
  public void require(IdempotentOperation operation) {
    if (!isSubscribed(operation) && !operation.takesExchange()) {
      throw operation.rejected(
          "it returns %s, and its response cannot be observed in WebFlux"
              .formatted(operation.method().getReturnType().getName()),
          "Return a Mono or a Flux, or add a parameter of type ServerWebExchange.");
    }
  }

  @Override
  public ResponseWork of(IdempotentOperation operation, MethodInvocation call) {
    if (!operation.isHandler() || isSubscribed(operation)) {
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

  private static boolean isSubscribed(IdempotentOperation operation) {
    return operation.result() == CallResult.MONO || operation.result() == CallResult.FLUX;
  }
}
