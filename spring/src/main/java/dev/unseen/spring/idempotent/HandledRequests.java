package dev.unseen.spring.idempotent;

import dev.unseen.spring.idempotent.ResponseWork.End;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Ends the work of handler methods of Spring MVC when the response to their request is complete.
 *
 * <p>A request that is processed by several threads is dispatched several times, and one that is
 * forwarded is dispatched within a dispatch. The outermost dispatch that leaves nothing running
 * ends the work.
 */
final class HandledRequests implements AsyncHandlerInterceptor {
  private static final String WORK = HandledRequests.class.getName() + ".work";
  private static final String DEPTH = HandledRequests.class.getName() + ".depth";

  private final IdempotentMethods methods;

  HandledRequests(IdempotentMethods methods) {
    this.methods = methods;
  }

  /** Returns the work that ends with the response to a request, or null if there is none. */
  static ResponseWork workOf(HttpServletRequest request) {
    return (ResponseWork) request.getAttribute(WORK);
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    ResponseWork work = workOf(request);
    if (work == null) {
      request.setAttribute(
          WORK,
          new ResponseWork(
              operation -> isHandler(request, operation), RecordingFilter.of(request)));
    } else {
      WebAsyncManager async = WebAsyncUtils.getAsyncManager(request);
      if (async.hasConcurrentResult()) {
        work.setDone(!(async.getConcurrentResult() instanceof Throwable));
      }
    }
    request.setAttribute(DEPTH, depth(request) + 1);
    return true;
  }

  private boolean isHandler(HttpServletRequest request, IdempotentOperation operation) {
    return operation.isFunction()
        || (request.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE)
                instanceof HandlerMethod handler
            && operation.isAt(methods.find(handler.getMethod(), handler.getBeanType())));
  }

  private static int depth(HttpServletRequest request) {
    return request.getAttribute(DEPTH) instanceof Integer depth ? depth : 0;
  }

  /** Leaves a dispatch, and returns whether it was the outermost one. */
  private static boolean leave(HttpServletRequest request) {
    int depth = depth(request) - 1;
    request.setAttribute(DEPTH, depth);
    return depth == 0;
  }

  /** Waits for the result. It comes with another dispatch, unless the connection breaks. */
  @Override
  public void afterConcurrentHandlingStarted(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    leave(request);
    ResponseWork work = workOf(request);
    work.setDone(false);
    if (request.isAsyncStarted()) {
      ServletEnd.whenComplete(
          request,
          response,
          end -> work.end(end == End.SUCCEEDED ? End.ABORTED : end)); // no dispatch has ended it
    }
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request, HttpServletResponse response, Object handler, Exception failure) {
    if (!leave(request)) {
      return;
    }
    ResponseWork work = workOf(request);
    if (request.isAsyncStarted()) { // by the handler itself, and not by Spring
      ServletEnd.whenComplete(request, response, work::end);
    } else {
      work.end(ServletEnd.of(request, response, failure));
    }
  }
}
