package dev.unseen.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.unseen.kafka.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The listener of docs/kafka.md, with a real broker. */
@SpringBootTest(
    webEnvironment = WebEnvironment.NONE,
    properties = {"unseen.memory=64KB", "spring.kafka.consumer.auto-offset-reset=earliest"})
@DirtiesContext
class OrderListenerTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

  @TempDir static Path directory;
  private static EmbeddedBroker broker;
  private static Admin admin;

  @SpringBootApplication
  static class Application {}

  @DynamicPropertySource
  static void start(DynamicPropertyRegistry properties) throws Exception {
    broker = EmbeddedBroker.start(Files.createDirectory(directory.resolve("broker")));
    admin = Admin.create(Map.of("bootstrap.servers", broker.address()));
    admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1))).all().get();
    properties.add("spring.kafka.bootstrap-servers", broker::address);
  }

  @AfterAll
  static void stop() {
    admin.close(Duration.ZERO);
    broker.close();
  }

  @Autowired KafkaTemplate<String, String> template;
  @Autowired KafkaListenerEndpointRegistry listeners;
  @Autowired Payments payments;

  @Test
  void an_order_is_charged_once_however_often_it_is_delivered() throws Exception {
    template.send("orders", "1", "order 1 fails first").get();
    template.send("orders", "2", "order 2").get();
    template.send("orders", "1", "order 1 fails first").get(); // the producer has sent it again
    template.send("orders", "3", "order 3").get();
    await().atMost(Duration.ofMinutes(1)).until(() -> payments.charged.contains("order 3"));
    assertThat(payments.charged).containsExactly("order 1 fails first", "order 2", "order 3");
    assertThat(payments.tried).hasSize(4); // the failure was tried again

    listeners.stop();
    admin
        .alterConsumerGroupOffsets("billing", Map.of(ORDERS, new OffsetAndMetadata(0)))
        .all()
        .get(); // as if the offsets had been lost
    template.send("orders", "4", "order 4").get();
    listeners.start();
    await().atMost(Duration.ofMinutes(1)).until(() -> payments.charged.contains("order 4"));
    assertThat(payments.tried).hasSize(5).last().isEqualTo("order 4");
    listeners.stop(); // before the broker
  }
}
