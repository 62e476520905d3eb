package dev.unseen.spring.idempotent;

import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/**
 * Responds to requests that a filter of WebFlux rejects, as if their handler had thrown the
 * exception: the methods with {@code @ExceptionHandler} make the response. Only a dispatcher can
 * call these, and it does if no handler can be found because of an exception.
 */
final class Rejections implements HandlerMapping, Ordered {
  private static final String REJECTION = Rejections.class.getName();

  private final Supplier<WebHandler> dispatcher;

  Rejections(Supplier<WebHandler> dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Responds with what the application makes of an exception. */
  Mono<Void> respond(ServerWebExchange exchange, RuntimeException rejection) {
    exchange.getAttributes().put(REJECTION, rejection);
    return dispatcher.get().handle(exchange);
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public Mono<Object> getHandler(ServerWebExchange exchange) {
    RuntimeException rejection = exchange.getAttribute(REJECTION);
    return rejection == null ? Mono.empty() : Mono.error(rejection);
  }
}
