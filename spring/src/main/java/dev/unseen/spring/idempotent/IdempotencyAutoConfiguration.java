package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import dev.unseen.spring.DeduplicatorFactory;
import dev.unseen.spring.UnseenAutoConfiguration;
import dev.unseen.spring.UnseenProperties;
import dev.unseen.spring.UnseenProperties.FilterProperties;
import dev.unseen.spring.UnseenProperties.IdempotencyProperties;
import dev.unseen.spring.UnseenProperties.ReplayProperties;
import dev.unseen.spring.idempotent.IdempotencyKeyWebFilter.Rejections;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.time.Clock;
import java.time.Duration;
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
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Configures {@link Idempotent}, its responses on the web and where they are kept, and the filters.
 */
@AutoConfiguration(after = UnseenAutoConfiguration.class)
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
              new ServletResponses(methods, holders, Replay.maxBody(properties)));
      registration.setDispatcherTypes(
          DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.FORWARD);
      // In front of the filter of keys, which needs the work that this one creates.
      int order = properties.idempotency().filter().order();
      registration.setOrder(Math.max(order, Ordered.HIGHEST_PRECEDENCE + 1) - 1);
      return registration;
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
      return new ExchangeResponses(methods, holders, Replay.maxBody(properties));
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
      FilterProperties filter = properties.idempotency().filter();
      return new IdempotencyKeyWebFilter(
          new FilteredKeys(properties.idempotency(), holders),
          UrlPatterns.of(filter.urlPatterns()),
          filter.order(),
          rejections);
    }
  }

  /** Where responses are kept, if they are. */
  @Configuration(proxyBeanMethods = false)
  static class Replay {
    private static final String PREFIX = "unseen.idempotency.replay.";
    private static final String STORE = PREFIX + "store";
    private static final DataSize LARGEST = DataSize.ofMegabytes(1024);
    private static final Pattern TABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_$.]*");

    @Bean
    @ConditionalOnMissingBean(ResponseStore.class)
    @ConditionalOnProperty(name = STORE, havingValue = "caffeine")
    ResponseStore caffeineResponseStore(UnseenProperties properties) {
      requireClass("caffeine", "com.github.benmanes.caffeine.cache.Caffeine", "Caffeine");
      ReplayProperties replay = properties.idempotency().replay();
      if (replay.memory().isNegative() || replay.memory().toBytes() == 0) {
        throw new InvalidConfigurationPropertyValueException(
            PREFIX + "memory", replay.memory(), "it must be more than 0, such as 64MB");
      }
      return new CaffeineResponseStore(replay.memory().toBytes(), retention(replay));
    }

    @Bean
    @ConditionalOnMissingBean(ResponseStore.class)
    @ConditionalOnProperty(name = STORE, havingValue = "jdbc")
    ResponseStore jdbcResponseStore(UnseenProperties properties, ListableBeanFactory beans) {
      requireClass("jdbc", "org.springframework.jdbc.core.JdbcOperations", "Spring JDBC");
      ReplayProperties replay = properties.idempotency().replay();
      if (!TABLE.matcher(replay.table()).matches()) {
        throw new InvalidConfigurationPropertyValueException(
            PREFIX + "table", replay.table(), "it must be the name of a table, such as responses");
      }
      return new JdbcResponseStore(
          beans.getBean(JdbcOperations.class),
          replay.table(),
          retention(replay),
          beans.getBeanProvider(Clock.class).getIfUnique(Clock::systemUTC));
    }

    private static void requireClass(String store, String name, String library) {
      if (!ClassUtils.isPresent(name, null)) {
        throw new BadOptionException(
            "%s=%s needs %s, which is not on the class path.".formatted(STORE, store, library),
            "Add the dependency, or choose another store.",
            null);
      }
    }

    private static Duration retention(ReplayProperties replay) {
      Duration retention = replay.retention();
      if (retention.isNegative() || retention.isZero()) {
        throw new InvalidConfigurationPropertyValueException(
            PREFIX + "retention", retention, "it must be more than 0, such as 24h");
      }
      return retention;
    }

    static int maxBody(UnseenProperties properties) {
      DataSize size = properties.idempotency().replay().maxBody();
      if (size.isNegative() || size.compareTo(LARGEST) > 0) {
        throw new InvalidConfigurationPropertyValueException(
            PREFIX + "max-body", size, "it must be 0 to 1024MB, such as 64KB");
      }
      return (int) size.toBytes();
    }
  }
}
