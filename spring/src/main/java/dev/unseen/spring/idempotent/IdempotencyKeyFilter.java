package dev.unseen.spring.idempotent;

import dev.unseen.Deduplicator;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets each request with a key through once. The key counts for one method, path and user. It is
 * marked as processed when the response has a status below 400, and released otherwise.
 */
final class IdempotencyKeyFilter extends OncePerRequestFilter {
  private static final int FAILED = 400;

  private final String header;
  private final Set<String> methods;
  private final boolean required;
  private final Supplier<Deduplicator<String>> keys;
  private final HandlerExceptionResolver problems;

  IdempotencyKeyFilter(
      String header,
      Set<String> methods,
      boolean required,
      Supplier<Deduplicator<String>> keys,
      HandlerExceptionResolver problems) {
    this.header = header;
    this.methods =
        methods.stream().map(method -> method.toUpperCase(Locale.ROOT)).collect(Collectors.toSet());
    this.required = required;
    this.keys = keys;
    this.problems = problems;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !methods.contains(request.getMethod());
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    KeyedWork work;
    try {
      String key = KeyText.of(ServletRequestFacts.header(request, header));
      work = key == null && !required ? null : KeyedWork.begin(keys.get(), scoped(request, key));
    } catch (DuplicateRequestException | MissingKeyException | SeveralKeysException e) {
      problems.resolveException(request, response, null, e);
      return;
    }
    if (work == null) {
      chain.doFilter(request, response);
      return;
    }
    try {
      chain.doFilter(request, response);
    } catch (ServletException | IOException | RuntimeException | Error e) {
      work.fail();
      throw e;
    }
    if (request.isAsyncStarted()) {
      request.getAsyncContext().addListener(new AtEnd(work, response));
    } else {
      end(work, response);
    }
  }

  private String scoped(HttpServletRequest request, String key) {
    if (key == null) {
      throw MissingKeyException.ofHeader(header);
    }
    return KeyText.join(
        List.of(
            request.getMethod(), request.getRequestURI(), ServletRequestFacts.user(request), key));
  }

  private static void end(KeyedWork work, HttpServletResponse response) {
    if (response.getStatus() < FAILED) {
      work.succeed();
    } else {
      work.fail();
    }
  }

  /** Ends the work of a request that goes on after its thread has left. */
  private record AtEnd(KeyedWork work, HttpServletResponse response) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      end(work, response);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      work.fail();
    }

    @Override
    public void onError(AsyncEvent event) {
      work.fail();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
