package dev.unseen.kafka;

import dev.unseen.io.BrokerTrouble;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Asks the brokers about topics and offsets. While no broker answers it tells so and asks again,
 * for as long as the user is patient.
 */
final class Cluster implements AutoCloseable {
  private static final long MOST_ANSWER_MILLIS = 5000;
  private static final long LEAST_ANSWER_MILLIS = 500;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Admin admin;
  private final String address;
  private final String protocol; // of security; null: none
  private final Duration patience;
  private final int answerMillis; // to wait for one answer
  private final Consumer<String> tell;

  /**
   * Prepares to ask.
   *
   * @param config of a client
   * @param tell receives what the user should know while waiting
   */
  Cluster(Properties config, Duration patience, Consumer<String> tell) throws CommandFailure {
    this.address = config.getProperty("bootstrap.servers");
    this.protocol = config.getProperty("security.protocol");
    this.patience = patience;
    this.tell = tell;
    Map<String, Object> settings = new HashMap<>();
    config.forEach((name, value) -> settings.put(name.toString(), value));
    long answer = Math.max(LEAST_ANSWER_MILLIS, patience.toMillis() / 2);
    this.answerMillis = (int) Math.min(MOST_ANSWER_MILLIS, answer);
    settings.put("default.api.timeout.ms", answerMillis);
    settings.put("request.timeout.ms", answerMillis);
    try {
      admin = Admin.create(settings);
    } catch (KafkaException e) {
      throw CommandFailure.inputOrOutput(
          "%s cannot be talked to: %s; correct --bootstrap or --config"
              .formatted(address, settingsTrouble(e)),
          e);
    }
  }

  /** Returns what Kafka has against the settings: which, and why. */
  private static String settingsTrouble(KafkaException failure) {
    Throwable last = failure;
    while (last.getCause() instanceof KafkaException) {
      last = last.getCause();
    }
    String reason = CommandFailure.reason(failure);
    return last.getCause() == null ? reason : "%s (%s)".formatted(last.getMessage(), reason);
  }

  /** Returns the number of partitions of a topic; empty if there is no such topic. */
  Optional<Integer> partitions(String topic) throws CommandFailure, InterruptedException {
    try {
      return Optional.of(
          ask(() -> get(admin.describeTopics(List.of(topic)).allTopicNames()))
              .get(topic)
              .partitions()
              .size());
    } catch (CommandFailure e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      if (e.getCause() instanceof InvalidTopicException) {
        throw CommandFailure.inputOrOutput(
            "'%s' cannot be a topic: names have letters, digits, '.', '_' and '-' alone, and at most 249 of them"
                .formatted(topic),
            e);
      }
      throw e;
    }
  }

  /** Creates a topic. */
  void create(String topic, int partitions, Map<String, String> config)
      throws CommandFailure, InterruptedException {
    NewTopic created =
        new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(config);
    ask(() -> get(admin.createTopics(List.of(created)).all()));
  }

  /** Returns where the committed records of a topic end now. */
  Map<TopicPartition, Long> ends(String topic, int partitions)
      throws CommandFailure, InterruptedException {
    return ends(topic, partitions, IsolationLevel.READ_COMMITTED);
  }

  /**
   * Returns where all records of a topic end now, those of open transactions included. A
   * transaction that was committed a moment ago can still be open in some partitions.
   */
  Map<TopicPartition, Long> writtenEnds(String topic, int partitions)
      throws CommandFailure, InterruptedException {
    return ends(topic, partitions, IsolationLevel.READ_UNCOMMITTED);
  }

  private Map<TopicPartition, Long> ends(String topic, int partitions, IsolationLevel isolation)
      throws CommandFailure, InterruptedException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (int i = 0; i < partitions; i++) {
      asked.put(new TopicPartition(topic, i), OffsetSpec.latest());
    }
    ListOffsetsOptions options = new ListOffsetsOptions(isolation);
    Map<TopicPartition, Long> ends = new HashMap<>();
    ask(() -> get(admin.listOffsets(asked, options).all()))
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  /** Returns the records up to these ends that an application has not processed yet. */
  long lag(String application, Map<TopicPartition, Long> ends)
      throws CommandFailure, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> at = offsets(application);
    long lag = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      OffsetAndMetadata offset = at.get(end.getKey());
      lag += Math.max(0, end.getValue() - (offset == null ? 0 : offset.offset()));
    }
    return lag;
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(String application)
      throws CommandFailure, InterruptedException {
    try {
      return ask(
          () -> get(admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata()));
    } catch (CommandFailure e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return Map.of();
      }
      throw e;
    }
  }

  /** Asks until there is an answer. */
  private <T> T ask(Callable<T> question) throws CommandFailure, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    BrokerTrouble trouble = null; // null: there was none yet
    while (true) {
      try {
        T answer = question.call();
        if (trouble != null) {
          tell.accept("%s answers again".formatted(address));
        }
        return answer;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
        if (!isPassing(cause)) {
          throw refused(cause);
        }
        if (trouble == null) {
          trouble = BrokerTrouble.of(address, protocol);
          if (!trouble.passing()) {
            throw CommandFailure.inputOrOutput(
                "%s does not answer: %s".formatted(address, trouble.text()), cause);
          }
          tell.accept(
              "%s does not answer (%s); trying again for %s"
                  .formatted(address, CommandFailure.reason(cause), Print.duration(patience)));
        }
        if (System.nanoTime() > end) {
          throw CommandFailure.inputOrOutput(
              "%s has not answered for %s: %s"
                  .formatted(
                      address,
                      Print.duration(patience),
                      BrokerTrouble.of(address, protocol).text()),
              cause);
        }
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  private CommandFailure refused(Throwable cause) {
    String wayOut =
        cause instanceof SslAuthenticationException
            ? "; correct the certificates in --config (ssl.truststore.*, ssl.keystore.*)"
            : cause instanceof AuthenticationException
                ? "; correct the login in --config (sasl.*)"
                : "";
    return CommandFailure.inputOrOutput(
        "%s refuses: %s%s".formatted(address, CommandFailure.reason(cause), wayOut), cause);
  }

  /** Returns whether a question may have an answer later. */
  private static boolean isPassing(Throwable cause) {
    return cause instanceof TimeoutException
        || (cause instanceof RetriableException
            && !(cause instanceof UnknownTopicOrPartitionException));
  }

  private <T> T get(KafkaFuture<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(2L * answerMillis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
