package dev.unseen.kafka;

import dev.unseen.Option;
import dev.unseen.filter.Window;
import dev.unseen.text.Print;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * A changelog topic, as the broker has it. It has a partition for each task, and exists before the
 * first task starts.
 *
 * @param partitions which share the memory
 */
record ChangelogTopic(String name, int partitions) {
  private static final System.Logger LOG = System.getLogger("dev.unseen");
  private static final String TEST_DRIVER = "org.apache.kafka.streams.TopologyTestDriver";
  private static final long TIMEOUT_SECONDS = 60;
  private static final long PAUSE_MILLIS = 100;

  /**
   * Asks the broker.
   *
   * @param config of the application
   * @throws DeduplicationRejectedException if the topic forgets sooner than the window
   */
  static ChangelogTopic ask(String name, Map<String, Object> config, PartitionOptions options) {
    if (isTestDriver()) {
      return new ChangelogTopic(name, 1);
    }
    Map<String, Object> adminConfig = new StreamsConfig(config).getAdminConfigs("unseen");
    try (Admin admin = Admin.create(adminConfig)) {
      int partitions = count(name, admin);
      check(name, admin, options, partitions);
      return new ChangelogTopic(name, partitions);
    } catch (ExecutionException | TimeoutException e) {
      throw new StreamsException(
          "the partitions of %s cannot be counted (%s); allow the application to describe it, or set partitions(n)"
              .formatted(name, e.getMessage()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StreamsException("interrupted while the broker was asked for " + name, e);
    }
  }

  /**
   * Returns the number of partitions. The topic was just created, if this is the first start, and
   * not all brokers need to know it yet.
   */
  private static int count(String name, Admin admin)
      throws ExecutionException, InterruptedException, TimeoutException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (true) {
      try {
        return admin
            .describeTopics(List.of(name))
            .allTopicNames()
            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
            .get(name)
            .partitions()
            .size();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
            || System.nanoTime() - end > 0) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Returns whether this is a unit test, which has no broker to ask, whatever its settings say. */
  private static boolean isTestDriver() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(TEST_DRIVER)));
  }

  private static void check(String name, Admin admin, PartitionOptions options, int partitions)
      throws InterruptedException, TimeoutException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
    Config config;
    try {
      config =
          admin
              .describeConfigs(List.of(resource))
              .all()
              .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
              .get(resource);
    } catch (ExecutionException e) {
      LOG.log(
          Level.WARNING,
          "how long {0} keeps its entries is unknown ({1}); make sure that it is at least the window, or enough for the memory",
          name,
          e.getMessage());
      return;
    }
    if (!value(config, TopicConfig.CLEANUP_POLICY_CONFIG).contains("delete")) {
      return; // it forgets nothing
    }
    if (options.window().isTime()) {
      long millis = Long.parseLong(value(config, TopicConfig.RETENTION_MS_CONFIG));
      requireRetention(name, millis, options.window());
      warn(name, config);
    } else {
      warnIfSmall(
          name,
          Long.parseLong(value(config, TopicConfig.RETENTION_BYTES_CONFIG)),
          options.config().get(Option.MEMORY, 0L) / partitions);
    }
  }

  /** Logs that a topic was made for a smaller filter, as after the memory has grown. */
  private static void warnIfSmall(String name, long bytes, long memoryBytes) {
    long wanted = ChangelogRetention.of(Window.NONE, memoryBytes, null).bytes();
    if (bytes >= 0 && bytes < wanted) {
      LOG.log(
          Level.WARNING,
          "%s keeps %s per partition (retention.bytes=%d), which is less than the memory needs: after a restart, the oldest keys would be forgotten. Run kafka-configs --alter --entity-type topics --entity-name %s --add-config retention.bytes=%d"
              .formatted(name, Print.bytes(bytes), bytes, name, wanted));
    }
  }

  private static void requireRetention(String name, long millis, Window window) {
    if (millis >= 0 && millis < window.length()) {
      throw new DeduplicationRejectedException(
          "%s keeps its entries for %s (retention.ms=%d), and the window is %s: after a restart, duplicates would get through. Run kafka-configs --alter --entity-type topics --entity-name %s --add-config retention.ms=%d"
              .formatted(
                  name,
                  Print.duration(Duration.ofMillis(millis)),
                  millis,
                  Print.duration(Duration.ofMillis(window.length())),
                  name,
                  ChangelogRetention.of(window, 0, null).millis()),
          null);
    }
  }

  /** Logs settings with which the topic may delete records too soon. */
  private static void warn(String name, Config config) {
    if (!value(config, TopicConfig.RETENTION_BYTES_CONFIG).equals("-1")) {
      LOG.log(
          Level.WARNING,
          "{0} has retention.bytes={1}, which may delete entries before the window ends; set it to -1",
          name,
          value(config, TopicConfig.RETENTION_BYTES_CONFIG));
    }
    if (!value(config, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals("LogAppendTime")) {
      LOG.log(
          Level.WARNING,
          "{0} has message.timestamp.type={1}, so entries of records with old timestamps are deleted at once; set it to LogAppendTime",
          name,
          value(config, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG));
    }
  }

  private static String value(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }
}
