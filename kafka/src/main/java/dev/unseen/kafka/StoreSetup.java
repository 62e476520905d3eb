package dev.unseen.kafka;

import dev.unseen.Report;
import dev.unseen.filter.FilterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.streams.processor.StateStore;

/** What all stores of a deduplication in this process share. */
final class StoreSetup {
  private final Supplier<PartitionOptions> options; // which may still change
  private Duration snapshotEvery; // null: in memory only
  private Duration retention; // null: derived from the window
  private int partitions; // 0: the broker is asked
  private ChangelogTopic topic; // null: not asked yet
  private final Map<String, GateMeasures> measures = new ConcurrentSkipListMap<>(); // by task

  StoreSetup(Supplier<PartitionOptions> options) {
    this.options = options;
  }

  void snapshotEvery(Duration interval) {
    Objects.requireNonNull(interval, "interval is null; leave it out for memory only");
    if (interval.isNegative()) {
      throw new IllegalArgumentException(
          "snapshotEvery (%s) must not be negative".formatted(interval));
    }
    this.snapshotEvery = interval;
  }

  void retention(Duration asked) {
    this.retention = Objects.requireNonNull(asked, "retention is null; leave it out for the usual");
  }

  void partitions(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("partitions (%d) must be at least 1".formatted(count));
    }
    this.partitions = count;
  }

  /** Adds the measures of a store that was opened. */
  void opened(String task, GateMeasures gate) {
    measures.put(task, gate);
  }

  /** Removes the measures of a store that was closed. */
  void closed(String task, GateMeasures gate) {
    measures.remove(task, gate);
  }

  /** Returns the reports of all stores that are open in this process, by task. */
  Map<String, Report> reports() {
    Map<String, Report> reports = new TreeMap<>();
    measures.forEach((task, gate) -> reports.put(task, gate.report()));
    return reports;
  }

  PartitionOptions options() {
    return options.get();
  }

  /** Returns how often a store saves itself; null if it does not. */
  Duration snapshotEvery() {
    return snapshotEvery;
  }

  ChangelogRetention changelogRetention() {
    FilterSpec spec =
        options().of(Math.max(1, partitions)).spec(); // rejects options that do not fit
    return ChangelogRetention.of(spec.window(), spec.memoryBytes(), retention);
  }

  /**
   * Returns a builder of stores.
   *
   * @throws IllegalArgumentException if the options cannot be
   */
  GateStoreBuilder storeBuilder(String store) {
    requireVersion(AppInfoParser.getVersion());
    if (snapshotEvery != null && !storesManageOffsets()) {
      throw new IllegalArgumentException(
          "snapshotEvery needs Kafka Streams 4.3 or newer, and this is %s; leave it out: filters are then restored from the changelog"
              .formatted(AppInfoParser.getVersion()));
    }
    return new GateStoreBuilder(store, this, changelogRetention().topicConfig());
  }

  /** Rejects versions of Kafka Streams that no test runs with. */
  static void requireVersion(String version) {
    if (version.matches("[0-2]\\..*|3\\.[0-8](\\..*)?")) {
      throw new IllegalArgumentException(
          "Unseen needs Kafka Streams 3.9 or newer, and this is %s; brokers may be older"
              .formatted(version));
    }
  }

  /** Returns whether a store can keep its own offset, which Kafka Streams 4.3 introduced. */
  private static boolean storesManageOffsets() {
    return Arrays.stream(StateStore.class.getMethods())
        .anyMatch(method -> method.getName().equals("managesOffsets"));
  }

  /**
   * Asks the broker for the changelog, once for each application in this process, and checks it.
   *
   * @param config of the application
   */
  synchronized ChangelogTopic topic(String name, Map<String, Object> config) {
    if (topic == null || !topic.name().equals(name)) {
      topic =
          partitions > 0
              ? new ChangelogTopic(name, partitions)
              : ChangelogTopic.ask(name, config, options());
    }
    return topic;
  }
}
