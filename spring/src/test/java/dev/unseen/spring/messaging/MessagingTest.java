package dev.unseen.spring.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.Deduplicator;
import dev.unseen.client.ReservationStore;
import dev.unseen.kafka.EmbeddedBroker;
import dev.unseen.spring.idempotent.Idempotent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.annotation.IdempotentReceiver;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.handler.advice.IdempotentReceiverInterceptor;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Messages from a real broker, which come twice and fail at first. */
@Timeout(300)
class MessagingTest {
  private static final String[] TOPICS = {"intercepted", "skipped", "received"};

  @TempDir Path directory;

  /** Records what was processed by topic. The first try of each order that is named so fails. */
  static class Book {
    final Map<String, List<String>> tried = new ConcurrentHashMap<>();
    final Map<String, List<String>> done = new ConcurrentHashMap<>();

    void process(String topic, String order) {
      List<String> before = tried.computeIfAbsent(topic, any -> new CopyOnWriteArrayList<>());
      boolean first = !before.contains(order);
      before.add(order);
      if (first && order.endsWith("fails first")) {
        throw new IllegalStateException("no connection");
      }
      done(topic).add(order);
    }

    List<String> done(String topic) {
      return done.computeIfAbsent(topic, any -> new CopyOnWriteArrayList<>());
    }
  }

  @SpringBootApplication
  @EnableIntegration
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Application {
    /** Spring Boot gives it to all listeners. Two topics have no key for it. */
    @Bean
    RecordInterceptor<Object, Object> once(Deduplicator<String> keys) {
      return new IdempotentRecordInterceptor<>(
          ReservationStore.of(keys),
          record -> record.topic().equals(TOPICS[0]) ? record.key().toString() : null);
    }

    @Bean
    IdempotentReceiverInterceptor receivedOnce(Deduplicator<String> keys) {
      IdempotentReceiverInterceptor interceptor =
          new IdempotentReceiverInterceptor(
              new IdempotentMessageSelector(
                  ReservationStore.of(keys),
                  message -> "received " + message.getHeaders().get("order", String.class)));
      interceptor.setDiscardChannelName("nullChannel");
      return interceptor;
    }

    @Bean
    DirectChannel orders() {
      return new DirectChannel();
    }

    @Bean
    @ServiceActivator(inputChannel = "orders")
    @IdempotentReceiver("receivedOnce")
    MessageHandler receiver(Book book) {
      return message -> book.process(TOPICS[2], message.getPayload().toString());
    }

    @Bean
    PlatformTransactionManager transactions() {
      return new AbstractPlatformTransactionManager() {
        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
          return "transaction";
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
      };
    }
  }

  static class Listener {
    private final Book book;
    private final DirectChannel orders;

    Listener(Book book, DirectChannel orders) {
      this.book = book;
      this.orders = orders;
    }

    @KafkaListener(topics = "intercepted", groupId = "billing")
    public void intercepted(ConsumerRecord<String, String> order) {
      book.process(TOPICS[0], order.value());
    }

    @KafkaListener(topics = "skipped", groupId = "billing")
    @Idempotent(key = "#order.key()", onDuplicate = Idempotent.OnDuplicate.SKIP)
    public void skipped(ConsumerRecord<String, String> order) {
      book.process(TOPICS[1], order.value());
    }

    @KafkaListener(topics = "received", groupId = "billing")
    @Transactional
    public void received(ConsumerRecord<String, String> order) {
      orders.send(
          MessageBuilder.withPayload(order.value()).setHeader("order", order.key()).build());
    }
  }

  @Test
  void each_message_is_processed_once_by_every_kind_of_listener() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      for (String topic : TOPICS) {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
      }
      try (ConfigurableApplicationContext application =
          new SpringApplicationBuilder(Application.class, Book.class, Listener.class)
              .registerShutdownHook(false)
              .run(
                  "--spring.main.web-application-type=none",
                  "--spring.autoconfigure.exclude=org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                  "--logging.level.root=off",
                  "--unseen.memory=64KB",
                  "--spring.kafka.consumer.auto-offset-reset=earliest",
                  "--spring.kafka.bootstrap-servers=" + broker.address())) {
        for (String topic : TOPICS) {
          send(application, topic, "1", "order 1 fails first");
          send(application, topic, "2", "order 2");
          send(application, topic, "1", "order 1 fails first"); // sent again
          send(application, topic, "2", "order 2");
          send(application, topic, "3", "order 3");
        }
        Book book = application.getBean(Book.class);
        for (String topic : TOPICS) {
          await(topic)
              .atMost(Duration.ofMinutes(2))
              .until(() -> book.done(topic).contains("order 3"));
          assertThat(book.done(topic))
              .as(topic)
              .containsExactly("order 1 fails first", "order 2", "order 3");
          assertThat(book.tried.get(topic)).as(topic).hasSize(4);
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // texts are what Boot's template sends
  private static void send(
      ConfigurableApplicationContext application, String topic, String key, String value)
      throws Exception {
    application.getBean(KafkaTemplate.class).send(topic, key, value).get();
  }
}
