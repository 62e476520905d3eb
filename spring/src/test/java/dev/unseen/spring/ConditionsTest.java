package dev.unseen.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.Memory;
import dev.unseen.Reservation;
import dev.unseen.ReservationLimitException;
import dev.unseen.filter.FilterKind;
import dev.unseen.hash.HashKind;
import dev.unseen.spring.idempotent.IdempotencyAutoConfiguration;
import dev.unseen.spring.idempotent.Idempotent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
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
