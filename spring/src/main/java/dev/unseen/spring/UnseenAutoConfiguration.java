package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.client.ReservationStore;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** Configures the deduplicators that the properties describe. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "unseen.enabled", matchIfMissing = true)
@EnableConfigurationProperties({UnseenProperties.class, DeduplicatorProperties.class})
@Import(DeduplicatorRegistrar.class)
public class UnseenAutoConfiguration {
  private static final String REMOTE = "unseen.remote.uri";

  /** The name of the bean with the time, if the application has one. */
  private static final String CLOCK = "unseenClock";

  static final String FACTORY = "deduplicatorFactory";

  @Bean(FACTORY)
  DeduplicatorFactory deduplicatorFactory(
      DeduplicatorProperties usual,
      UnseenProperties properties,
      ApplicationEventPublisher events,
      @Qualifier(CLOCK) ObjectProvider<InstantSource> clock,
      ObjectProvider<DeduplicatorCustomizer> customizers) {
    return new DeduplicatorFactory(
        usual,
        properties.deduplicators(),
        events,
        (name, builder) -> {
          clock.ifAvailable(builder::clock);
          customizers.orderedStream().forEach(each -> each.customize(name, builder));
        });
  }

  /** The default keys, if a server holds them. */
  @Bean(DeduplicatorRegistrar.RESERVATIONS)
  @Primary
  @ConditionalOnProperty(REMOTE)
  @ConditionalOnMissingBean(name = DeduplicatorRegistrar.RESERVATIONS)
  ReservationStore reservations(DeduplicatorFactory deduplicators) {
    return deduplicators.connect(DeduplicatorFactory.DEFAULT);
  }

  /** The default deduplicator, unless the application has one for texts. */
  @Bean
  @Primary
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = REMOTE, havingValue = "none", matchIfMissing = true)
  Deduplicator<String> deduplicator(DeduplicatorFactory deduplicators) {
    return deduplicators.create(DeduplicatorFactory.DEFAULT);
  }
}
