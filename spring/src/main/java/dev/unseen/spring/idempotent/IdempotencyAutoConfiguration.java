package dev.unseen.spring.idempotent;

import dev.unseen.spring.DeduplicatorFactory;
import dev.unseen.spring.UnseenAutoConfiguration;
import dev.unseen.spring.UnseenProperties;
import dev.unseen.spring.UnseenProperties.FilterProperties;
import dev.unseen.spring.UnseenProperties.IdempotencyProperties;
import jakarta.servlet.Filter;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Configures {@link Idempotent}, its responses on the web, and the servlet filter. */
@AutoConfiguration(after = UnseenAutoConfiguration.class)
@ConditionalOnBean(DeduplicatorFactory.class)
public class IdempotencyAutoConfiguration {
  /** Outside transactions, whose advisor comes last: a key is marked after the commit. */
  private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

  private static final String HEADER = "unseen.idempotency.header";

  /** A token of RFC 9110, section 5.6.2. */
  private static final Pattern HEADER_NAME = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static IdempotentMethods idempotentMethods(Environment environment) {
    String header = environment.getProperty(HEADER, new IdempotencyProperties().getHeader());
    if (!HEADER_NAME.matcher(header).matches()) {
      throw new InvalidConfigurationPropertyValueException(
          HEADER,
          header,
          "it must be the name of a header, such as Idempotency-Key; leave it out for that one");
    }
    return new IdempotentMethods(header);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static KeyHolders keyHolders(ListableBeanFactory beans) {
    return new KeyHolders(beans);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static IdempotentInterceptor idempotentInterceptor(
      IdempotentMethods methods,
      KeyHolders holders,
      ObjectProvider<RequestFacts> requests,
      ObjectProvider<FailedResponse> failures,
      ListableBeanFactory beans) {
    Predicate<Object> isFailure = failures.getIfAvailable(() -> value -> false);
    return new IdempotentInterceptor(methods, holders, requests::getIfAvailable, isFailure, beans);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static DefaultPointcutAdvisor idempotentAdvisor(
      IdempotentMethods methods, IdempotentInterceptor interceptor) {
    DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(methods, interceptor);
    advisor.setOrder(ORDER);
    return advisor;
  }

  /** Says which values are failures. */
  interface FailedResponse extends Predicate<Object> {}

  /** Responses to duplicates and to missing keys, in servlet and in reactive applications. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication
  @ConditionalOnClass(RestControllerAdvice.class)
  static class Web {
    @Bean
    @ConditionalOnMissingBean
    IdempotencyProblems idempotencyProblems(UnseenProperties properties) {
      return new IdempotencyProblems(properties.getIdempotency());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static FailedResponse failedResponse() {
      return value ->
          value instanceof ResponseEntity<?> response && response.getStatusCode().isError();
    }
  }

  /** Keys from headers, and the filter. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({Filter.class, HandlerExceptionResolver.class, FilterRegistrationBean.class})
  static class Servlet {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ServletRequestFacts servletRequestFacts() {
      return new ServletRequestFacts();
    }

    @Bean
    @ConditionalOnBooleanProperty("unseen.idempotency.filter.enabled")
    FilterRegistrationBean<Filter> idempotencyKeyFilter(
        UnseenProperties properties,
        KeyHolders holders,
        @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> problems) {
      FilterProperties filter = properties.getIdempotency().getFilter();
      FilterRegistrationBean<Filter> registration =
          new FilterRegistrationBean<>(
              new IdempotencyKeyFilter(
                  properties.getIdempotency().getHeader(),
                  filter.getMethods(),
                  filter.isRequired(),
                  () -> holders.find(filter.getDeduplicator()),
                  (request, response, handler, e) ->
                      problems.getObject().resolveException(request, response, handler, e)));
      registration.setUrlPatterns(filter.getUrlPatterns());
      registration.setOrder(filter.getOrder());
      return registration;
    }
  }
}
