package dev.unseen.kafka;

import dev.unseen.commands.GivenOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

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
    Map<String, String> earlier = new LinkedHashMap<>(); // options by their topics
    for (String option : OUTPUTS) {
      String topic = given.text(option).orElse("");
      if (topic.equals(STANDARD) && !option.equals("--to")) {
        throw new IllegalArgumentException(
            option + " - would mix with other records; name a topic");
      }
      if (topic.isEmpty() || topic.equals(STANDARD)) {
        continue;
      }
      if (given.text("--from").equals(Optional.of(topic))) {
        throw new IllegalArgumentException(
            "%s '%s' is the topic that is read, so it would never end; name another topic"
                .formatted(option, topic));
      }
      String other = earlier.putIfAbsent(topic, option);
      if (other != null) {
        throw new IllegalArgumentException(
            "%s and %s are both '%s', so their records would mix; name two topics"
                .formatted(other, option, topic));
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

  /** Returns the topics that are written, by the options that name them. */
  Map<String, String> outputs() {
    Map<String, String> outputs = new LinkedHashMap<>();
    if (!writesStandardOutput()) {
      outputs.put("--to", to);
    }
    duplicatesTo.ifPresent(topic -> outputs.put("--duplicates-to", topic));
    rejectsTo.ifPresent(topic -> outputs.put("--rejects-to", topic));
    return outputs;
  }
}
