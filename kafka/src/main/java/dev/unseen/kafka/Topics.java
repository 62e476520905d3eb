package dev.unseen.kafka;

import dev.unseen.commands.CliException;
import dev.unseen.commands.GivenOptions;
import dev.unseen.commands.KafkaCluster;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The topics of a run of the command, and the name under which it remembers keys and offsets.
 *
 * @param from what is read; {@link #STANDARD} for standard input
 * @param to what gets first records; {@link #STANDARD} for standard output
 */
record Topics(
    String applicationId,
    String from,
    String to,
    Optional<String> duplicatesTo,
    Optional<String> rejectsTo) {
  /** Stands for standard input and standard output. */
  private static final String STANDARD = "-";

  /** Names of topics have at most 249 characters, and "-unseen-repartition" is appended. */
  private static final int MOST_ID = 249 - 19;

  private static final String[] OUTPUTS = {"--to", "--duplicates-to", "--rejects-to"};

  /**
   * Reads and checks the options.
   *
   * @throws IllegalArgumentException if they cannot be
   */
  static Topics of(GivenOptions given) {
    for (String option : new String[] {"--from", "--to"}) {
      if (!given.isGiven(option)) {
        throw new IllegalArgumentException(option + " is missing; name a topic");
      }
    }
    requireDifferent(given);
    String from = given.text("--from").orElseThrow();
    String to = given.text("--to").orElseThrow();
    String id =
        given.text("--application-id").orElseGet(() -> "unseen-" + name(from) + "-" + name(to));
    requireApplicationId(id);
    return new Topics(id, from, to, given.text("--duplicates-to"), given.text("--rejects-to"));
  }

  private static String name(String topic) {
    return STANDARD.equals(topic) ? "standard" : topic;
  }

  private static void requireDifferent(GivenOptions given) {
    given.requireDifferent(OUTPUTS);
    for (String option : OUTPUTS) {
      String topic = given.text(option).orElse("");
      if (topic.equals(STANDARD) && !option.equals("--to")) {
        throw new IllegalArgumentException(
            option + " - would mix with other records; name a topic");
      }
      if (!topic.equals(STANDARD) && given.text("--from").equals(Optional.of(topic))) {
        throw new IllegalArgumentException(
            "%s '%s' is the topic that is read, so it would never end; name another topic"
                .formatted(option, topic));
      }
    }
  }

  /** The application id begins the name of its changelog, so it has to be one too. */
  private static void requireApplicationId(String id) {
    if (!id.matches("[a-zA-Z0-9._-]+")) {
      throw new IllegalArgumentException(
          "application-id '%s' must be of letters, digits, '.', '_' and '-' alone".formatted(id));
    }
    if (id.length() > MOST_ID) {
      throw new IllegalArgumentException(
          "application-id '%s' has %d characters, and at most %d are possible; choose one with --application-id"
              .formatted(id, id.length(), MOST_ID));
    }
  }

  boolean readsStandardInput() {
    return from.equals(STANDARD);
  }

  boolean writesStandardOutput() {
    return to.equals(STANDARD);
  }

  /** Returns the topic that the application reads: that of the user, or one that is fed. */
  String source() {
    return readsStandardInput() ? applicationId + "-stdin" : from;
  }

  /** Returns the topic through which records are repartitioned, if they are. */
  String repartition() {
    return "%s-%s-repartition"
        .formatted(applicationId, TopicTopology.REPARTITION_TOPIC); // so Kafka Streams names it
  }

  private Map<String, String> outputs() { // by the options that name them
    Map<String, String> outputs = new LinkedHashMap<>();
    if (!writesStandardOutput()) {
      outputs.put("--to", to);
    }
    duplicatesTo.ifPresent(topic -> outputs.put("--duplicates-to", topic));
    rejectsTo.ifPresent(topic -> outputs.put("--rejects-to", topic));
    return outputs;
  }

  /** Checks that the topics exist; returns the number of partitions of the one that is read. */
  int check(KafkaCluster cluster) throws CliException, InterruptedException {
    if (readsStandardInput() && cluster.partitions(source()).isEmpty()) {
      String day = Long.toString(Duration.ofDays(1).toMillis());
      cluster.create(source(), 1, Map.of(TopicConfig.RETENTION_MS_CONFIG, day));
    }
    Optional<Integer> partitions = cluster.partitions(source());
    if (partitions.isEmpty()) {
      throw missing("--from", source(), 1);
    }
    for (Map.Entry<String, String> output : outputs().entrySet()) {
      checkOutput(cluster, output.getKey(), output.getValue(), partitions.get());
    }
    return partitions.get();
  }

  private void checkOutput(KafkaCluster cluster, String option, String topic, int wanted)
      throws CliException, InterruptedException {
    Optional<Integer> partitions = cluster.partitions(topic);
    if (partitions.isEmpty()) {
      throw missing(option, topic, wanted);
    }
    if (partitions.get() < wanted) {
      throw CliException.inputOrOutput(
          "%s '%s' has %d partitions and '%s' has %d, and records stay in their partition; add partitions: kafka-topics --alter --topic %s --partitions %d"
              .formatted(option, topic, partitions.get(), source(), wanted, topic, wanted),
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
