package dev.unseen.flink;

import dev.unseen.filter.engine.ShardedFilter;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.UnionTransformation;

/**
 * The first record of each key. A deduplication consists of several operators of Flink, which get
 * their uids together:
 *
 * <pre>
 * source ─▶ hash ─┐
 *                 ├─▶ by shard ─▶ unseen
 * source ─▶ hash ─┘
 * </pre>
 *
 * @param <T> the records
 */
final class Deduplicated<T> extends SingleOutputStreamOperator<T> {
  private final List<SingleOutputStreamOperator<Tuple2<Long, T>>> hashes;
  private final FilterSetup setup;

  private Deduplicated(
      SingleOutputStreamOperator<T> once,
      List<SingleOutputStreamOperator<Tuple2<Long, T>>> hashes,
      FilterSetup setup) {
    super(once.getExecutionEnvironment(), once.getTransformation());
    this.hashes = hashes;
    this.setup = setup;
  }

  /** Adds the operators to a job. */
  static <T> Deduplicated<T> of(
      DataStream<T> stream,
      MapFunction<T, Tuple2<Long, T>> hashing,
      DeduplicationOperator<T, ?> operator,
      FilterSetup setup) {
    List<SingleOutputStreamOperator<Tuple2<Long, T>>> hashes =
        inputs(stream.getTransformation())
            .map(input -> hash(stream.getExecutionEnvironment(), input, hashing))
            .toList();
    DataStream<Tuple2<Long, T>> hashed = hashes.get(0);
    for (DataStream<Tuple2<Long, T>> more : hashes.subList(1, hashes.size())) {
      hashed = hashed.union(more);
    }
    SingleOutputStreamOperator<T> once =
        hashed
            .keyBy(record -> KeyGroups.keyOf(ShardedFilter.shardOf(record.f0)), Types.INT)
            .transform("unseen", stream.getType(), operator);
    return new Deduplicated<>(once, hashes, setup);
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

  /** Adds hashes in the tasks of an operator, so that its records keep their order. */
  private static <T> SingleOutputStreamOperator<Tuple2<Long, T>> hash(
      StreamExecutionEnvironment environment,
      Transformation<T> input,
      MapFunction<T, Tuple2<Long, T>> hashing) {
    TypeInformation<Tuple2<Long, T>> type = Types.TUPLE(Types.LONG, input.getOutputType());
    SingleOutputStreamOperator<Tuple2<Long, T>> hashed =
        new DataStream<>(environment, input).map(hashing, type).name("unseen-hash");
    return input.isParallelismConfigured() ? hashed.setParallelism(input.getParallelism()) : hashed;
  }

  /** Sets the uid, and those of the other operators. */
  @Override
  public Deduplicated<T> uid(String uid) {
    super.uid(uid);
    setup.uid(uid);
    for (int i = 0; i < hashes.size(); i++) {
      hashes.get(i).uid(uid + "-hash" + (i == 0 ? "" : "-" + (i + 1)));
    }
    return this;
  }

  /**
   * Rejects every number but that of the shards.
   *
   * @throws IllegalArgumentException if it is another
   */
  @Override
  public Deduplicated<T> setMaxParallelism(int keyGroups) {
    if (keyGroups != KeyGroups.COUNT) {
      throw new IllegalArgumentException(TaskChecks.otherKeyGroups("unseen", keyGroups));
    }
    super.setMaxParallelism(keyGroups);
    return this;
  }
}
