package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.filter.engine.ShardedFilter;
import dev.unseen.snapshot.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * A prototype that decision 34 measures: the filter as a base plus a log of admitted hashes, in
 * managed keyed state. It has neither windows nor handovers.
 *
 * <pre>
 * at a record       admit; if it is new, append its hash to the buffer of its key group
 * at a checkpoint   write the buffers to the log, one entry per key group, and
 *                   write some shards as their new base, which clears their logs:
 *                   as many, in turn, as keep the log at a share of the base
 * at a restore      read all bases, then admit the hashes of the logs
 * </pre>
 */
final class LoggingOperator extends AbstractStreamOperator<String>
    implements OneInputStreamOperator<Tuple2<Long, String>, String> {
  private static final long serialVersionUID = 1;
  private static final int CHUNK = 1 << 20; // bytes of a value of the base

  /** The bytes of new bases per byte of log: the log is at most half as large as the base. */
  private static final int BASE_PER_LOG = 2;

  private final FilterSetup setup;
  private final InitialState initialState;

  private transient Gate gate;
  private transient KeyGroupRange keyGroups;
  private transient long shardBytes;
  private transient long[][] buffers; // by key group
  private transient int[] counts;
  private transient MapState<Integer, byte[]> base;
  private transient ListState<byte[]> log;
  private transient long owedBytes; // of new bases
  private transient int next; // key group that gets a new base

  LoggingOperator(FilterSetup setup, InitialState initialState) {
    this.setup = setup;
    this.initialState = initialState;
  }

  @Override
  public void processElement(StreamRecord<Tuple2<Long, String>> hashed) {
    long hash = hashed.getValue().f0;
    if (gate.admit(hash)) {
      append(ShardedFilter.shardOf(hash), hash);
      output.collect(hashed.replace(hashed.getValue().f1));
    }
  }

  private void append(int group, long hash) {
    if (counts[group] == buffers[group].length) {
      buffers[group] = Arrays.copyOf(buffers[group], 2 * counts[group]);
    }
    buffers[group][counts[group]++] = hash;
  }

  /** Does nothing: keys are set at checkpoints only. */
  @Override
  @SuppressWarnings("rawtypes") // as Flink declares it
  public void setKeyContextElement1(StreamRecord record) {}

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    owedBytes += (long) Arrays.stream(counts).sum() * Long.BYTES * BASE_PER_LOG;
    int most = keyGroups.getNumberOfKeyGroups();
    for (; owedBytes >= shardBytes && most > 0; most--) {
      writeBase(next);
      owedBytes -= shardBytes;
      next = next == keyGroups.getEndKeyGroup() ? keyGroups.getStartKeyGroup() : next + 1;
    }
    owedBytes = Math.min(owedBytes, shardBytes);
    for (int group : keyGroups) {
      if (counts[group] > 0) {
        setCurrentKey(KeyGroups.keyOf(group));
        ByteBuffer bytes = ByteBuffer.allocate(counts[group] * Long.BYTES);
        bytes.asLongBuffer().put(buffers[group], 0, counts[group]);
        log.add(bytes.array());
        counts[group] = 0;
      }
    }
  }

  private void writeBase(int group) throws Exception {
    setCurrentKey(KeyGroups.keyOf(group));
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) shardBytes + CHUNK);
    gate.saveShard(group, out);
    byte[] bytes = out.toByteArray();
    for (int i = 0; i * CHUNK < bytes.length; i++) {
      base.put(i, Arrays.copyOfRange(bytes, i * CHUNK, Math.min(bytes.length, (i + 1) * CHUNK)));
    }
    log.clear();
    counts[group] = 0;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    keyGroups = KeyGroups.ofTask(task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask());
    base =
        context
            .getKeyedStateStore()
            .getMapState(
                new MapStateDescriptor<>(
                    "base", Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    log =
        context
            .getKeyedStateStore()
            .getListState(
                new ListStateDescriptor<>(
                    "log", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    buffers = new long[KeyGroups.COUNT][64];
    counts = new int[KeyGroups.COUNT];
    next = keyGroups.getStartKeyGroup();
    shardBytes = ShardedFilter.shardBytes(setup.spec());
    if (context.isRestored()) {
      restore();
    } else {
      gate = setup.gate(initialState.read(keyGroups::contains));
      owedBytes = shardBytes * keyGroups.getNumberOfKeyGroups(); // all of them, at once
    }
  }

  private void restore() throws Exception {
    RestoredShards shards = new RestoredShards();
    for (int group : keyGroups) {
      setCurrentKey(KeyGroups.keyOf(group));
      shards.add(group, readBase());
    }
    Snapshot joined = shards.complete(KeyGroups.shards(keyGroups));
    gate = setup.gate(joined);
    for (int group : keyGroups) {
      setCurrentKey(KeyGroups.keyOf(group));
      for (byte[] some : log.get()) {
        LongBuffer hashes = ByteBuffer.wrap(some).asLongBuffer();
        while (hashes.hasRemaining()) {
          gate.admit(hashes.get());
        }
      }
    }
  }

  private InputStream readBase() throws Exception {
    List<InputStream> chunks =
        Stream.iterate(0, i -> i + 1)
            .map(this::chunk)
            .takeWhile(chunk -> chunk.length > 0)
            .<InputStream>map(ByteArrayInputStream::new)
            .toList();
    return new SequenceInputStream(Collections.enumeration(chunks));
  }

  private byte[] chunk(int i) {
    try {
      byte[] bytes = base.get(i);
      return bytes == null ? new byte[0] : bytes;
    } catch (Exception e) {
      throw new IllegalStateException(new IOException(e));
    }
  }
}
