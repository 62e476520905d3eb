package dev.unseen.kafka;

import dev.unseen.KeyForm;
import dev.unseen.LateRecords;
import dev.unseen.NullKeys;
import dev.unseen.Report;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.Parameter;
import dev.unseen.filter.Refresh;
import dev.unseen.filter.Window;
import dev.unseen.hash.HashKind;
import dev.unseen.hash.Secret;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KeyValueMapper;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The options of a deduplication, and the supplier of its processor and its store: {@code
 * stream.process(deduplication)} is all that a topology needs. {@link Unseen#deduplicate} creates
 * it.
 *
 * <p>The options are those of the library's {@code Deduplicator}; only the memory, or the number of
 * expected keys, has to be named. Both are for the whole application, and are divided evenly over
 * the partitions. A window of time goes by the timestamps of the records.
 *
 * @param <K> the keys of the records
 * @param <V> their values
 */
public final class TopicDeduplication<K, V> implements ProcessorSupplier<K, V, K, V> {
  private static final String DEFAULT_STORE = "unseen";

  private final KeyValueMapper<? super K, ? super V, ?> keyOf;
  private final FilterRecipe recipe = new FilterRecipe();
  private final StoreSetup setup = new StoreSetup(recipe);
  private String store = DEFAULT_STORE;
  private NullKeys nullKeys = NullKeys.FAIL;
  private Children children = Children.ALL;

  TopicDeduplication(KeyValueMapper<? super K, ? super V, ?> keyOf) {
    this.keyOf = Objects.requireNonNull(keyOf, "keyOf is null; name what returns a record's key");
  }

  /**
   * Sets the bytes that the filters of all partitions may take together: {@code memory(MiB(256))}.
   * Standby tasks hold copies, which come on top.
   */
  public TopicDeduplication<K, V> memory(long bytes) {
    recipe.memory(bytes);
    return this;
  }

  /** Sets the largest share of new records that may be lost; 1e-4 unless set. */
  public TopicDeduplication<K, V> maxFalsePositiveRate(double rate) {
    recipe.add(options -> options.maxFalsePositiveRate(rate));
    return this;
  }

  /**
   * Sets how long a key counts as seen; for as long as memory holds it unless set. The window is
   * one of time, and goes by the timestamps of the records.
   */
  public TopicDeduplication<K, V> window(Window window) {
    recipe.window(window);
    return this;
  }

  /**
   * Sets by how much the timestamp of a record may be before the latest one of its partition; the
   * length of the window unless set. A record that is later cannot be checked: it is counted, and
   * {@link #lateRecords} decides what happens to it.
   */
  public TopicDeduplication<K, V> maxLateness(Duration lateness) {
    recipe.add(options -> options.maxLateness(lateness));
    return this;
  }

  /**
   * Sets what happens to a record that cannot be checked because of its timestamp, because it is
   * too late or too far in the future: it is admitted unless set. If such records are dropped,
   * {@link #split} returns them.
   */
  public TopicDeduplication<K, V> lateRecords(LateRecords policy) {
    recipe.limitTimes(options -> options.lateRecords(policy));
    return this;
  }

  /** Sets how much later than its arrival the timestamp of a record may be; a day unless set. */
  public TopicDeduplication<K, V> maxTimeAhead(Duration ahead) {
    recipe.limitTimes(options -> options.maxTimeAhead(ahead));
    return this;
  }

  /** Sets how much later than the latest before it a timestamp may be; any unless set. */
  public TopicDeduplication<K, V> maxTimeJump(Duration jump) {
    recipe.limitTimes(options -> options.maxTimeJump(jump));
    return this;
  }

  /** Sets the distinct keys that all partitions hold at one time, in place of the memory. */
  public TopicDeduplication<K, V> expectedKeys(long keys) {
    recipe.expectedKeys(keys);
    return this;
  }

  /** Sets what a duplicate does to its key; adaptive unless set. */
  public TopicDeduplication<K, V> refresh(Refresh refresh) {
    recipe.add(options -> options.refresh(refresh));
    return this;
  }

  /** Sets the kind of filter; {@link FilterKind#RECENCY} unless set. */
  public TopicDeduplication<K, V> kind(FilterKind kind) {
    recipe.add(options -> options.kind(kind));
    return this;
  }

  /** Sets any parameter of the kind: {@code set(Parameter.SHARE, 0.3)}. */
  public <T> TopicDeduplication<K, V> set(Parameter<T> parameter, T value) {
    if (value instanceof Window window) {
      return window(window);
    }
    recipe.add(options -> options.set(parameter, value));
    return this;
  }

  /** Sets how keys are hashed; {@link HashKind#XXH3} unless set. */
  public TopicDeduplication<K, V> hash(HashKind hash) {
    recipe.add(options -> options.hash(hash));
    return this;
  }

  /**
   * Sets the secret that keys are hashed with. Unless it or a {@link #seed} is set, each partition
   * draws one when it starts first, and keeps it in its changelog.
   */
  public TopicDeduplication<K, V> secret(Secret secret) {
    recipe.add(options -> options.secret(secret));
    return this;
  }

  /** Sets a public seed in place of a secret: for experiments that others can repeat. */
  public TopicDeduplication<K, V> seed(long seed) {
    recipe.add(options -> options.seed(seed));
    return this;
  }

  /** Sets what the changelog remembers of the keys, so that others are refused. */
  TopicDeduplication<K, V> keyForm(KeyForm form) {
    recipe.add(options -> options.keyForm(form));
    return this;
  }

  /** Sets what becomes of a record whose key is null; the stream fails unless set. */
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
   * restart replays only the part of the changelog behind it. Unless set, filters are in memory
   * only, and are restored from the whole changelog.
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
   * Sets the number of partitions where there is no broker to ask for it, as in unit tests. It
   * divides the memory.
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
    this.children =
        new Children(
            Objects.requireNonNull(onceChild, "onceChild is null"),
            Objects.requireNonNull(duplicatesChild, "duplicatesChild is null"),
            null);
    return this;
  }

  /**
   * Names the children as {@link #forwardTo(String, String)} does, and a third one, which gets the
   * records that are dropped because they cannot be checked: see {@link #lateRecords}.
   */
  public TopicDeduplication<K, V> forwardTo(
      String onceChild, String duplicatesChild, String lateChild) {
    forwardTo(onceChild, duplicatesChild);
    this.children =
        new Children(
            onceChild,
            duplicatesChild,
            Objects.requireNonNull(lateChild, "lateChild is null; leave it out to drop them"));
    return this;
  }

  /**
   * Adds the deduplication to a stream, and returns first records, duplicates, and records that
   * were too late to check as separate streams.
   */
  public Deduplicated<K, V> split(KStream<K, V> stream) {
    forwardTo(store + "-once", store + "-duplicates", store + "-late");
    KStream<K, V> all = stream.process(this, Named.as(store + "-deduplicate"));
    return new Deduplicated<>(
        all.filter((key, value) -> true, Named.as(children.once())),
        all.filter((key, value) -> true, Named.as(children.duplicates())),
        all.filter((key, value) -> true, Named.as(children.late())));
  }

  /** Returns the reports of all partitions that this process holds, by task. */
  Map<String, Report> reports() {
    return setup.reports();
  }

  @Override
  public Processor<K, V, K, V> get() {
    return new DeduplicationProcessor<>(keyOf, store, setup, nullKeys, children);
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
