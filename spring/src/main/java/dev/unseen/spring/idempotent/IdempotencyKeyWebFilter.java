package dev.unseen.spring.idempotent;

import dev.unseen.spring.UnseenProperties.FilterProperties;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Does in WebFlux what {@link IdempotencyKeyFilter} does with servlets. */
final class IdempotencyKeyWebFilter implements WebFilter, Ordered {
  private final FilteredKeys keys;
  private final UrlPatterns patterns;
  private final int order;
  private final Rejections rejections;

  IdempotencyKeyWebFilter(FilteredKeys keys, FilterProperties properties, Rejections rejections) {
    this.keys = keys;
    this.patterns = UrlPatterns.of(properties.urlPatterns());
    this.order = properties.order();
    this.rejections = rejections;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpRequest request = exchange.getRequest();
    if (!keys.areOf(request.getMethod().name())
        || !patterns.match(RequestPaths.decoded(request.getPath().pathWithinApplication()))) {
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
        .doOnNext(
            work ->
                // Whether a stream would have continued is not known here: a response that was
                // begun counts.
                exchange
                    .getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(() -> work.setDone(true))));
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
}
