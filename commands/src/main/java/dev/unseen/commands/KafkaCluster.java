package dev.unseen.commands;

import dev.unseen.text.Print;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the brokers of Kafka about topics and offsets. While no broker answers it reports that once
 * and keeps waiting, for as long as the user is patient. It needs Kafka's clients, which only the
 * commands that use it bring.
 */
public final class KafkaCluster implements AutoCloseable {
  private static final String SERVERS = "bootstrap.servers";

  /** The longest wait before the user is informed that there is no answer yet. */
  private static final long MOST_SILENCE_MILLIS = 5000;

  private static final long LEAST_SILENCE_MILLIS = 500;

  /** Kafka's own time for a request: a slow broker is not asked again before it could answer. */
  private static final long MOST_REQUEST_MILLIS = 30_000;

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Admin admin;
  private final String address;
  private final @Nullable String protocol; // of security
  private final Duration patience;
  private final long silenceMillis; // to wait for an answer before a look at why there is none
  private final LongSupplier nanoTime;
  private final Consumer<String> log;

  /**
   * Prepares to ask.
   *
   * @param config of a client, as {@link #settings} returns it
   * @param nanoTime the clock of the patience, as {@link System#nanoTime}
   * @param log receives what the user should know while waiting
   */
  public KafkaCluster(
      Properties config, Duration patience, LongSupplier nanoTime, Consumer<String> log)
      throws CliException {
    this.address = config.getProperty(SERVERS, "");
    this.protocol = config.getProperty("security.protocol");
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.log = log;
    long half = Math.max(LEAST_SILENCE_MILLIS, patience.toMillis() / 2);
    this.silenceMillis = Math.min(MOST_SILENCE_MILLIS, half);
    int request = (int) Math.min(MOST_REQUEST_MILLIS, half);
    Map<String, Object> settings = new HashMap<>();
    config.forEach((name, value) -> settings.put(name.toString(), value));
    settings.put("request.timeout.ms", request);
    settings.put(
        "default.api.timeout.ms",
        (int) Math.max(request, Math.min(Integer.MAX_VALUE, patience.toMillis())));
    try {
      admin = Admin.create(settings);
    } catch (KafkaException e) {
      throw CliException.inputOrOutput(
          "%s cannot be talked to: %s; correct --bootstrap or --config"
              .formatted(address, settingsTrouble(e)),
          e);
    }
  }

  /**
   * Returns the settings of clients.
   *
   * @param bootstrap the brokers, if the user names them
   * @param file the user's file of settings
   * @throws IllegalArgumentException if it cannot be read, or nothing names the brokers
   */
  public static Properties settings(Optional<String> bootstrap, Optional<String> file) {
    Properties settings = new Properties();
    if (file.isPresent()) {
      try (InputStream in = Files.newInputStream(Path.of(file.get()))) {
        settings.load(in);
      } catch (IOException e) {
        throw new IllegalArgumentException(
            "cannot read the settings '%s' (%s); name a file of Kafka's client properties"
                .formatted(file.get(), IoMessages.describe(e)),
            e);
      }
    }
    bootstrap.ifPresent(servers -> settings.put(SERVERS, servers));
    if (!settings.containsKey(SERVERS)) {
      throw new IllegalArgumentException(
          "--bootstrap is missing; name a broker such as localhost:9092, or a --config with "
              + SERVERS);
    }
    return settings;
  }

  /** Returns what Kafka has against the settings: which, and why. */
  private static String settingsTrouble(KafkaException failure) {
    Throwable last = failure;
    while (last.getCause() instanceof KafkaException cause) {
      last = cause;
    }
    String reason = IoMessages.innermost(failure);
    return last.getCause() == null ? reason : "%s (%s)".formatted(last.getMessage(), reason);
  }

  /** Returns the number of partitions of a topic; empty if there is no such topic. */
  public Optional<Integer> partitions(String topic) throws CliException, InterruptedException {
    try {
      return Optional.of(
          ask(() -> admin.describeTopics(List.of(topic)).allTopicNames())
              .values()
              .iterator()
              .next()
              .partitions()
              .size());
    } catch (CliException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      if (e.getCause() instanceof InvalidTopicException) {
        throw CliException.inputOrOutput(
            "'%s' cannot be a topic: names have letters, digits, '.', '_' and '-' alone, and at most 249 of them"
                .formatted(topic),
            e);
      }
      throw e;
    }
  }

