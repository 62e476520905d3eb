package dev.unseen.spring.idempotent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.spring.BadOptionException;
import dev.unseen.spring.UnseenAutoConfiguration;
import dev.unseen.spring.idempotent.Idempotent.OnDuplicate;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.assertj.ApplicationContextAssertProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The annotation on methods of any bean, without a web server. */
class IdempotentMethodsTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withPropertyValues("unseen.memory=64KB")
          .withConfiguration(
              AutoConfigurations.of(
                  AopAutoConfiguration.class,
                  UnseenAutoConfiguration.class,
                  IdempotencyAutoConfiguration.class));

  record Order(String id, List<Integer> items) {}

  @Retention(RetentionPolicy.RUNTIME)
  @Idempotent(required = false)
  @interface Once {
    @AliasFor(annotation = Idempotent.class, attribute = "key")
    String by();
  }

  interface Contract {
    @Idempotent(key = "#p0", scope = "contract")
    int fromInterface(String id);
  }

  static class Orders implements Contract {
    private final AtomicInteger runs = new AtomicInteger();

    public int runs() {
      return runs.get();
    }

    @Idempotent(key = "#order.id")
    public int ship(Order order) {
      return runs.incrementAndGet();
    }

    @Idempotent(key = "#order.id")
    public int bill(Order order) {
      return runs.incrementAndGet();
    }

    @Idempotent(key = "#order")
    public int whole(Order order) {
      return runs.incrementAndGet();
    }

    @Once(by = "#order?.items")
    public int composed(Order order) {
      return runs.incrementAndGet();
    }

    @Override
    public int fromInterface(String id) {
      return runs.incrementAndGet();
    }

    @Idempotent(key = "#id")
    public CompletableFuture<Integer> stage(String id, CompletableFuture<Integer> when) {
      runs.incrementAndGet();
      return when;
    }

    @Idempotent(key = "#id")
    public Mono<Integer> mono(String id, boolean fail) {
      return Mono.fromSupplier(
          () -> {
            runs.incrementAndGet();
            if (fail) {
              throw new IllegalStateException("it fails");
            }
            return runs.get();
          });
    }

    @Idempotent(key = "#id")
    public Flux<Integer> flux(String id) {
      return Flux.range(runs.incrementAndGet(), 3);
    }

    @Idempotent(key = "#id", onDuplicate = OnDuplicate.SKIP)
    public Optional<Integer> skipped(String id) {
      return Optional.of(runs.incrementAndGet());
    }

    @Idempotent(key = "#id", onDuplicate = OnDuplicate.SKIP)
    public Mono<Integer> skippedMono(String id) {
      return Mono.fromSupplier(runs::incrementAndGet);
    }

    @Idempotent(key = "#id", onDuplicate = OnDuplicate.SKIP)
    public CompletableFuture<Integer> skippedStage(String id, CompletableFuture<Integer> when) {
      runs.incrementAndGet();
      return when;
    }

    @Idempotent(key = "#id")
    public Object undeclared(String id) {
      return Mono.just(id);
    }
  }

  private void withOrders(Consumer<Orders> test) {
    runner.withBean(Orders.class).run(context -> test.accept(context.getBean(Orders.class)));
  }

  @Test
  void a_method_runs_once_for_each_key_and_scope() {
    withOrders(
        orders -> {
          Order order = new Order("1", List.of(1, 2));
          assertThat(orders.ship(order)).isEqualTo(1);
          assertThatThrownBy(() -> orders.ship(order))
              .isInstanceOf(DuplicateRequestException.class)
              .hasMessageContaining("processed before");
          assertThat(orders.bill(order)).isEqualTo(2);
          assertThat(orders.ship(new Order("2", List.of()))).isEqualTo(3);
          assertThatThrownBy(() -> orders.ship(new Order(null, List.of())))
              .isInstanceOf(MissingKeyException.class)
              .hasMessageContaining("#order.id");
        });
  }

  @Test
  void the_annotation_can_be_on_an_interface_or_part_of_another() {
    withOrders(
        orders -> {
          assertThat(orders.fromInterface("1")).isEqualTo(1);
          assertThatThrownBy(() -> orders.fromInterface("1"))
              .isInstanceOf(DuplicateRequestException.class);
          assertThat(orders.composed(new Order("1", List.of(1, 2)))).isEqualTo(2);
          assertThatThrownBy(() -> orders.composed(new Order("2", List.of(1, 2))))
              .isInstanceOf(DuplicateRequestException.class);
          assertThat(orders.composed(new Order("2", List.of(12)))).isEqualTo(3);
          assertThat(orders.composed(null)).isEqualTo(4); // has no key, and needs none
        });
  }

  @Test
  void a_key_without_a_text_is_rejected() {
    withOrders(
        orders ->
            assertThatThrownBy(() -> orders.whole(new Order("1", List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as #order.id"));
  }

  @Test
  void a_future_is_in_flight_until_it_completes() {
    withOrders(
        orders -> {
          CompletableFuture<Integer> work = new CompletableFuture<>();
          CompletableFuture<Integer> first = orders.stage("1", work);
          assertThatThrownBy(() -> orders.stage("1", work)).hasMessageContaining("being processed");
          work.complete(5);
          assertThat(first).isCompletedWithValue(5);
          assertThatThrownBy(() -> orders.stage("1", work))
              .hasMessageContaining("processed before");
          assertThat(orders.runs()).isEqualTo(1);
        });
  }

  @Test
  void a_mono_runs_when_it_is_subscribed_to_and_fails_without_a_trace() {
    withOrders(
        orders -> {
          Mono<Integer> failing = orders.mono("1", true);
          assertThat(orders.runs()).isZero();
          assertThatThrownBy(failing::block).hasMessage("it fails");
          assertThat(orders.mono("1", false).block()).isEqualTo(2);
          assertThatThrownBy(orders.mono("1", false)::block)
              .isInstanceOf(DuplicateRequestException.class);
          Mono<Integer> twice = orders.mono("2", false);
          assertThat(twice.block()).isEqualTo(3);
          assertThatThrownBy(twice::block).isInstanceOf(DuplicateRequestException.class);
        });
  }

  @Test
  void a_cancelled_flux_releases_its_key() {
    withOrders(
        orders -> {
          orders.flux("1").take(1).blockLast(); // takes one of three, and cancels
          assertThat(orders.flux("1").collectList().block()).containsExactly(2, 3, 4);
          assertThatThrownBy(orders.flux("1")::blockLast)
              .isInstanceOf(DuplicateRequestException.class);
        });
  }

  @Test
  void duplicates_can_be_skipped() {
    withOrders(
        orders -> {
          assertThat(orders.skipped("1")).hasValue(1);
          assertThat(orders.skipped("1")).isEmpty();
          assertThat(orders.skippedMono("1").block()).isEqualTo(2);
          assertThat(orders.skippedMono("1").blockOptional()).isEmpty();
          CompletableFuture<Integer> work = new CompletableFuture<>();
          CompletableFuture<Integer> first = orders.skippedStage("1", work);
          assertThatThrownBy(() -> orders.skippedStage("1", work))
              .hasMessageContaining("being processed"); // its outcome is not known
          work.complete(5);
          assertThat(first).isCompletedWithValue(5);
          assertThat(orders.skippedStage("1", work)).isCompletedWithValue(null);
          assertThat(orders.runs()).isEqualTo(3);
        });
  }

  @Test
  void a_future_that_was_not_declared_is_rejected() {
    withOrders(
        orders ->
            assertThatThrownBy(() -> orders.undeclared("1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("declare the method to return a CompletableFuture"));
  }

  /** A database whose commits fail while a flag is set. */
  static class Database extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1L;
    boolean fails = true;

    @Override
    protected Object doGetTransaction() {
      return "transaction";
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      if (fails) {
        throw new TransactionSystemException("the commit fails");
      }
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  static class Accounts {
    @Idempotent(key = "#id")
    @Transactional
    public String book(String id) {
      return "booked";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Transactions {
    @Bean
    Database database() {
      return new Database();
    }

    @Bean
    Accounts accounts() {
      return new Accounts();
    }
  }

  @Test
  void a_key_is_marked_after_the_transaction_has_been_committed() {
    runner
        .withUserConfiguration(Transactions.class)
        .run(
            context -> {
              Accounts accounts = context.getBean(Accounts.class);
              assertThatThrownBy(() -> accounts.book("1")).hasMessage("the commit fails");
              context.getBean(Database.class).fails = false;
              assertThat(accounts.book("1")).isEqualTo("booked");
              assertThatThrownBy(() -> accounts.book("1"))
                  .isInstanceOf(DuplicateRequestException.class);
            });
  }

  static class Unfinished {
    @Idempotent(key = "#id")
    public Future<String> run(String id) {
      return CompletableFuture.completedFuture(id);
    }
  }

  static class Deferred {
    @Idempotent(key = "#id")
    public DeferredResult<String> run(String id) {
      return new DeferredResult<>();
    }
  }

  static class Hidden {
    @Idempotent(key = "#id")
    private String run(String id) {
      return id;
    }

    public String call(String id) {
      return run(id);
    }
  }

  static class Misspelt {
    @Idempotent(key = "#ordr.id")
    public void run(Order order) {}
  }

  static class Unparsable {
    @Idempotent(key = "#order.")
    public void run(Order order) {}
  }

  static class Both {
    @Idempotent(key = "#id", header = "Request-Id")
    public void run(String id) {}
  }

  static class OfHeader {
    @Idempotent
    public void run() {}
  }

  static class OfNobody {
    @Idempotent(key = "#id", deduplicator = "nobody")
    public void run(String id) {}
  }

  static class Unseeing {
    @Idempotent(key = "#id")
    @PostMapping("/unseeing")
    public String run(String id) {
      return id;
    }
  }

  static class Seeing {
    @Idempotent(key = "#id")
    @PostMapping("/seeing")
    public String run(String id, ServerWebExchange exchange) {
      return id;
    }
  }

  static class SkippedNumber {
    @Idempotent(key = "#id", onDuplicate = OnDuplicate.SKIP)
    public int run(String id) {
      return 1;
    }
  }

  static class SkippedRequest {
    @PostMapping("/skipped")
    @Idempotent(key = "#id", onDuplicate = OnDuplicate.SKIP)
    public String run(String id) {
      return id;
    }
  }

  private void assertRejected(Class<?> bean, String... texts) {
    runner.withBean(bean).run(context -> assertFailed(context, texts));
  }

  private static void assertFailed(ApplicationContextAssertProvider<?> context, String... texts) {
    assertThat(context.getStartupFailure())
        .hasStackTraceContaining(BadOptionException.class.getName());
    for (String text : texts) {
      assertThat(context.getStartupFailure()).hasStackTraceContaining(text);
    }
  }

  @Test
  void a_handler_of_webflux_that_cannot_see_its_response_is_rejected() {
    ReactiveWebApplicationContextRunner reactive =
        new ReactiveWebApplicationContextRunner()
            .withPropertyValues("unseen.memory=64KB")
            .withConfiguration(
                AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    UnseenAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class));
    reactive
        .withBean(Unseeing.class)
        .run(
            context ->
                assertFailed(
                    context,
                    "it returns java.lang.String, and its response cannot be observed in WebFlux"));
    reactive.withBean(Seeing.class).run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void what_cannot_work_is_rejected_at_the_start() {
    assertRejected(Unfinished.class, "returns java.util.concurrent.Future");
    assertRejected(Deferred.class, "DeferredResult", "whose end cannot be observed");
    assertRejected(Hidden.class, "private, static or final");
    assertRejected(Misspelt.class, "#ordr is not a parameter; known: #order, #a0, #p0");
    assertRejected(Unparsable.class, "The key '#order.' of @Idempotent");
    assertRejected(Both.class, "it has a key and a header");
    assertRejected(OfHeader.class, "works in servlet applications only");
    assertRejected(SkippedNumber.class, "it returns int, which has no value");
    assertRejected(SkippedRequest.class, "it handles requests, and a duplicate needs a response");
    assertRejected(OfNobody.class, "no bean Deduplicator<String> of that name");
  }
}
