package dev.unseen.kafka;

import dev.unseen.commands.CliException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/** Finds mistakes in the topics before anything runs. */
final class TopicChecks {
  private final Cluster cluster;
  private final Topics topics;

  TopicChecks(Cluster cluster, Topics topics) {
    this.cluster = cluster;
    this.topics = topics;
  }

  /** Checks all topics; returns the number of partitions of the one that is read. */
  int all() throws CliException, InterruptedException {
    if (topics.readsStandardInput()) {
      prepareStandardInput();
    }
    Optional<Integer> partitions = cluster.partitions(topics.source());
    if (partitions.isEmpty()) {
      throw missing("--from", topics.source(), 1);
    }
    for (Map.Entry<String, String> output : topics.outputs().entrySet()) {
      output(output.getKey(), output.getValue(), partitions.get());
    }
    return partitions.get();
  }

  private void prepareStandardInput() throws CliException, InterruptedException {
    if (cluster.partitions(topics.source()).isEmpty()) {
      String day = Long.toString(Duration.ofDays(1).toMillis());
      cluster.create(topics.source(), 1, Map.of(TopicConfig.RETENTION_MS_CONFIG, day));
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
              .formatted(option, topic, partitions.get(), topics.source(), wanted, topic, wanted),
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
