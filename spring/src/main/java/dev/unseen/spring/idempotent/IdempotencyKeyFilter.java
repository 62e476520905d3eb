package dev.unseen.spring.idempotent;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets each request with a key through once. The key counts for one method, path and user. It is
 * marked as processed when the response has a status below 400, and released otherwise.
 */
record IdempotencyKeyFilter(FilteredKeys keys, HandlerExceptionResolver problems)
    implements Filter {
  @Override
  public void doFilter(ServletRequest anyRequest, ServletResponse anyResponse, FilterChain chain)
      throws ServletException, IOException {
    HttpServletRequest request = (HttpServletRequest) anyRequest;
    HttpServletResponse response = (HttpServletResponse) anyResponse;
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
    if (!keys.areOf(request.getMethod())) {
      return;
    }
    String key = keys.require(ServletRequests.key(request, keys.header()));
    if (key != null) {
      String scoped =
          FilteredKeys.scoped(
              request.getMethod(),
              PathContainer.parsePath(request.getRequestURI()),
              ServletRequests.user(request),
              key);
      ServletResponses.workOf(request)
          .begin(keys.holder(), scoped)
          .countWhen(response::isCommitted);
    }
  }
}
