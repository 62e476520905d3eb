package dev.unseen.flink.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.unseen.flink.UnseenDeduplication;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.util.Collector;

/**
 * One way to deduplicate, in a process of its own: half of the records are duplicates, one task,
 * checkpoints on a disk. Prints a line of CSV: way, records, processor and wall seconds, bytes of
 * the last checkpoint's state, the longest checkpoint and its longest synchronous part in
 * milliseconds.
 */
public final class FlinkBench {
  private FlinkBench() {}

  public static void main(String[] args) throws Exception {
    String way = args[0];
    long records = Long.parseLong(args[1]);
    long bytes = args.length > 2 ? Long.parseLong(args[2]) : 0; // of our filter; 0: as needed
    String pulse = args.length > 3 ? args[3] : null; // where to write how fast records pass
    Configuration config = config(way.endsWith("rocksdb") ? "rocksdb" : "hashmap");
    if (pulse != null) {
      config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(12));
      config.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 1000);
    }
    Configuration cluster = new Configuration(config);
    cluster.set(RestOptions.BIND_PORT, "0");
    cluster.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(512));
    MiniCluster mini =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .setConfiguration(cluster)
                .build());
    mini.start();
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
    env.setParallelism(1);
    env.setMaxParallelism(128);
    DataStream<String> ids =
        env.fromSequence(0, records - 1).map(new Ids(records / 2)).returns(Types.STRING);
    build(way, pulse == null ? ids : ids.map(new Pulse()).returns(Types.STRING), records, bytes);
    JobGraph job = env.getStreamGraph().getJobGraph();
    long cpu = cpuNanos();
    long wall = System.nanoTime();
    mini.submitJob(job).get();
    Thread sampler = pulse == null ? null : Pulse.start();
    var result = mini.requestJobResult(job.getJobID()).get();
    cpu = cpuNanos() - cpu;
    wall = System.nanoTime() - wall;
    if (result.getSerializedThrowable().isPresent()) {
      throw new IllegalStateException(result.getSerializedThrowable().get());
    }
    if (pulse != null) {
      sampler.interrupt();
      sampler.join();
      Pulse.report(
          mini.getExecutionGraph(job.getJobID())
              .get()
              .getCheckpointStatsSnapshot()
              .getHistory()
              .getCheckpoints(),
          Path.of(pulse));
    }
    long state = 0;
    long longest = 0;
    long blocked = 0;
    for (AbstractCheckpointStats each :
        mini.getExecutionGraph(job.getJobID())
            .get()
            .getCheckpointStatsSnapshot()
            .getHistory()
            .getCheckpoints()) {
      if (each instanceof CompletedCheckpointStats done) {
        state = Math.max(state, done.getStateSize());
        longest = Math.max(longest, done.getEndToEndDuration());
        for (var task : done.getAllTaskStateStats()) {
          if (task.getSummaryStats() != null) {
            blocked =
                Math.max(
                    blocked, task.getSummaryStats().getSyncCheckpointDurationStats().getMaximum());
          }
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s,%d,%.2f,%.2f,%d,%d,%d%n",
        way,
        records,
        cpu / 1e9,
        wall / 1e9,
        state,
        longest,
        blocked);
    mini.close();
    System.exit(0);
  }

  private static Configuration config(String backend) throws Exception {
    Configuration config = new Configuration();
    Path directory = Files.createTempDirectory("unseen-flink-bench");
    config.set(StateBackendOptions.STATE_BACKEND, backend);
    config.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    config.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, directory.toUri().toString());
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(2));
    config.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    return config;
  }

  private static void build(String way, DataStream<String> ids, long records, long bytes) {
    switch (way) {
      case "pass-through" ->
          ids.keyBy(id -> id, Types.STRING)
              .map(id -> id)
              .returns(Types.STRING)
              .sinkTo(new DiscardingSink<>());
      case "unseen" -> {
        UnseenDeduplication<String, String> once = UnseenDeduplication.of((String id) -> id);
        (bytes > 0 ? once.memory(bytes) : once.expectedKeys(records / 2))
            .applyTo(ids)
            .sinkTo(new DiscardingSink<>());
      }
      case "value-state-heap", "value-state-rocksdb" ->
          ids.keyBy(id -> id, Types.STRING).process(new Seen()).sinkTo(new DiscardingSink<>());
      case "sql-heap", "sql-rocksdb" -> sql(ids);
      default -> throw new IllegalArgumentException("way '%s' is unknown".formatted(way));
    }
  }

  private static void sql(DataStream<String> ids) {
    StreamTableEnvironment tables = StreamTableEnvironment.create(ids.getExecutionEnvironment());
    tables.createTemporaryView(
        "ids",
        ids,
        Schema.newBuilder().column("f0", "STRING").columnByExpression("t", "PROCTIME()").build());
    tables
        .toDataStream(
            tables.sqlQuery(
                "SELECT f0 FROM (SELECT f0, ROW_NUMBER() OVER (PARTITION BY f0 ORDER BY t) AS n"
                    + " FROM ids) WHERE n = 1"))
        .sinkTo(new DiscardingSink<>());
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static final class Ids implements MapFunction<Long, String> {
    private static final long serialVersionUID = 1;

    private final long distinct;

    Ids(long distinct) {
      this.distinct = distinct;
    }

    @Override
    public String map(Long number) {
      long mixed = (number % distinct + 1) * 0x9E3779B97F4A7C15L;
      mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
      return java.util.HexFormat.of().toHexDigits(mixed ^ (mixed >>> 32));
    }
  }

  private static final class Seen extends KeyedProcessFunction<String, String, String> {
    private static final long serialVersionUID = 1;

    private transient ValueState<Boolean> seen;

    @Override
    public void open(OpenContext context) {
      ValueStateDescriptor<Boolean> state = new ValueStateDescriptor<>("seen", Types.BOOLEAN);
      state.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofHours(24)).build());
      seen = getRuntimeContext().getState(state);
    }

    @Override
    public void processElement(String id, Context context, Collector<String> out) throws Exception {
      if (seen.value() == null) {
        seen.update(true);
        out.collect(id);
      }
    }
  }
}
