package dev.unseen.spring.idempotent;

import dev.unseen.spring.DeduplicatorFactory;
import dev.unseen.spring.UnseenAutoConfiguration;
import dev.unseen.spring.UnseenProperties;
import dev.unseen.spring.UnseenProperties.FilterProperties;
import dev.unseen.spring.UnseenProperties.IdempotencyProperties;
import jakarta.servlet.Filter;
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
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Configures {@link Idempotent}, its responses on the web, and the filters. */
@AutoConfiguration(after = {UnseenAutoConfiguration.class, ReplayAutoConfiguration.class})
@ConditionalOnBean(DeduplicatorFactory.class)
public class IdempotencyAutoConfiguration {
  /** Outside transactions, whose advisor comes last: a key is marked after the commit. */
  private static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1000;

  private static final String HEADER = "unseen.idempotency.header";
  private static final String FILTER_ENABLED = "unseen.idempotency.filter.enabled";

  /** A token of RFC 9110, section 5.6.2. */
  private static final Pattern HEADER_NAME = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static IdempotentMethods idempotentMethods(Environment environment) {
    String header = environment.getProperty(HEADER, IdempotencyProperties.DEFAULT_HEADER);
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
      ObjectProvider<Requests> requests,
      ListableBeanFactory beans) {
    return new IdempotentInterceptor(
        methods, holders, () -> requests.getIfAvailable(() -> new Requests() {}), beans);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static DefaultPointcutAdvisor idempotentAdvisor(
      IdempotentMethods methods, IdempotentInterceptor interceptor) {
    DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(methods, interceptor);
    advisor.setOrder(ORDER);
    return advisor;
  }

  /** Responses to duplicates and to missing keys, in servlet and in reactive applications. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication
  @ConditionalOnClass(RestControllerAdvice.class)
  static class Web {
    @Bean
    @ConditionalOnMissingBean
    IdempotencyProblems idempotencyProblems(UnseenProperties properties) {
      return new IdempotencyProblems(properties.idempotency());
    }
  }

  /** Keys from headers, the end of responses, and the filter, with servlets. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({Filter.class, HandlerExceptionResolver.class, FilterRegistrationBean.class})
  static class Servlet {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ServletRequests servletRequests() {
      return new ServletRequests();
    }

    @Bean
    FilterRegistrationBean<Filter> idempotencyServletResponses(
        IdempotentMethods methods, KeyHolders holders, UnseenProperties properties) {
      FilterRegistrationBean<Filter> registration =
          new FilterRegistrationBean<>(
              new ServletResponses(methods, holders, ReplayAutoConfiguration.maxBody(properties)));
      // In front of the filter of keys, which needs the work that this one creates.
      int order = properties.idempotency().filter().order();
      registration.setOrder(Math.max(order, Ordered.HIGHEST_PRECEDENCE + 1) - 1);
      return registration;
    }

    @Bean
    IdempotentBodyAdvice idempotentBodyAdvice() {
      return new IdempotentBodyAdvice();
    }

    @Bean
    @ConditionalOnBooleanProperty(FILTER_ENABLED)
    FilterRegistrationBean<Filter> idempotencyKeyFilter(
        UnseenProperties properties,
        KeyHolders holders,
        @Qualifier("handlerExceptionResolver") ObjectProvider<HandlerExceptionResolver> problems) {
      FilterProperties filter = properties.idempotency().filter();
      FilterRegistrationBean<Filter> registration =
          new FilterRegistrationBean<>(
              new IdempotencyKeyFilter(
                  new FilteredKeys(properties.idempotency(), holders),
                  (request, response, handler, e) ->
                      problems.getObject().resolveException(request, response, handler, e)));
      UrlPatterns.of(filter.urlPatterns());
      registration.setUrlPatterns(filter.urlPatterns());
      registration.setOrder(filter.order());
      return registration;
    }
  }

  /** The end of responses, and the filter, in WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @ConditionalOnClass({DispatcherHandler.class, WebFilter.class})
  static class Reactive {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ExchangeResponses exchangeResponses(
        IdempotentMethods methods, KeyHolders holders, UnseenProperties properties) {
      return new ExchangeResponses(methods, holders, ReplayAutoConfiguration.maxBody(properties));
    }

    @Bean
    @ConditionalOnBooleanProperty(FILTER_ENABLED)
    Rejections idempotencyRejections(
        @Qualifier(WebHttpHandlerBuilder.WEB_HANDLER_BEAN_NAME)
            ObjectProvider<WebHandler> dispatcher) {
      return new Rejections(dispatcher::getObject);
    }

    @Bean
    @ConditionalOnBooleanProperty(FILTER_ENABLED)
    IdempotencyKeyWebFilter idempotencyKeyFilter(
        UnseenProperties properties, KeyHolders holders, Rejections rejections) {
      return new IdempotencyKeyWebFilter(
          new FilteredKeys(properties.idempotency(), holders),
          properties.idempotency().filter(),
          rejections);
    }
  }
}
