package dev.unseen.spring.idempotent;

import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Mono;

/** Does in WebFlux what {@link IdempotencyKeyFilter} does with servlets. */
record IdempotencyKeyWebFilter(
    FilteredKeys keys, UrlPatterns patterns, int getOrder, Rejections rejections)
    implements WebFilter, Ordered {

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpRequest request = exchange.getRequest();
    if (!keys.areOf(request.getMethod().name())
        || !patterns.match(FilteredKeys.decoded(request.getPath().pathWithinApplication()))) {
      return chain.filter(exchange);
    }
    return exchange
        .getPrincipal()
        .map(Principal::getName)
        .defaultIfEmpty("")
        .flatMap(user -> begin(exchange, user))
        .thenReturn(chain.filter(exchange))
        .onErrorResume(
            FilteredKeys::isRejection,
            e -> Mono.just(rejections.respond(exchange, (RuntimeException) e)))
        .flatMap(next -> next);
  }

  /** Reserves the key of a request, if it has one. */
  private Mono<KeyedWork> begin(ServerWebExchange exchange, String user) {
    ServerHttpRequest request = exchange.getRequest();
    String key = keys.require(HeaderKey.of(keys.header(), values(request)));
    if (key == null) {
      return Mono.empty();
    }
    String scoped = FilteredKeys.scoped(request.getMethod().name(), request.getPath(), user, key);
    return ExchangeResponses.begin(ExchangeResponses.workOf(exchange), keys.holder(), scoped)
        .doOnNext(work -> work.countWhen(exchange.getResponse()::isCommitted));
  }

  private List<String> values(ServerHttpRequest request) {
    List<String> values = new ArrayList<>();
    request // in a way that Spring 6 and 7 have in common
        .getHeaders()
        .forEach(
            (name, all) -> {
              if (name.equalsIgnoreCase(keys.header())) {
                values.addAll(all);
              }
            });
    return values;
  }

  /**
   * Responds to requests that are rejected, as if their handler had thrown the exception: the
   * methods with {@code @ExceptionHandler} make the response. Only a dispatcher can call these, and
   * it does if no handler can be found because of an exception.
   */
  record Rejections(Supplier<WebHandler> dispatcher) implements HandlerMapping, Ordered {
    private static final String REJECTION = Rejections.class.getName();

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
}
