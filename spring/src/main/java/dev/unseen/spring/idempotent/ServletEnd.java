package dev.unseen.spring.idempotent;

import dev.unseen.spring.idempotent.ResponseWork.End;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Consumer;
import org.springframework.web.servlet.DispatcherServlet;

/** Finds out how the response to a servlet request ends. */
final class ServletEnd {
  private ServletEnd() {}

  /**
   * Returns how a response ends that was written.
   *
   * @param thrown the unhandled exception, or null
   */
  static End of(HttpServletRequest request, HttpServletResponse response, Throwable thrown) {
    if (thrown != null) {
      return End.of(response.getStatus(), thrown);
    }
    // Spring hides the exception of a connection that broke, and leaves the status as it was.
    return request.getAttribute(DispatcherServlet.EXCEPTION_ATTRIBUTE) instanceof Throwable handled
            && ResponseWork.isDisconnect(handled)
        ? End.of(response.getStatus(), handled)
        : End.of(response.getStatus());
  }

  /**
   * Calls an action when the response of a request that is processed asynchronously is complete, or
   * cannot be completed. It may be called more than once.
   */
  static void whenComplete(
      HttpServletRequest request, HttpServletResponse response, Consumer<End> action) {
    request.getAsyncContext().addListener(new Listener(request, response, action));
  }

  /** Waits for the response. A time-out or an error may still be turned into a response. */
  private static final class Listener implements AsyncListener {
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final Consumer<End> action;
    private volatile Throwable failure; // null: none so far

    Listener(HttpServletRequest request, HttpServletResponse response, Consumer<End> action) {
      this.request = request;
      this.response = response;
      this.action = action;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      action.accept(of(request, response, failure));
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
