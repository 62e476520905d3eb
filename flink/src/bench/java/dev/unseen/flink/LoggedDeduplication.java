package dev.unseen.flink;

import dev.unseen.Gate;
import dev.unseen.filter.engine.ShardedFilter;
import java.net.URI;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** Adds the prototype of decision 34 to a job. */
public final class LoggedDeduplication {
  private LoggedDeduplication() {}

  /** Lets each text through once that is not in the initial state. */
  public static SingleOutputStreamOperator<String> of(DataStream<String> ids, URI file) {
    InitialState initial = new InitialState(file);
    FilterSetup setup =
        FilterSetup.of(
            Gate.builder().config(), KeyTypes.keyFor(Types.STRING).form(), initial.check());
    return ids.map(
            new KeyHashing<>((String id) -> id, Types.STRING, setup, NullKeys.FAIL),
            Types.TUPLE(Types.LONG, Types.STRING))
        .uid("hash")
        .keyBy(record -> KeyGroups.keyOf(ShardedFilter.shardOf(record.f0)), Types.INT)
        .transform("unseen", Types.STRING, new LoggingOperator(setup, initial))
        .uid("unseen")
        .setMaxParallelism(KeyGroups.COUNT);
  }
}
