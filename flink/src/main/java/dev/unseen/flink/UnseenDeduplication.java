package dev.unseen.flink;

import dev.unseen.GateConfig;
import dev.unseen.GateOptions;
import dev.unseen.KeyForm;
import dev.unseen.LateRecords;
import dev.unseen.Option;
import java.net.URI;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SideOutputDataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;

/**
 * Lets each record of a {@link DataStream} through once, by its key, in memory that never grows.
 *
 * <pre>{@code
 * SingleOutputStreamOperator<Click> once =
 *     UnseenDeduplication.of(Click::id)
 *         .memory(GiB(1))                                // of the whole job
 *         .maxFalsePositiveRate(1e-4)
 *         .window(Window.time(Duration.ofHours(24)))
 *         .eventTime()
 *         .applyTo(clicks);
 * DataStream<Click> suspected = UnseenDeduplication.duplicatesOf(once);
 * }</pre>
 *
 * <p>The memory, or the number of expected keys, is for all tasks together. Options that are not
 * set here are read from the configuration of the environment: see {@link UnseenOptions}. If
 * neither a secret nor a seed is set, the secret is that of the savepoint or of the initial state
 * that the job starts from, or else one is drawn when the job is submitted. The filter is divided
 * into 128 shards, one for each key group of the operator, so the parallelism can be 1 to 128 and
 * can change from one run to the next. In an environment with a higher parallelism it is 128.
 *
 * @param <T> the records
 * @param <K> their keys: text, bytes, whole numbers, UUIDs, instants, enums, or tuples, rows or
 *     POJOs of these
 */
public final class UnseenDeduplication<T, K> extends GateOptions<UnseenDeduplication<T, K>> {
  private static final String DEFAULT_UID = "unseen-deduplication";
  private static final String DUPLICATES = "unseen-duplicates";
  private static final String LATE = "unseen-late";

  private final KeySelector<T, K> keyOf;
  private TypeInformation<K> keyType; // null: found out
  private KeyForm keyForm; // null: that of the type
  private String uid = DEFAULT_UID;
  private NullKeys nullKeys = NullKeys.FAIL;
  private InitialState initialState; // null: none

  private UnseenDeduplication(KeySelector<T, K> keyOf) {
    this.keyOf = Objects.requireNonNull(keyOf, "keyOf is null; name what returns a record's key");
  }

  @Override
  protected UnseenDeduplication<T, K> self() {
    return this;
  }

  /** Starts with what makes two records duplicates: their keys are equal. */
  public static <T, K> UnseenDeduplication<T, K> of(KeySelector<T, K> keyOf) {
    return new UnseenDeduplication<>(keyOf);
  }

  /** Sets the type of the keys, where Flink cannot find it out from a lambda. */
  public UnseenDeduplication<T, K> keyType(TypeInformation<K> type) {
    this.keyType = Objects.requireNonNull(type, "type is null; leave it out to find it out");
    return this;
  }

  /** Sets what a state remembers of the keys, where the type alone does not say it. */
  public UnseenDeduplication<T, K> keyForm(KeyForm form) {
    this.keyForm = form;
    return this;
  }

  /**
   * Makes a window of time use the timestamps of records, not times of arrival. A record is
   * compared by its own timestamp, also if it is late; see {@link #maxLateness}. Watermarks make
   * keys expire even if no record comes. Assign timestamps to the stream before.
   */
  public UnseenDeduplication<T, K> eventTime() {
    return set(Option.EVENT_TIME, true);
  }

  /** Sets what to do with a record whose key is null. By default the job fails. */
  public UnseenDeduplication<T, K> nullKeys(NullKeys policy) {
    this.nullKeys = Objects.requireNonNull(policy, "policy is null; name one of NullKeys");
    return this;
  }

  /**
   * Sets the uid of the operator, by which Flink and {@link UnseenSavepoint} find its state. A job
   * with several deduplications gives each its own, here or on what {@link #applyTo} returns.
   */
  public UnseenDeduplication<T, K> uid(String name) {
    this.uid = Objects.requireNonNull(name, "name is null; leave it out for " + DEFAULT_UID);
    return this;
  }

  /**
   * Starts from a state file in shards, as the shell writes it with {@code --sharded}, if there is
   * no checkpoint or savepoint to start from. What the file has seen is not let through again. Its
   * options apply, and different ones are rejected.
   *
   * @param file in a place that the program which submits the job and all TaskManagers can read
   */
  public UnseenDeduplication<T, K> initialState(URI file) {
    this.initialState = new InitialState(Objects.requireNonNull(file, "file is null"));
    return this;
  }

  /**
   * Adds the deduplication to a job.
   *
   * @return the first record of each key; {@link #duplicatesOf} and {@link #lateOf} return the
   *     others
   * @throws IllegalArgumentException if the options cannot be, or do not fit the environment
   */
  public SingleOutputStreamOperator<T> applyTo(DataStream<T> stream) {
    StreamExecutionEnvironment environment = stream.getExecutionEnvironment();
    TypeInformation<K> type =
        keyType != null ? keyType : TypeExtractor.getKeySelectorTypes(keyOf, stream.getType());
    KeyForm form = keyForm != null ? keyForm : KeyTypes.keyFor(type).form();
    FilterSetup setup = setup(environment, form);
    KeyHashing<T, K> hashing = new KeyHashing<>(keyOf, type, setup, nullKeys);
    DeduplicatedStream<T> once =
        DeduplicatedStream.of(
            stream,
            hashing,
            new DeduplicationOperator<>(
                hashing,
                setup,
                nullKeys,
                initialState,
                duplicatesTag(stream.getType()),
                lateTag(stream.getType())),
            setup);
    if (environment.getParallelism() > KeyGroups.COUNT) {
      once.setParallelism(KeyGroups.COUNT);
    }
    return once.uid(uid).name("unseen").setMaxParallelism(KeyGroups.COUNT);
  }

  /**
   * Fixes what is known now. If there is a checkpoint or savepoint, its options and its secret
   * apply, and only the tasks read it: its path may mean something to the cluster only.
   */
  private FilterSetup setup(StreamExecutionEnvironment environment, KeyForm form) {
    GateConfig config = UnseenOptions.complete(config(), environment.getConfiguration());
    try {
      return FilterSetup.of(config, form, initialState == null ? null : initialState.check());
    } catch (IllegalArgumentException e) {
      if (environment
          .getConfiguration()
          .getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
          .isEmpty()) {
        throw e;
      }
      return FilterSetup.resumed(config, form, e.getMessage());
    }
  }

  /** Returns the records that a deduplication found to be duplicates. */
  public static <T> SideOutputDataStream<T> duplicatesOf(SingleOutputStreamOperator<T> once) {
    return once.getSideOutput(duplicatesTag(once.getType()));
  }

  /**
   * Returns the records that a deduplication dropped because they could not be checked: see {@link
   * #lateRecords}. There are none unless it is set to {@link LateRecords#DROP}.
   */
  public static <T> SideOutputDataStream<T> lateOf(SingleOutputStreamOperator<T> once) {
    return once.getSideOutput(lateTag(once.getType()));
  }

  private static <T> OutputTag<T> lateTag(TypeInformation<T> type) {
    return new OutputTag<>(LATE, type);
  }

  private static <T> OutputTag<T> duplicatesTag(TypeInformation<T> type) {
    return new OutputTag<>(DUPLICATES, type);
  }
}
