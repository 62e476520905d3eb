package dev.unseen.spring;

import dev.unseen.Deduplicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** Configures the deduplicators that the properties describe. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "unseen.enabled", matchIfMissing = true)
@EnableConfigurationProperties(UnseenProperties.class)
@Import(DeduplicatorRegistrar.class)
public class UnseenAutoConfiguration {
  static final String FACTORY = "deduplicatorFactory";

  @Bean(FACTORY)
  DeduplicatorFactory deduplicatorFactory(
      UnseenProperties properties, ApplicationEventPublisher events) {
    return new DeduplicatorFactory(properties, events);
  }

  /** The default deduplicator, unless the application has one for texts. */
  @Bean
  @Primary
  @ConditionalOnMissingBean
  Deduplicator<String> deduplicator(DeduplicatorFactory deduplicators) {
    return deduplicators.create(DeduplicatorFactory.DEFAULT);
  }
}
