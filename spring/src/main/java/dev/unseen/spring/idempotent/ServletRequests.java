package dev.unseen.spring.idempotent;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The servlet request of this thread. */
final class ServletRequests implements Requests {
  @Override
  public boolean haveHeaders() {
    return true;
  }

  @Override
  public RequestKey key(String header) {
    HttpServletRequest request = request();
    return request == null ? null : new RequestKey(user(request), key(request, header));
  }

  /** Returns the key that a header of a request has, or null if there is none. */
  static String key(HttpServletRequest request, String header) {
    return HeaderKey.of(header, Collections.list(request.getHeaders(header)));
  }

  static String user(HttpServletRequest request) {
    Principal user = request.getUserPrincipal();
    return user == null ? "" : user.getName();
  }

  @Override
  public ResponseWork workOf(IdempotentOperation operation, MethodInvocation call) {
    HttpServletRequest request = operation.isHandler() ? request() : null;
    ResponseWork work = request == null ? null : ServletResponses.workOf(request);
    return work != null && work.isOf(operation) ? work : null;
  }

  private static HttpServletRequest request() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes servlet
        ? servlet.getRequest()
        : null;
  }
}
