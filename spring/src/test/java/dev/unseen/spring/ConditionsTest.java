package dev.unseen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.Memory;
import dev.unseen.Reservation;
import dev.unseen.ReservationLimitException;
import dev.unseen.filter.FilterKind;
import dev.unseen.hash.HashKind;
import dev.unseen.spring.idempotent.IdempotencyAutoConfiguration;
import dev.unseen.spring.idempotent.Idempotent;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.core.MessageSelector;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Which beans there are, and when. */
class ConditionsTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  AopAutoConfiguration.class,
                  UnseenAutoConfiguration.class,
                  UnseenActuatorAutoConfiguration.class,
                  IdempotencyAutoConfiguration.class));

  /** Takes deduplicators as applications do. */
  static class User {
    final Deduplicator<String> usual;
    final Deduplicator<String> orders;

    User(Deduplicator<String> usual, @Qualifier("orders") Deduplicator<String> orders) {
      this.usual = usual;
      this.orders = orders;
    }
  }

  record Order(String id) {}

  @Configuration(proxyBeanMethods = false)
  static class OwnTexts {
    final Deduplicator<String> mine =
        Deduplicator.builder(Keys.utf8())
            .memory(Memory.MiB(2))
            .maxReservations(1)
            .concurrent()
            .build();

    @Bean
    Deduplicator<String> mine() {
      return mine;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnOrders {
    @Bean
    Deduplicator<Order> ordersDeduplicator(DeduplicatorFactory deduplicators) {
      return deduplicators.create("orders", Keys.utf8(Order::id));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TwiceOrders {
    @Bean
    Deduplicator<Order> mine(DeduplicatorFactory deduplicators) {
      return deduplicators.create("orders", Keys.utf8(Order::id));
    }
  }

  /** A bean to call. */
  public static class Service {
    @Idempotent(key = "#id")
    public void run(String id) {}
  }

  @Test
  void there_is_a_default_deduplicator_without_any_property() {
    runner.run(
        context -> {
          assertThat(context).hasSingleBean(Deduplicator.class).hasBean("deduplicator");
          Deduplicator<?> deduplicator = context.getBean(Deduplicator.class);
          assertThat(deduplicator.memoryBytes()).isEqualTo(Memory.MiB(16));
          assertThat(deduplicator.shards()).hasSize(128);
          assertThat(deduplicator.spec().secret()).isPresent();
        });
  }

  @Test
  void properties_describe_the_default_and_named_ones() {
    runner
        .withBean(User.class)
        .withPropertyValues(
            "unseen.memory=2MB",
            "unseen.window=24h",
            "unseen.max-false-positive-rate=1e-6",
            "unseen.hash=siphash",
            "unseen.secret=000102030405060708090a0b0c0d0e0f",
            "unseen.audit=1/16",
            "unseen.deduplicators.orders.expected-keys=100000",
            "unseen.deduplicators.orders.kind=bloom",
            "unseen.deduplicators.orders.seed=7")
        .run(
            context -> {
              assertThat(context).hasBean("deduplicator").hasBean("ordersDeduplicator");
              User user = context.getBean(User.class);
              assertThat(user.usual.spec().memoryBytes()).isEqualTo(Memory.MiB(2));
              assertThat(user.usual.spec().window().length())
                  .isEqualTo(Duration.ofHours(24).toMillis());
              assertThat(user.usual.report().maxFpr()).isEqualTo(1e-6);
              assertThat(user.usual.report().audit()).isPresent();
              assertThat(user.usual.spec().hash()).isEqualTo(HashKind.SIPHASH);
              assertThat(user.orders.spec().kind()).isEqualTo(FilterKind.BLOOM);
              assertThat(user.orders.spec().seed()).isEqualTo(7);
              assertThat(user.orders.spec().secret()).isEmpty();
            });
  }

  @Test
  void the_default_gives_way_to_a_bean_of_the_application() {
    runner
        .withUserConfiguration(OwnTexts.class)
        .run(context -> assertThat(context).hasSingleBean(Deduplicator.class).hasBean("mine"));
  }

  @Test
  void a_deduplicator_for_another_type_leaves_the_default_in_place() {
    runner
        .withUserConfiguration(OwnOrders.class)
        .withPropertyValues("unseen.deduplicators.orders.memory=3MB")
        .run(
            context -> {
              assertThat(context).hasBean("deduplicator").hasBean("ordersDeduplicator");
              Deduplicator<?> orders = context.getBean("ordersDeduplicator", Deduplicator.class);
              assertThat(orders.memoryBytes()).isEqualTo(Memory.MiB(3));
            });
  }

  /** The time, which a test can change. */
  static final class Time implements InstantSource {
    volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

    @Override
    public Instant instant() {
      return now;
    }
  }

  record Click(String id, Instant at) {}

  @Configuration(proxyBeanMethods = false)
  static class Timed {
    @Bean
    Time unseenClock() {
      return new Time();
    }

    @Bean
    DeduplicatorCustomizer patience() {
      return (name, builder) -> builder.maxTimeAhead(Duration.ofHours(1));
    }

    @Bean
    Deduplicator<Click> clicksDeduplicator(DeduplicatorFactory deduplicators) {
      return deduplicators.create(
          "clicks",
          Keys.utf8(Click::id),
          builder -> builder.eventTime(click -> click.at().toEpochMilli()));
    }
  }

  @Test
  void clock_event_time_and_other_options_are_beans() {
    runner
        .withUserConfiguration(Timed.class)
        .withPropertyValues("unseen.window=1h", "unseen.deduplicators.clicks.window=1h")
        .run(
            context -> {
              Time time = context.getBean(Time.class);
              Deduplicator<?> any = context.getBean("deduplicator", Deduplicator.class);
              @SuppressWarnings("unchecked") // declared above
              Deduplicator<String> usual = (Deduplicator<String>) any;
              assertThat(usual.admit("a")).isTrue();
              assertThat(usual.admit("a")).isFalse();
              time.now = time.now.plus(Duration.ofHours(2));
              assertThat(usual.admit("a")).isTrue();

              Deduplicator<?> other = context.getBean("clicksDeduplicator", Deduplicator.class);
              @SuppressWarnings("unchecked") // declared above
              Deduplicator<Click> clicks = (Deduplicator<Click>) other;
              assertThat(clicks.admit(new Click("a", time.now))).isTrue();
              assertThat(clicks.admit(new Click("a", time.now.plusSeconds(60)))).isFalse();
              assertThat(clicks.admit(new Click("a", time.now.plusSeconds(3 * 3600)))).isTrue();
              assertThat(clicks.report().rejectedTimes()).isEqualTo(1); // 3 hours ahead
              time.now = time.now.plus(Duration.ofHours(3));
              assertThat(clicks.admit(new Click("a", time.now))).isTrue();
            });
  }

  @Test
  void a_name_is_used_once() {
    runner
        .withUserConfiguration(TwiceOrders.class)
        .withPropertyValues("unseen.deduplicators.orders.memory=3MB")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasRootCauseInstanceOf(BadOptionException.class)
                    .hasRootCauseMessage("The deduplicator 'orders' was created already."));
  }

  @Test
  void all_can_be_switched_off() {
    runner
        .withPropertyValues("unseen.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .doesNotHaveBean(Deduplicator.class)
                    .doesNotHaveBean(DeduplicatorFactory.class)
                    .doesNotHaveBean("idempotentAdvisor"));
  }

  @Test
  void nothing_but_the_starter_is_needed() {
    runner
        .withBean(Service.class)
        .withClassLoader(
            new FilteredClassLoader(
                MeterRegistry.class,
                MeterBinder.class,
                HealthContributor.class,
                Endpoint.class,
                Mono.class,
                RestController.class,
                RedisClient.class,
                Caffeine.class,
                JdbcOperations.class,
                RecordInterceptor.class,
                MessageSelector.class,
                jakarta.servlet.Filter.class))
        .run(
            context -> {
              assertThat(context).hasSingleBean(Deduplicator.class);
              assertThat(context)
                  .doesNotHaveBean("unseenMeterBinder")
                  .doesNotHaveBean("unseenHealthContributor")
                  .doesNotHaveBean("unseenEndpoint");
              context.getBean(Service.class).run("a");
            });
  }

  @Test
  void what_a_property_needs_and_is_missing_is_named() {
    runner
        .withClassLoader(new FilteredClassLoader(RedisClient.class, Caffeine.class))
        .withPropertyValues("unseen.remote.uri=redis://localhost")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasRootCauseMessage(
                        "unseen.remote.uri needs Lettuce, which is not on the class path."));
    runner
        .withClassLoader(new FilteredClassLoader(RedisClient.class, Caffeine.class))
        .withPropertyValues("unseen.idempotency.replay.store=caffeine")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasRootCauseMessage(
                        "unseen.idempotency.replay.store=caffeine needs Caffeine, which is not on the class path."));
  }

  @Test
  void an_own_deduplicator_without_room_for_keys_is_reported_too() {
    List<Object> events = new CopyOnWriteArrayList<>();
    runner
        .withBean(Service.class)
        .withUserConfiguration(OwnTexts.class)
        .withInitializer(
            context ->
                context.addApplicationListener(
                    event -> {
                      if (event instanceof PayloadApplicationEvent<?> payload) {
                        events.add(payload.getPayload());
                      }
                    }))
        .run(
            context -> {
              Deduplicator<String> own = context.getBean(OwnTexts.class).mine;
              try (Reservation other = own.reserve("another key")) {
                assertThat(other.status()).isEqualTo(Reservation.Status.GRANTED);
                for (int i = 0; i < 3; i++) {
                  assertThatThrownBy(() -> context.getBean(Service.class).run("a"))
                      .isInstanceOf(ReservationLimitException.class);
                }
              }
              assertThat(events)
                  .filteredOn(ReservationLimitAlarm.class::isInstance)
                  .containsExactly(ReservationLimitAlarm.ofOwn("default"));
              context.getBean(Service.class).run("a");
            });
  }

  @Test
  void an_application_needs_nothing_of_the_web() {
    runner
        .withBean(Service.class)
        .withClassLoader(
            new FilteredClassLoader(
                "org.springframework.web", "org.springframework.http", "jakarta.servlet"))
        .run(context -> context.getBean(Service.class).run("a"));
  }

  @Test
  void health_can_be_switched_off() {
    runner.run(context -> assertThat(context).hasBean("unseenHealthContributor"));
    runner
        .withPropertyValues("management.health.unseen.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("unseenHealthContributor"));
  }
}
