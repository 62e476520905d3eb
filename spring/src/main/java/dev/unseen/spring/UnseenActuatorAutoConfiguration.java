package dev.unseen.spring;

import dev.unseen.micrometer.DeduplicatorMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures health, metrics and an endpoint, as far as the application has them. */
@AutoConfiguration(after = UnseenAutoConfiguration.class)
@ConditionalOnBean(DeduplicatorFactory.class)
public class UnseenActuatorAutoConfiguration {
  /** Meters, with the name of the deduplicator as the tag {@code name}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  static class Meters {
    @Bean
    MeterBinder unseenMeterBinder(DeduplicatorFactory deduplicators) {
      return registry -> deduplicators.watch(managed -> bind(managed, registry));
    }

    private static void bind(ManagedDeduplicator managed, MeterRegistry registry) {
      Tags tags = Tags.of("name", managed.name());
      managed
          .state()
          .map(saved -> new DeduplicatorMetrics(saved, tags))
          .orElseGet(() -> new DeduplicatorMetrics(managed.deduplicator(), tags))
          .bindTo(registry);
      FunctionCounter.builder(
              "unseen.rejected.reservations", managed, each -> each.rejected().count())
          .tags(tags)
          .description("Requests rejected because too many keys were reserved")
          .register(registry);
    }
  }

  /** The health of the deduplicators, under the name {@code unseen}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
  @ConditionalOnEnabledHealthIndicator("unseen")
  static class HealthOfDeduplicators {
    @Bean
    @ConditionalOnMissingBean(name = {"unseenHealthContributor", "unseenHealthIndicator"})
    DeduplicatorHealth unseenHealthContributor(DeduplicatorFactory deduplicators) {
      return new DeduplicatorHealth(deduplicators);
    }
  }

  /** Spring Boot 3, whose health is made of other classes. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthContributor")
  static class NoHealth {
    NoHealth() {
      LogFactory.getLog(UnseenActuatorAutoConfiguration.class)
          .warn(
              "The health of deduplicators needs Spring Boot 4: /actuator/health does not show it");
    }
  }

  /** The endpoint {@code unseen}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class Reports {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    UnseenEndpoint unseenEndpoint(DeduplicatorFactory deduplicators) {
      return new UnseenEndpoint(deduplicators);
    }
  }
}
