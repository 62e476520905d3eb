package dev.unseen.flink;

import dev.unseen.Key;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * Adds the hash of its key to each record, so that the record can be sent to the task that holds
 * the shard of the hash. It runs in the tasks that send records.
 *
 * <p>Senders need the secret of the filter, and the program that submits a job does not know it if
 * the job resumes from a checkpoint. So the secret is part of the state of the senders, too: as a
 * state of the filter that holds no shard, in broadcast state, of which each task gets a copy
 * whatever the parallelism.
 *
 * @param <T> the records
 * @param <K> their keys
 */
final class KeyHashing<T, K> implements MapFunction<T, Tuple2<Long, T>>, CheckpointedFunction {
  private static final long serialVersionUID = 2;

  /** What stands for the hash of a null key. A key can have it, too. */
  static final long OF_NULL = 0;

  private static final Hash64 PUBLIC = HashKind.XXH3.create(0);
  private static final String FILTER = "filter";
  private static final MapStateDescriptor<String, byte[]> STATE =
      new MapStateDescriptor<>(
          "unseen-hash", Types.STRING, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final KeySelector<T, K> keyOf;
  private final TypeInformation<K> type;
  private final FilterSetup setup;
  private final NullKeys nullKeys;
  private transient Key<K> key;
  private transient Hash64 hash;

  KeyHashing(
      KeySelector<T, K> keyOf, TypeInformation<K> type, FilterSetup setup, NullKeys nullKeys) {
    this.keyOf = keyOf;
    this.type = type;
    this.setup = setup;
    this.nullKeys = nullKeys;
  }

  @Override
  public Tuple2<Long, T> map(T record) throws Exception {
    return Tuple2.of(hash(record, hash), record);
  }

  /** Returns whether a record has no key. */
  boolean isNull(T record) throws Exception {
    return keyOf.getKey(record) == null;
  }

  /** Returns the hash of the key of a record. */
  long hash(T record, Hash64 with) throws Exception {
    K some = keyOf.getKey(record);
    if (some == null) {
      requireKey(record);
      return OF_NULL;
    }
    if (key == null) {
      key = KeyTypes.keyFor(type);
    }
    return key.hash(some, with);
  }

  /** Returns a hash of the key of a record without the secret. */
  Long publicHash(T record) throws Exception {
    return hash(record, PUBLIC);
  }

  private void requireKey(T record) {
    if (nullKeys == NullKeys.FAIL) {
      throw new IllegalArgumentException(
          "the key of a record of %s is null; drop such records first, choose another key, or set what happens to them: nullKeys(NullKeys.ADMIT) or nullKeys(NullKeys.DROP)"
              .formatted(record.getClass().getName()));
    }
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    BroadcastState<String, byte[]> state = context.getOperatorStateStore().getBroadcastState(STATE);
    if (!state.contains(FILTER)) {
      state.put(FILTER, setup.first());
    }
    hash = FilterSetup.read(state.get(FILTER)).spec().keyHash();
  }

  /** Does nothing: Flink writes the broadcast state, which never changes. */
  @Override
  public void snapshotState(FunctionSnapshotContext context) {}
}
