package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import dev.unseen.spring.DeduplicatorFactory;
import dev.unseen.spring.UnseenAutoConfiguration;
import dev.unseen.spring.UnseenProperties;
import dev.unseen.spring.UnseenProperties.ReplayProperties;
import java.time.Clock;
import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/** Configures where responses are kept, if they are. */
@AutoConfiguration(after = UnseenAutoConfiguration.class)
@ConditionalOnBean(DeduplicatorFactory.class)
public class ReplayAutoConfiguration {
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

  /** Returns the largest body that is kept. */
  static int maxBody(UnseenProperties properties) {
    DataSize size = properties.idempotency().replay().maxBody();
    if (size.isNegative() || size.compareTo(LARGEST) > 0) {
      throw new InvalidConfigurationPropertyValueException(
          PREFIX + "max-body", size, "it must be 0 to 1024MB, such as 64KB");
    }
    return (int) size.toBytes();
  }
}
