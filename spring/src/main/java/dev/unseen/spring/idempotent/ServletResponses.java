package dev.unseen.spring.idempotent;

import dev.unseen.spring.idempotent.ResponseWork.End;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Ends the work of servlet requests when their response is complete, and records both if responses
 * are kept. A request that other threads continue is dispatched again: the dispatch that leaves
 * nothing running ends the work.
 */
final class ServletResponses extends OncePerRequestFilter {
  private static final String WORK = ServletResponses.class.getName() + ".work";

  private final IdempotentMethods methods;
  private final KeyHolders holders;
  private final int recordingLimit;

  /**
   * Creates the filter.
   *
   * @param recordingLimit the size of the largest body of a response that is kept
   */
  ServletResponses(IdempotentMethods methods, KeyHolders holders, int recordingLimit) {
    this.methods = methods;
    this.holders = holders;
    this.recordingLimit = recordingLimit;
  }

  /** Returns the work that ends with the response to a request, or null if there is none. */
  static ResponseWork workOf(HttpServletRequest request) {
    return (ResponseWork) request.getAttribute(WORK);
  }

  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    ResponseWork work = workOf(request);
    if (work != null) { // dispatched again, with what was passed on before
      WebAsyncManager async = WebAsyncUtils.getAsyncManager(request);
      if (async.hasConcurrentResult()) {
        work.setDone(!(async.getConcurrentResult() instanceof Throwable));
      }
      pass(request, response, chain, work);
    } else if (holders.keepsResponses()) {
      RecordedRequest read = new RecordedRequest(request);
      RecordedResponse written = new RecordedResponse(response, read, recordingLimit);
      pass(read, written, chain, begin(request, written));
    } else {
      pass(request, response, chain, begin(request, null));
    }
  }

  private ResponseWork begin(HttpServletRequest request, Recording recording) {
    ResponseWork work = new ResponseWork(operation -> isHandler(request, operation), recording);
    request.setAttribute(WORK, work);
    return work;
  }

  private boolean isHandler(HttpServletRequest request, IdempotentOperation operation) {
    return operation.isFunction()
        || (request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
                instanceof HandlerMethod handler
            && methods.isAt(operation, handler.getMethod(), handler.getBeanType()));
  }

  private static void pass(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      ResponseWork work)
      throws ServletException, IOException {
    if (!(work.recording() instanceof RecordedResponse recorded)) {
      passOn(request, response, chain, work);
      return;
    }
    recorded.hold();
    try {
      passOn(request, response, chain, work);
    } finally {
      recorded.release();
    }
  }

  private static void passOn(
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain,
      ResponseWork work)
      throws ServletException, IOException {
    try {
      chain.doFilter(request, response);
    } catch (ServletException | IOException | RuntimeException | Error e) {
      work.end(End.of(response.getStatus(), e));
      throw e;
    }
    if (!request.isAsyncStarted()) {
      work.end(end(request, response));
      return;
    }
    // If Spring waits for the result, it comes with another dispatch, unless the connection breaks.
    boolean dispatches = WebAsyncUtils.getAsyncManager(request).isConcurrentHandlingStarted();
    if (dispatches) {
      work.setDone(false);
    }
    request.getAsyncContext().addListener(new Listener(request, response, work, dispatches));
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
