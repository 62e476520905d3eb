package dev.unseen.spring.idempotent;

import dev.unseen.spring.UnseenProperties.FilterProperties;
import dev.unseen.spring.idempotent.ResponseWork.End;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets each request with a key through once. The key counts for one method, path and user. It is
 * marked as processed when the response has a status below 400, and released otherwise.
 */
final class IdempotencyKeyFilter extends OncePerRequestFilter {
  private static final String WORK = IdempotencyKeyFilter.class.getName() + ".work";

  private final FilteredKeys keys;
  private final HandlerExceptionResolver problems;

  IdempotencyKeyFilter(
      String header,
      FilterProperties properties,
      Supplier<KeyHolder> holder,
      HandlerExceptionResolver problems) {
    this.keys = new FilteredKeys(header, properties, holder);
    this.problems = problems;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !keys.areOf(request.getMethod());
  }

  /** A result that another thread has found is dispatched, and its response then decides. */
  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    KeyedWork work = (KeyedWork) request.getAttribute(WORK);
    if (work == null && !isAsyncDispatch(request)) {
      try {
        work = begin(request);
      } catch (RuntimeException e) {
        if (!FilteredKeys.isRejection(e)) {
          throw e;
        }
        problems.resolveException(request, response, null, e);
        return;
      }
    }
    if (work == null) {
      chain.doFilter(request, response);
      return;
    }
    request.setAttribute(WORK, work);
    Throwable thrown = null;
    try {
      chain.doFilter(request, response);
    } catch (ServletException | IOException | RuntimeException | Error e) {
      thrown = e;
      throw e;
    } finally {
      KeyedWork begun = work;
      if (thrown == null && request.isAsyncStarted()) {
        ServletEnd.whenComplete(request, response, end -> end(begun, end, response));
      } else {
        end(begun, ServletEnd.of(request, response, thrown), response);
      }
    }
  }

  /** Reserves the key of a request, or returns null if it has none and needs none. */
  private KeyedWork begin(HttpServletRequest request) {
    String key = keys.require(ServletRequestFacts.key(request, keys.header()));
    if (key == null) {
      return null;
    }
    String scoped =
        FilteredKeys.scoped(
            request.getMethod(),
            PathContainer.parsePath(request.getRequestURI()),
            ServletRequestFacts.user(request),
            key);
    return new ResponseWork(operation -> false, RecordingFilter.of(request))
        .begin(keys.holder(), scoped);
  }

  private static void end(KeyedWork work, End end, HttpServletResponse response) {
    if (end == End.SUCCEEDED || (end == End.ABORTED && response.isCommitted())) {
      work.succeed();
    } else {
      work.fail();
    }
  }
}
