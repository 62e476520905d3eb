package dev.unseen.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.kafka.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;

/** The listener of docs/kafka.md, with a real broker. */
class OrderListenerTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  @TempDir Path directory;

  @SpringBootApplication
  static class Application {}

  private static ConfigurableApplicationContext start(EmbeddedBroker broker) {
    return new SpringApplicationBuilder(Application.class)
        .registerShutdownHook(false)
        .run(
            "--spring.main.web-application-type=none",
            "--unseen.memory=64KB",
            "--spring.kafka.consumer.auto-offset-reset=earliest",
            "--spring.kafka.bootstrap-servers=" + broker.address());
  }

  @Test
  void an_order_is_charged_once_however_often_it_is_delivered() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1))).all().get();
      try (ConfigurableApplicationContext application = start(broker)) {
        deliver(application, admin);
      }
    }
  }

  private static void deliver(ConfigurableApplicationContext application, Admin admin)
      throws Exception {
    Payments payments = application.getBean(Payments.class);
    send(application, "1", "order 1 fails first");
    send(application, "2", "order 2");
    send(application, "1", "order 1 fails first"); // the producer has sent it again
    send(application, "3", "order 3");
    await().atMost(Duration.ofMinutes(1)).until(() -> payments.charged.contains("order 3"));
    assertThat(payments.charged).containsExactly("order 1 fails first", "order 2", "order 3");
    assertThat(payments.tried).hasSize(4); // the failure was tried again

    KafkaListenerEndpointRegistry listeners =
        application.getBean(KafkaListenerEndpointRegistry.class);
    listeners.stop();
    admin
        .alterConsumerGroupOffsets("billing", Map.of(ORDERS, new OffsetAndMetadata(0)))
        .all()
        .get(); // as if the offsets had been lost
    send(application, "4", "order 4");
    listeners.start();
    await().atMost(Duration.ofMinutes(1)).until(() -> payments.charged.contains("order 4"));
    assertThat(payments.tried).hasSize(5).last().isEqualTo("order 4");
  }

  @SuppressWarnings("unchecked") // texts are what Boot's template sends
  private static void send(ConfigurableApplicationContext application, String key, String value)
      throws Exception {
    application.getBean(KafkaTemplate.class).send("orders", key, value).get();
  }
}
