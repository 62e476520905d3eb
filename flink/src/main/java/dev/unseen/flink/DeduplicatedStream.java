package dev.unseen.flink;

import dev.unseen.filter.engine.ShardedFilter;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.UnionTransformation;

/**
 * The first record of each key. A deduplication consists of two operators of Flink, which get their
 * uids together:
 *
 * <pre>
 * source ─┐
 *         ├─▶ hash ─▶ by shard ─▶ unseen
 * source ─┘
 * </pre>
 *
 * <p>There is one operator for the hashes, however many streams are united: it has the secret in
 * its state, and a stream that is added later would have none. Records of a key stay in the order
 * of their source on the way.
 *
 * @param <T> the records
 */
final class DeduplicatedStream<T> extends SingleOutputStreamOperator<T> {
  private final SingleOutputStreamOperator<Tuple2<Long, T>> hashed;
  private final FilterSetup setup;

  private DeduplicatedStream(
      SingleOutputStreamOperator<T> once,
      SingleOutputStreamOperator<Tuple2<Long, T>> hashed,
      FilterSetup setup) {
    super(once.getExecutionEnvironment(), once.getTransformation());
    this.hashed = hashed;
    this.setup = setup;
  }

  /** Adds the operators to a job. */
  static <T> DeduplicatedStream<T> of(
      DataStream<T> stream,
      KeyHashing<T, ?> hashing,
      DeduplicationOperator<T> operator,
      FilterSetup setup) {
    List<Transformation<T>> inputs = inputs(stream.getTransformation()).toList();
    DataStream<T> united =
        new DataStream<>(
            stream.getExecutionEnvironment(),
            inputs.size() == 1 ? inputs.get(0) : new UnionTransformation<>(inputs));
    IntSummaryStatistics tasks =
        inputs.stream().mapToInt(Transformation::getParallelism).summaryStatistics();
    if (tasks.getMin() < tasks.getMax()) { // otherwise each task of a source sends to one task
      united = united.partitionCustom(Math::floorMod, hashing::publicHash);
    }
    SingleOutputStreamOperator<Tuple2<Long, T>> hashed =
        united.map(hashing, Types.TUPLE(Types.LONG, stream.getType())).name("unseen-hash");
    if (inputs.stream().anyMatch(Transformation::isParallelismConfigured)) {
      hashed.setParallelism(tasks.getMax());
    }
    SingleOutputStreamOperator<T> once =
        hashed
            .keyBy(record -> KeyGroups.keyOf(ShardedFilter.shardOf(record.f0)), Types.INT)
            .transform("unseen", stream.getType(), operator);
    return new DeduplicatedStream<>(once, hashed, setup);
  }

  /**
   * Returns the operators that a stream comes from. How the stream is partitioned does not matter,
   * since records are sent to the task of their shard.
   */
  @SuppressWarnings("unchecked") // neither changes the type of the records
  private static <T> Stream<Transformation<T>> inputs(Transformation<T> stream) {
    return stream instanceof PartitionTransformation || stream instanceof UnionTransformation
        ? stream.getInputs().stream().flatMap(input -> inputs((Transformation<T>) input))
        : Stream.of(stream);
  }

  /** Sets the uid, and that of the operator for the hashes. */
  @Override
  public DeduplicatedStream<T> uid(String uid) {
    super.uid(uid);
    setup.uid(uid);
    hashed.uid(uid + "-hash");
    return this;
  }

  /**
   * Rejects every number but that of the shards.
   *
   * @throws IllegalArgumentException if it is another
   */
  @Override
  public DeduplicatedStream<T> setMaxParallelism(int keyGroups) {
    if (keyGroups != KeyGroups.COUNT) {
      throw new IllegalArgumentException(TaskChecks.otherKeyGroups("unseen", keyGroups));
    }
    super.setMaxParallelism(keyGroups);
    return this;
  }
}
