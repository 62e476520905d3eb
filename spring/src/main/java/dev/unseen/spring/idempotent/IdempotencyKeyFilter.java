package dev.unseen.spring.idempotent;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets each request with a key through once. The key counts for one method, path and user. It is
 * marked as processed when the response has a status below 400, and released otherwise.
 */
final class IdempotencyKeyFilter extends OncePerRequestFilter {
  private final FilteredKeys keys;
  private final HandlerExceptionResolver problems;

  IdempotencyKeyFilter(FilteredKeys keys, HandlerExceptionResolver problems) {
    this.keys = keys;
    this.problems = problems;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !keys.areOf(request.getMethod());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    try {
      begin(request, response);
    } catch (RuntimeException e) {
      if (!FilteredKeys.isRejection(e)) {
        throw e;
      }
      problems.resolveException(request, response, null, e);
      return;
    }
    chain.doFilter(request, response);
  }

  /** Reserves the key of a request, if it has one. */
  private void begin(HttpServletRequest request, HttpServletResponse response) {
    String key = keys.require(ServletRequests.key(request, keys.header()));
    if (key != null) {
      String scoped =
          FilteredKeys.scoped(
              request.getMethod(),
              PathContainer.parsePath(request.getRequestURI()),
              ServletRequests.user(request),
              key);
      // Whether the handler would have continued is not known here: a response that was begun
      // counts.
      ServletResponses.workOf(request)
          .begin(keys.holder(), scoped)
          .countWhen(response::isCommitted);
    }
  }
}
