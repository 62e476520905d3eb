package dev.unseen.kafka;

import dev.unseen.commands.CliException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/** Finds mistakes in the topics before anything runs. */
final class TopicChecks {
  private final Cluster cluster;
  private final TopicOptions options;

  TopicChecks(Cluster cluster, TopicOptions options) {
    this.cluster = cluster;
    this.options = options;
  }

  /** Checks all topics; returns the number of partitions of the one that is read. */
  int all() throws CliException, InterruptedException {
    if (options.readsStandardInput()) {
      prepareStandardInput();
    }
    Optional<Integer> partitions = cluster.partitions(options.source());
    if (partitions.isEmpty()) {
      throw missing("--from", options.source(), 1);
    }
    for (String option : new String[] {"--to", "--duplicates-to", "--rejects-to"}) {
      String topic = options.text(option).orElse(TopicOptions.STANDARD);
      if (!topic.equals(TopicOptions.STANDARD)) {
        output(option, topic, partitions.get());
      }
    }
    return partitions.get();
  }

  private void prepareStandardInput() throws CliException, InterruptedException {
    if (cluster.partitions(options.source()).isEmpty()) {
      String day = Long.toString(Duration.ofDays(1).toMillis());
      cluster.create(options.source(), 1, Map.of(TopicConfig.RETENTION_MS_CONFIG, day));
    }
  }

  private void output(String option, String topic, int wanted)
      throws CliException, InterruptedException {
    Optional<Integer> partitions = cluster.partitions(topic);
    if (partitions.isEmpty()) {
      throw missing(option, topic, wanted);
    }
    if (partitions.get() < wanted) {
      throw CliException.inputOrOutput(
          "%s '%s' has %d partitions and '%s' has %d, and records stay in their partition; add partitions: kafka-topics --alter --topic %s --partitions %d"
              .formatted(option, topic, partitions.get(), options.source(), wanted, topic, wanted),
          null);
    }
  }

  private static CliException missing(String option, String topic, int partitions) {
    return CliException.inputOrOutput(
        "%s '%s' is not a topic of this cluster; correct the name, or create it: kafka-topics --create --topic %s --partitions %d"
            .formatted(option, topic, topic, partitions),
        null);
  }
}
