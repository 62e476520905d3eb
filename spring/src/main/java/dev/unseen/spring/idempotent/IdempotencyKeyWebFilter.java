package dev.unseen.spring.idempotent;

import dev.unseen.ReservationLimitException;
import dev.unseen.spring.UnseenProperties.FilterProperties;
import java.security.Principal;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
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

  IdempotencyKeyWebFilter(
      String header,
      FilterProperties properties,
      Supplier<KeyHolder> holder,
      Rejections rejections) {
    this.keys = new FilteredKeys(header, properties, holder);
    this.patterns = UrlPatterns.of(properties.getUrlPatterns());
    this.order = properties.getOrder();
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
        .flatMap(
            user -> {
              try {
                begin(exchange, user);
              } catch (DuplicateRequestException
                  | MissingKeyException
                  | SeveralKeysException
                  | MalformedKeyException
                  | ReservationLimitException e) {
                return rejections.respond(exchange, e);
              }
              return chain.filter(exchange);
            });
  }

  /** Reserves the key of a request, if it has one. */
  private void begin(ServerWebExchange exchange, String user) {
    ServerHttpRequest request = exchange.getRequest();
    List<String> values = request.getHeaders().getOrEmpty(keys.header());
    String key = keys.require(HeaderKey.of(keys.header(), values));
    if (key != null) {
      PathContainer path = request.getPath();
      KeyedWork work =
          ExchangeResponses.workOf(exchange)
              .begin(
                  keys.holder(), FilteredKeys.scoped(request.getMethod().name(), path, user, key));
      // Whether a stream would have gone on is not known here: a response that was begun counts.
      exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> work.setDone(true)));
    }
  }
}
