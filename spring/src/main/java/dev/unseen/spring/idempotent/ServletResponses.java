package dev.unseen.spring.idempotent;

import dev.unseen.spring.idempotent.ResponseWork.End;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Ends the work of servlet requests before their response is complete at the client, and records
 * both if responses are kept. A request that other threads continue is dispatched again: the
 * dispatch that leaves nothing running ends the work.
 *
 * @param recordingLimit the size of the largest body of a response that is kept
 */
record ServletResponses(IdempotentMethods methods, KeyHolders holders, int recordingLimit)
    implements Filter {
  private static final String HELD = ServletResponses.class.getName() + ".held";

  /** Returns the work that ends with the response to a request, or null if there is none. */
  static ResponseWork workOf(HttpServletRequest request) {
    HeldServletResponse held = (HeldServletResponse) request.getAttribute(HELD);
    return held == null ? null : held.work();
  }

  @Override
  public void doFilter(ServletRequest anyRequest, ServletResponse anyResponse, FilterChain chain)
      throws ServletException, IOException {
    HttpServletRequest request = (HttpServletRequest) anyRequest;
    HttpServletResponse response = (HttpServletResponse) anyResponse;
    HeldServletResponse held = (HeldServletResponse) request.getAttribute(HELD);
    if (held == null) {
      RecordedRequest recorded = holders.keepsResponses() ? new RecordedRequest(request) : null;
      held =
          new HeldServletResponse(
              response,
              recording ->
                  new ResponseWork(
                      methods,
                      () -> request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE),
                      recording),
              recorded,
              recordingLimit);
      request.setAttribute(HELD, held);
      pass(recorded == null ? request : recorded, held, chain, held);
    } else if (request.getDispatcherType() == DispatcherType.FORWARD) {
      forward(request, response, chain, held);
    } else { // dispatched again, with what was passed on before
      WebAsyncManager async = WebAsyncUtils.getAsyncManager(request);
      if (async.hasConcurrentResult()) {
        held.work().setDone(!(async.getConcurrentResult() instanceof Throwable));
      }
      pass(request, response, chain, held);
    }
  }

  /** Ends the work of a request that was forwarded: the container then closes its response. */
  private static void forward(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      HeldServletResponse held)
      throws ServletException, IOException {
    chain.doFilter(request, response);
    if (held.work().isBegun() && !request.isAsyncStarted()) {
      held.work().end(end(request, response));
      held.finish();
    }
  }

  private static void pass(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      HeldServletResponse held)
      throws ServletException, IOException {
    boolean continued = false;
    held.hold();
    try {
      chain.doFilter(request, response);
      if (request.isAsyncStarted()) {
        continued = listen(request, response, held.work());
      } else {
        held.work().end(end(request, response));
      }
    } catch (ServletException | IOException | RuntimeException | Error e) {
      held.work().end(End.of(response.getStatus(), e));
      throw e;
    } finally {
      if (continued) {
        held.release();
      } else {
        held.finish();
      }
    }
  }

  /**
   * Ends the work of a request that other threads continue. Returns whether another dispatch will
   * come first: it does if Spring waits for the result, unless the connection breaks.
   */
  private static boolean listen(
      HttpServletRequest request, HttpServletResponse response, ResponseWork work) {
    boolean dispatches = WebAsyncUtils.getAsyncManager(request).isConcurrentHandlingStarted();
    if (dispatches) {
      work.setDone(false);
    }
    request.getAsyncContext().addListener(new Listener(request, response, work, dispatches));
    return dispatches;
  }

  private static End end(HttpServletRequest request, HttpServletResponse response) {
    // Spring hides the exception of a connection that broke, and leaves the status as it was.
    return request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) instanceof Throwable handled
            && ResponseWork.isDisconnect(handled)
        ? End.of(response.getStatus(), handled)
        : End.of(response.getStatus());
  }

  /** Waits for a response. A time-out or an error may still be turned into one. */
  private static final class Listener implements AsyncListener {
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final ResponseWork work;
    private final boolean dispatches;
    private volatile Throwable failure; // null: none so far

    Listener(
        HttpServletRequest request,
        HttpServletResponse response,
        ResponseWork work,
        boolean dispatches) {
      this.request = request;
      this.response = response;
      this.work = work;
      this.dispatches = dispatches;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      End end = failure == null ? end(request, response) : End.of(response.getStatus(), failure);
      // If no dispatch has ended the work before, the client has disconnected.
      work.end(dispatches && end == End.SUCCEEDED ? End.ABORTED : end);
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {
      failure = event.getThrowable();
      if (ResponseWork.isDisconnect(failure)) { // Tomcat may call nothing else then
        onComplete(event);
      }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
