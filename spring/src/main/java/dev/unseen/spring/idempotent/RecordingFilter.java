package dev.unseen.spring.idempotent;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Records servlet requests and their responses, if a key is reserved for them. */
final class RecordingFilter extends OncePerRequestFilter {
  private static final String RECORDING = RecordingFilter.class.getName() + ".recording";

  private final int limit;

  RecordingFilter(int limit) {
    this.limit = limit;
  }

  /** Returns the recording of a request, or null if there is none. */
  static Recording of(HttpServletRequest request) {
    return (Recording) request.getAttribute(RECORDING);
  }

  @Override
  protected boolean shouldNotFilterAsyncDispatch() {
    return false;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    RecordedResponse recorded = (RecordedResponse) request.getAttribute(RECORDING);
    HttpServletRequest read = request;
    HttpServletResponse written = response;
    if (recorded == null) {
      RecordedRequest hashed = new RecordedRequest(request);
      recorded = new RecordedResponse(response, hashed, limit);
      read = hashed;
      written = recorded;
      request.setAttribute(RECORDING, recorded);
    } // else the request was dispatched again, with what was passed on before
    recorded.hold();
    try {
      chain.doFilter(read, written);
    } finally {
      recorded.release();
    }
  }
}