  /**
   * Creates a topic, unless it exists: a request that got no answer may have created it. Returns
   * when the brokers that answer know it.
   */
  public void create(String topic, int partitions, Map<String, String> config)
      throws CliException, InterruptedException {
    NewTopic created =
        new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(config);
    try {
      ask(() -> admin.createTopics(List.of(created)).all());
    } catch (CliException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
    long end = nanoTime.getAsLong() + patience.toNanos();
    while (partitions(topic).isEmpty()) {
      if (nanoTime.getAsLong() - end > 0) {
        throw CliException.inputOrOutput(
            "'%s' was created at %s, and is not known there after %s; start again later"
                .formatted(topic, address, Print.duration(patience)),
            null);
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  /** Returns where the committed records of a topic end now. */
  public Map<TopicPartition, Long> ends(String topic, int partitions)
      throws CliException, InterruptedException {
    return ends(topic, partitions, IsolationLevel.READ_COMMITTED);
  }

  /**
   * Returns where all records of a topic end now, those of open transactions included. A
   * transaction that was committed a moment ago can still be open in some partitions.
   */
  public Map<TopicPartition, Long> writtenEnds(String topic, int partitions)
      throws CliException, InterruptedException {
    return ends(topic, partitions, IsolationLevel.READ_UNCOMMITTED);
  }

  private Map<TopicPartition, Long> ends(String topic, int partitions, IsolationLevel isolation)
      throws CliException, InterruptedException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (int i = 0; i < partitions; i++) {
      asked.put(new TopicPartition(topic, i), OffsetSpec.latest());
    }
    ListOffsetsOptions options = new ListOffsetsOptions(isolation);
    Map<TopicPartition, Long> ends = new HashMap<>();
    ask(() -> admin.listOffsets(asked, options).all())
        .forEach((partition, end) -> ends.put(partition, end.offset()));
    return ends;
  }

  /** Returns the records up to these ends that an application has not processed yet. */
  public long lag(String application, Map<TopicPartition, Long> ends)
      throws CliException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> at = offsets(application);
    long lag = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      OffsetAndMetadata offset = at.get(end.getKey());
      lag += Math.max(0, end.getValue() - (offset == null ? 0 : offset.offset()));
    }
    return lag;
  }

  /**
   * Commits offsets, so that a group resumes there. Offsets that are already further ahead stay.
   *
   * @param ends for each partition the offset to resume at; 0 leaves the committed one unchanged
   */
  public void commit(String group, Map<TopicPartition, Long> ends)
      throws CliException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> before = offsets(group);
    Map<TopicPartition, OffsetAndMetadata> after = new HashMap<>();
    ends.forEach(
        (partition, end) -> {
          OffsetAndMetadata committed = before.get(partition);
          if (end > (committed == null ? 0 : committed.offset())) {
            after.put(partition, new OffsetAndMetadata(end));
          }
        });
    if (!after.isEmpty()) {
      ask(() -> admin.alterConsumerGroupOffsets(group, after).all());
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets(String application)
      throws CliException, InterruptedException {
    try {
      return ask(() -> admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata());
    } catch (CliException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return Map.of();
      }
      throw e;
    }
  }

  /** Asks until there is an answer, which may be that of a broker that rejects the question. */
  private <T> T ask(Supplier<KafkaFuture<T>> question) throws CliException, InterruptedException {
    long end = nanoTime.getAsLong() + patience.toNanos();
    boolean silent = false; // whether the user knows that there is no answer
    KafkaFuture<T> answer = question.get();
    while (true) {
      try {
        T found = answer.get(silenceMillis, TimeUnit.MILLISECONDS);
        answered(silent);
        return found;
      } catch (TimeoutException e) { // it may still come
        waitOn(silent, end, e);
        silent = true;
      } catch (ExecutionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        if (!isPassing(cause)) {
          answered(silent);
          throw rejected(cause);
        }
        waitOn(silent, end, cause);
        silent = true;
        Thread.sleep(PAUSE.toMillis());
        answer = question.get();
      }
    }
  }

  private void answered(boolean silent) {
    if (silent) {
      log.accept("%s answers again".formatted(address));
    }
  }

  /**
   * Reports the first time that there is no answer; fails if none can come, or it took too long.
   */
  private void waitOn(boolean silent, long end, Throwable cause) throws CliException {
    BrokerDiagnosis trouble = BrokerDiagnosis.of(address, protocol);
    if (!trouble.passing()) {
      throw CliException.inputOrOutput(
          "%s does not answer: %s".formatted(address, trouble.text()), cause);
    }
    if (!silent) {
      log.accept(
          "%s does not answer (%s); trying again for %s"
              .formatted(address, trouble.text(), Print.duration(patience)));
    }
    if (nanoTime.getAsLong() - end > 0) {
      throw CliException.inputOrOutput(
          "%s has not answered for %s: %s"
              .formatted(address, Print.duration(patience), trouble.text()),
          cause);
    }
  }

  private CliException rejected(Throwable cause) {
    String remedy =
        cause instanceof SslAuthenticationException
            ? "; correct the certificates in --config (ssl.truststore.*, ssl.keystore.*)"
            : cause instanceof AuthenticationException
                ? "; correct the login in --config (sasl.*)"
                : "";
    return CliException.inputOrOutput(
        "%s rejects: %s%s".formatted(address, IoMessages.innermost(cause), remedy), cause);
  }

  /** Returns whether a question may have an answer later. */
  private static boolean isPassing(Throwable cause) {
    return cause instanceof RetriableException
        && !(cause instanceof UnknownTopicOrPartitionException);
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
