package dev.unseen.spring.idempotent;

import dev.unseen.spring.idempotent.ResponseWork.End;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Ends the work of a request before its body is written, if nothing but the network can then fail,
 * so that a client that sends its next request at once finds the key settled.
 */
@ControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE) // after those that may change the body
class IdempotentBodyAdvice implements ResponseBodyAdvice<Object> {
  @Override
  public boolean supports(
      MethodParameter result, Class<? extends HttpMessageConverter<?>> converter) {
    return true;
  }

  @Override
  public Object beforeBodyWrite(
      Object body,
      MethodParameter result,
      MediaType type,
      Class<? extends HttpMessageConverter<?>> converter,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    if (request instanceof ServletServerHttpRequest servletRequest
        && response instanceof ServletServerHttpResponse servletResponse) {
      ResponseWork work = ServletResponses.workOf(servletRequest.getServletRequest());
      End end = End.of(servletResponse.getServletResponse().getStatus());
      if (work != null && (end == End.FAILED || (isCertain(converter) && work.isDone()))) {
        work.end(end);
      }
    }
    return body;
  }

  /** Returns whether a converter can write every value: texts and bytes, unlike objects. */
  private static boolean isCertain(Class<? extends HttpMessageConverter<?>> converter) {
    return converter == StringHttpMessageConverter.class
        || converter == ByteArrayHttpMessageConverter.class;
  }
}
