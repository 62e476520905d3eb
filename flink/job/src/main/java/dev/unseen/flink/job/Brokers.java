package dev.unseen.flink.job;

import dev.unseen.commands.BrokerDiagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The brokers of Kafka: where they are and how to log in.
 *
 * @param servers as Kafka's {@code bootstrap.servers}
 * @param settings of the clients, such as credentials
 */
record Brokers(String servers, Properties settings) {
  private static final int SECONDS = 60;

  /**
   * Takes the options {@code --bootstrap} and {@code --config}.
   *
   * @throws IllegalArgumentException if the file cannot be read, or there are no brokers
   */
  static Brokers of(Optional<String> bootstrap, Optional<String> config) {
    Properties settings = new Properties();
    if (config.isPresent()) {
      try (InputStream in = Files.newInputStream(Path.of(config.get()))) {
        settings.load(in);
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "cannot read the settings '%s'; name a file of Kafka's client properties"
                .formatted(config.get()),
            e);
      }
    }
    String servers = bootstrap.orElse(settings.getProperty("bootstrap.servers"));
    if (servers == null) {
      throw new IllegalArgumentException(
          "a topic needs its brokers; name one with --bootstrap HOST:PORT");
    }
    return new Brokers(servers, settings);
  }

  /**
   * Checks that the topics exist, before the job starts.
   *
   * @throws IllegalArgumentException if a topic does not exist
   * @throws IOException if no broker answers
   */
  void requireTopics(List<String> topics) throws IOException, InterruptedException {
    try (Admin client = admin()) {
      for (String topic : topics) {
        requireTopic(client, topic);
      }
    } catch (KafkaException e) {
      throw new IOException(
          "%s cannot be talked to: %s; correct --bootstrap or --config"
              .formatted(servers, reason(e)),
          e);
    }
  }

  private Admin admin() {
    Properties admin = new Properties();
    admin.putAll(settings);
    admin.put("bootstrap.servers", servers);
    return Admin.create(admin);
  }

  /**
   * Commits offsets, so that a group resumes there. Offsets that are already further ahead stay.
   *
   * @param ends for each partition of the topic the offset to resume at; 0 leaves the committed
   *     offset unchanged
   * @throws IOException if no broker accepts them
   */
  void commit(String group, String topic, long[] ends) throws IOException, InterruptedException {
    try (Admin client = admin()) {
      Map<TopicPartition, OffsetAndMetadata> before =
          client
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get(SECONDS, TimeUnit.SECONDS);
      Map<TopicPartition, OffsetAndMetadata> after = new HashMap<>();
      for (int i = 0; i < ends.length; i++) {
        TopicPartition partition = new TopicPartition(topic, i);
        OffsetAndMetadata committed = before.get(partition);
        if (ends[i] > (committed == null ? 0 : committed.offset())) {
          after.put(partition, new OffsetAndMetadata(ends[i]));
        }
      }
      if (!after.isEmpty()) {
        client.alterConsumerGroupOffsets(group, after).all().get(SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new IOException(
          "all records are written, but the offsets of the group '%s' could not be committed, so its next run reads some of them again: %s"
              .formatted(group, whyNotCommitted(e)),
          e);
    }
  }

  private static String whyNotCommitted(Exception e) {
    if (e.getCause() instanceof UnknownMemberIdException) {
      return "other programs read as this group; name another with --group";
    }
    return e instanceof TimeoutException
        ? "no answer for %d seconds".formatted(SECONDS)
        : reason(e);
  }

  private void requireTopic(Admin client, String topic) throws IOException, InterruptedException {
    try {
      client.describeTopics(List.of(topic)).allTopicNames().get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new IllegalArgumentException(
            "there is no topic '%s' at %s; create it, or name another".formatted(topic, servers),
            e);
      }
      if (e.getCause() instanceof RetriableException) {
        throw unreachable(e);
      }
      throw new IOException(
          "%s rejects the connection: %s; correct the login or the certificates in --config"
              .formatted(servers, reason(e)),
          e);
    } catch (TimeoutException e) {
      throw unreachable(e);
    }
  }

  private IOException unreachable(Exception e) {
    String trouble = BrokerDiagnosis.of(servers, settings.getProperty("security.protocol")).text();
    return new IOException(
        "%s has not answered for %d seconds: %s".formatted(servers, SECONDS, trouble), e);
  }

  private static String reason(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
  }
}
