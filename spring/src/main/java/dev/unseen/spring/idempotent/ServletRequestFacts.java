package dev.unseen.spring.idempotent;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The servlet request of this thread. */
final class ServletRequestFacts implements RequestFacts {
  @Override
  public boolean isPresent() {
    return request() != null;
  }

  @Override
  public String header(String name) {
    return header(request(), name);
  }

  /**
   * Returns a header of a request, or null if there is none.
   *
   * @throws SeveralKeysException if there are several, because none of them is the right one
   */
  static String header(HttpServletRequest request, String name) {
    List<String> values = Collections.list(request.getHeaders(name));
    if (values.size() > 1) {
      throw new SeveralKeysException(name, values.size());
    }
    return values.isEmpty() ? null : values.get(0);
  }

  @Override
  public String user() {
    return user(request());
  }

  static String user(HttpServletRequest request) {
    Principal user = request.getUserPrincipal();
    return user == null ? "" : user.getName();
  }

  private static HttpServletRequest request() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes servlet
        ? servlet.getRequest()
        : null;
  }
}
