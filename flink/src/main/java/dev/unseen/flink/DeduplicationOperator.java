package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.LateRecordException;
import dev.unseen.filter.FilterSpec;
import dev.unseen.snapshot.Snapshot;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Lets each key through once, by the hash that comes with its record. A task holds one gate, with
 * the shards of its key groups.
 *
 * <p>The state is raw keyed state: one shard to a key group, so that Flink moves shards when the
 * parallelism changes. Flink's own keyed state is not used: a filter that is changed in place would
 * be lost by every backend that does not keep the object itself.
 *
 * @param <T> the records
 */
final class DeduplicationOperator<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<Tuple2<Long, T>, T> {
  private static final long serialVersionUID = 1;

  private final KeyHashing<T, ?> keys;
  private final FilterSetup setup;
  private final NullKeys nullKeys;
  private final InitialState initialState; // null: none
  private final OutputTag<T> duplicates;
  private final OutputTag<T> late; // gets records that could not be checked, and were dropped

  private transient Gate gate;
  private transient KeyGroupRange keyGroups;
  private transient boolean eventTime;
  private transient boolean checked; // whether the first hash was
  private transient CheckpointCopy copy;
  private transient long heapBytes; // that this task has reserved

  DeduplicationOperator(
      KeyHashing<T, ?> keys,
      FilterSetup setup,
      NullKeys nullKeys,
      InitialState initialState,
      OutputTag<T> duplicates,
      OutputTag<T> late) {
    this.keys = keys;
    this.setup = setup;
    this.nullKeys = nullKeys;
    this.initialState = initialState;
    this.duplicates = duplicates;
    this.late = late;
  }

  @Override
  public void processElement(StreamRecord<Tuple2<Long, T>> hashed) throws Exception {
    long hash = hashed.getValue().f0;
    StreamRecord<T> element = hashed.replace(hashed.getValue().f1);
    if (hash == KeyHashing.OF_NULL && keys.isNull(element.getValue())) {
      deliver(element, nullKeys == NullKeys.ADMIT, duplicates);
      return;
    }
    if (!checked) {
      requireSecret(element.getValue(), hash);
      checked = true;
    }
    if (!eventTime) {
      deliver(element, gate.admit(hash), duplicates);
      return;
    }
    long millis = timeOf(element);
    boolean fresh = admit(hash, millis);
    deliver(element, fresh, !fresh && gate.isTooLate(hash, millis) ? late : duplicates);
  }

  /** Rejects hashes with another secret than that of the filter. */
  private void requireSecret(T record, long hash) throws Exception {
    if (keys.hash(record, gate.hash()) != hash) {
      throw new JobRejectedException(
          "the state of unseen was restored, and that of unseen-hash, which has its secret, was not; restore both, or set secret(...) to UnseenSavepoint.read(savepoint, uid).spec().secret()",
          null);
    }
  }

  private void deliver(StreamRecord<T> element, boolean fresh, OutputTag<T> otherwise) {
    if (fresh) {
      output.collect(element);
    } else {
      output.collect(otherwise, element);
    }
  }

  private boolean admit(long hash, long millis) {
    try {
      return gate.admit(hash, millis);
    } catch (LateRecordException e) {
      throw JobRejectedException.of(e);
    }
  }

  private static long timeOf(StreamRecord<?> element) {
    if (!element.hasTimestamp() || element.getTimestamp() == TimestampAssigner.NO_TIMESTAMP) {
      throw new JobRejectedException(
          "the window goes by event time, and a record has no timestamp; call assignTimestampsAndWatermarks before, or leave eventTime() out to go by times of arrival",
          null);
    }
    return element.getTimestamp();
  }

  /** Advances the window, so that keys also expire in subtasks that get few records. */
  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (eventTime) {
      gate.advanceTo(mark.getTimestamp());
    }
    super.processWatermark(mark);
  }

  /** Does nothing: the operator uses no keyed state of Flink, so no key must be set. */
  @Override
  @SuppressWarnings("rawtypes") // as Flink declares it
  public void setKeyContextElement1(StreamRecord record) {}

  @Override
  protected boolean isUsingCustomRawKeyedState() {
    return true;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    keyGroups = KeyGroups.ofTask(task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    TaskChecks checks = new TaskChecks(task);
    checks.keyGroups();
    gate = gate(saved(context), checks);
    eventTime = setup.isEventTime(gate.spec());
    copy = new CheckpointCopy();
    new FlinkMeasures(gate).register(getMetricGroup());
  }

  /** Returns what a checkpoint has, or else the initial state, or else null. */
  private Snapshot saved(StateInitializationContext context) throws Exception {
    RestoredShards restored = new RestoredShards();
    if (context.isRestored()) {
      restored.addAll(context.getRawKeyedStateInputs());
    }
    if (!restored.isEmpty()) {
      return restored.complete(KeyGroups.shards(keyGroups));
    }
    return initialState == null ? null : initialState.read(keyGroups::contains);
  }

  private Gate gate(Snapshot saved, TaskChecks checks) {
    try {
      FilterSpec spec = saved == null ? setup.spec() : setup.specAfter(saved);
      long bytes = checks.heap(spec, saved, HeapAccount.PROCESS.heapBytes());
      HeapAccount.PROCESS.reserve(bytes);
      heapBytes = bytes;
      return setup.gate(saved == null ? setup.emptyShards(KeyGroups.shards(keyGroups)) : saved);
    } catch (IllegalArgumentException e) {
      throw JobRejectedException.of(e);
    }
  }

  /**
   * Copies the shards, so that they can be written while the task continues. Waits if an earlier
   * checkpoint is still being written.
   */
  @Override
  public OperatorSnapshotFutures snapshotState(
      long checkpoint, long timestamp, CheckpointOptions options, CheckpointStreamFactory streams)
      throws Exception {
    new TaskChecks(getRuntimeContext().getTaskInfo())
        .storage(gate, streams, getContainingTask().getEnvironment().getCheckpointStorageAccess());
    OperatorSnapshotFutures futures = super.snapshotState(checkpoint, timestamp, options, streams);
    futures.setKeyedStateRawFuture(
        new ShardWriting(copy.of(gate), keyGroups, streams, copy::release)
            .toAsyncSnapshotFutureTask(getContainingTask().getCancelables()));
    return futures;
  }

  @Override
  public void close() throws Exception {
    HeapAccount.PROCESS.release(heapBytes);
    heapBytes = 0;
    super.close();
  }
}
