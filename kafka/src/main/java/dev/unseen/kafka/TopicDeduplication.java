package dev.unseen.kafka;

import dev.unseen.GateOptions;
import dev.unseen.Key;
import dev.unseen.KeyForm;
import dev.unseen.Report;
import dev.unseen.kafka.GateStore.Verdict;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KeyValueMapper;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The options of a deduplication, and the supplier of its processor and its store: {@code
 * stream.process(deduplication)} is all that a topology needs. Before a {@code groupByKey} or a
 * join, use {@link #forValues}. {@link Unseen#deduplicate} creates it.
 *
 * <p>The memory and the number of expected keys are for the whole application, and are divided
 * evenly among the partitions; standby tasks hold copies, which come on top. A window of time uses
 * the timestamps of the records. If neither a secret nor a seed is set, each partition draws a
 * secret when it first starts, and keeps it in its changelog.
 *
 * @param <K> the keys of the records
 * @param <V> their values
 */
public final class TopicDeduplication<K, V> extends GateOptions<TopicDeduplication<K, V>>
    implements ProcessorSupplier<K, V, K, V> {
  private static final String DEFAULT_STORE = "unseen";

  private final KeyValueMapper<? super K, ? super V, ?> keyOf; // null: the key is of the record
  private final Key<? super Record<K, V>> key; // null: the type of the key decides
  private final StoreSetup setup = new StoreSetup(this::options);
  private String store = DEFAULT_STORE;
  private NullKeys nullKeys = NullKeys.FAIL;
  private Map<Verdict, String> children = Map.of(); // empty: all children get first records

  TopicDeduplication(KeyValueMapper<? super K, ? super V, ?> keyOf, Key<? super Record<K, V>> key) {
    this.keyOf = keyOf;
    this.key = key;
  }

  @Override
  protected TopicDeduplication<K, V> self() {
    return this;
  }

  /** Returns the options, which are checked. */
  PartitionOptions options() {
    return new PartitionOptions(config(), key == null ? KeyForm.UNKNOWN : key.form());
  }

  /**
   * Sets what to do with a record for which {@link Unseen#deduplicate} returns no key. By default
   * the stream fails. With {@link Unseen#deduplicateBy}, use {@link dev.unseen.Keys#nullable}.
   */
  public TopicDeduplication<K, V> nullKeys(NullKeys policy) {
    this.nullKeys = Objects.requireNonNull(policy, "policy is null; name one of NullKeys");
    return this;
  }

  /**
   * Sets the name of the store, which is also in the name of its changelog topic; {@code unseen}
   * unless set. A topology with several deduplications gives each its own.
   */
  public TopicDeduplication<K, V> store(String name) {
    this.store = Objects.requireNonNull(name, "name is null; leave it out for " + DEFAULT_STORE);
    return this;
  }

  /**
   * Keeps a copy of each filter in the state directory and replaces it this often, so that a clean
   * restart replays only the part of the changelog after it. Unless set, filters are in memory
   * only, and are restored from the whole changelog. Requires Kafka Streams 4.3 or newer.
   */
  public TopicDeduplication<K, V> snapshotEvery(Duration interval) {
    setup.snapshotEvery(interval);
    return this;
  }

  /**
   * Sets how long the changelog topic keeps the keys, for when it is created. Unless set, it is the
   * window, the lateness, and half a window, at least a day. Less than the window is rejected.
   */
  public TopicDeduplication<K, V> changelogRetention(Duration retention) {
    setup.retention(retention);
    return this;
  }

  /**
   * Sets the number of partitions of the changelog, which divides the memory. Unless set, the
   * broker is asked for it when the first task starts, for which the application needs the right to
   * describe the topic, and the retention of the topic is checked. A {@code TopologyTestDriver} has
   * one partition.
   */
  public TopicDeduplication<K, V> partitions(int count) {
    setup.partitions(count);
    return this;
  }

  /**
   * Names the children of the processor in a {@code Topology} that is built by hand: one gets the
   * first record of each key, the other gets the duplicates. Unless set, all children get the first
   * records, and duplicates are dropped. With the DSL, call {@link #split}.
   */
  public TopicDeduplication<K, V> forwardTo(String onceChild, String duplicatesChild) {
    children =
        Map.of(
            Verdict.FIRST, Objects.requireNonNull(onceChild, "onceChild is null"),
            Verdict.DUPLICATE, Objects.requireNonNull(duplicatesChild, "duplicatesChild is null"));
    return this;
  }

  /**
   * Names the children as {@link #forwardTo(String, String)} does, and a third one, which gets the
   * records that are dropped because they cannot be checked: see {@link #lateRecords}.
   */
  public TopicDeduplication<K, V> forwardTo(
      String onceChild, String duplicatesChild, String lateChild) {
    forwardTo(onceChild, duplicatesChild);
    children = new EnumMap<>(children);
    children.put(
        Verdict.LATE,
        Objects.requireNonNull(lateChild, "lateChild is null; leave it out to drop them"));
    return this;
  }

  /**
   * Adds the deduplication to a stream, and returns first records, duplicates, and records that
   * were too late to check as separate streams.
   */
  public Deduplicated<K, V> split(KStream<K, V> stream) {
    forwardTo(store + "-once", store + "-duplicates", store + "-late");
    KStream<K, V> all = stream.processValues(forValues(), Named.as(store + "-deduplicate"));
    return new Deduplicated<>(
        all.filter((key, value) -> true, Named.as(children.get(Verdict.FIRST))),
        all.filter((key, value) -> true, Named.as(children.get(Verdict.DUPLICATE))),
        all.filter((key, value) -> true, Named.as(children.get(Verdict.LATE))));
  }

  /** Returns the reports of all partitions that this process holds, by task. */
  Map<String, Report> reports() {
    return setup.reports();
  }

  /**
   * Returns the same supplier for {@code stream.processValues}: Kafka Streams then knows that
   * records keep their keys, and a {@code groupByKey} or join after it needs no repartition topic.
   */
  public FixedKeyProcessorSupplier<K, V, V> forValues() {
    return new FixedKeyProcessorSupplier<>() {
      @Override
      public FixedKeyProcessor<K, V, V> get() {
        return processor();
      }

      @Override
      public Set<StoreBuilder<?>> stores() {
        return TopicDeduplication.this.stores();
      }
    };
  }

  @Override
  public Processor<K, V, K, V> get() {
    return processor();
  }

  private DeduplicationProcessor<K, V> processor() {
    return new DeduplicationProcessor<>(keyOf, key, store, nullKeys, children);
  }

  /**
   * Returns the store, for Kafka Streams to create.
   *
   * @throws IllegalArgumentException if the options cannot be
   */
  @Override
  public Set<StoreBuilder<?>> stores() {
    return Set.of(setup.storeBuilder(store));
  }
}
