package dev.unseen.spring.idempotent;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
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
    return request().getHeader(name);
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
