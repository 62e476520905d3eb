package dev.unseen.flink.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.unseen.Gate;
import dev.unseen.KeyForm;
import dev.unseen.bits.SplitMix64;
import dev.unseen.flink.LoggedDeduplication;
import dev.unseen.flink.UnseenDeduplication;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * What checkpoints of one design cost, in a process of its own. The filter is full when the job
 * starts, or has 100 million keys, half of the records are duplicates, and there is one task. Prints a line of CSV:
 *
 * <pre>
 * design,memory_bytes,records_per_second,new_per_second,cpu_us_per_record,checkpoints,seconds_apart,
 * median_bytes,mean_bytes,largest_bytes,median_blocked_ms,longest_blocked_ms,median_ms,heap_bytes,recovery_ms
 * </pre>
 */
public final class CheckpointBench {
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final double BYTES_PER_KEY = 2.68;
  private static final long MOST_KEYS = 100_000_000; // of a filter at the start
  private static final int SKIPPED = 2; // checkpoints: the first writes everything

  private CheckpointBench() {}

  public static void main(String[] args) throws Exception {
    String design = args[0]; // raw, log-rocksdb, log-hashmap
    long memory = Long.parseLong(args[1]) << 20;
    int rate = Integer.parseInt(args[2]); // records per second; 0: as many as possible
    int checkpoints = Integer.parseInt(args[3]);
    Path full = Path.of(args[4], "full-%d.uns".formatted(memory)); // made once for all designs
    Path directory = Files.createTempDirectory("unseen-flink-checkpoints");
    try {
      run(design, memory, rate, checkpoints, full, directory);
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
    System.exit(0);
  }

  private static void run(
      String design, long memory, int rate, int checkpoints, Path full, Path directory)
      throws Exception {
    if (Files.notExists(full)) {
      fill(memory, full);
    }
    Configuration config = config(design.equals("log-rocksdb") ? "rocksdb" : "hashmap", directory);
    Configuration cluster = new Configuration(config);
    cluster.set(RestOptions.BIND_PORT, "0");
    cluster.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(512));
    try (MiniCluster mini =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .setConfiguration(cluster)
                .build())) {
      mini.start();
      JobGraph job = job(config, design, rate, full);
      mini.submitJob(job).get();
      await(mini, job, SKIPPED);
      while (Paced.behind) {
        Thread.sleep(100);
      }
      int skipped = completed(mini, job).size() + 1;
      await(mini, job, skipped);
      long cpu = cpuNanos();
      long wall = System.nanoTime();
      long records = Paced.COUNT.get();
      await(mini, job, skipped + checkpoints);
      cpu = cpuNanos() - cpu;
      wall = System.nanoTime() - wall;
      records = Paced.COUNT.get() - records;
      List<CompletedCheckpointStats> done = completed(mini, job);
      long heap = heapAfterCollection();
      mini.cancelJob(job.getJobID()).get();
      while (mini.getJobStatus(job.getJobID()).get() != JobStatus.CANCELED) {
        Thread.sleep(20);
      }
      long recovery = recovery(mini, config, design, full, newest(mini, job));
      List<CompletedCheckpointStats> steady = done.subList(skipped, skipped + checkpoints);
      double perSecond = records * 1e9 / wall;
      System.out.printf(
          Locale.ROOT,
          "%s,%d,%.0f,%.0f,%.2f,%d,%.1f,%d,%d,%d,%d,%d,%d,%d,%d%n",
          design,
          memory,
          perSecond,
          perSecond / 2,
          cpu / 1e3 / records,
          steady.size(),
          wall / 1e9 / steady.size(),
          median(steady.stream().map(CompletedCheckpointStats::getCheckpointedSize)),
          (long)
              steady.stream()
                  .mapToLong(CompletedCheckpointStats::getCheckpointedSize)
                  .average()
                  .orElse(0),
          steady.stream().mapToLong(CompletedCheckpointStats::getCheckpointedSize).max().orElse(0),
          median(steady.stream().map(CheckpointBench::blocked)),
          steady.stream().mapToLong(CheckpointBench::blocked).max().orElse(0),
          median(steady.stream().map(CompletedCheckpointStats::getEndToEndDuration)),
          heap,
          recovery);
    }
  }

  /** Writes the state of a filter that is full, or as full as so many keys make it. */
  private static void fill(long memory, Path file) throws Exception {
    Gate gate =
        Gate.builder()
            .memory(memory)
            .seed(1)
            .concurrent()
            .keyForm(new KeyForm("bytes", ""))
            .build();
    SplitMix64 random = new SplitMix64(2);
    long[] hashes = new long[4096];
    long[] fresh = new long[64];
    for (long left = (long) Math.min(memory / BYTES_PER_KEY, MOST_KEYS); left > 0; left -= hashes.length) {
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = random.next();
      }
      gate.admitAll(hashes, 0, hashes.length, fresh);
    }
    gate.save(file, Map.of());
  }

  private static Configuration config(String backend, Path directory) {
    Configuration config = new Configuration();
    config.set(StateBackendOptions.STATE_BACKEND, backend);
    config.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    config.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY,
        directory.resolve("checkpoints").toUri().toString());
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, INTERVAL);
    // Without it, the checkpoints that a long one delays follow it at once.
    config.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, INTERVAL.minusSeconds(1));
    config.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    config.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    config.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 1000);
    config.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    return config;
  }

  private static JobGraph job(Configuration config, String design, int rate, Path full) {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(config);
    env.setParallelism(1);
    DataStream<String> ids =
        env.fromSequence(0, Long.MAX_VALUE - 1)
            .uid("numbers")
            .map(new Paced(rate))
            .returns(Types.STRING)
            .uid("ids");
    (design.equals("raw")
            ? UnseenDeduplication.of((String id) -> id).initialState(full.toUri()).applyTo(ids)
            : LoggedDeduplication.of(ids, full.toUri()))
        .map(new Passed())
        .returns(Types.STRING)
        .uid("passed")
        .sinkTo(new DiscardingSink<>())
        .uid("sink");
    return env.getStreamGraph().getJobGraph();
  }

  private static void await(MiniCluster mini, JobGraph job, int checkpoints) throws Exception {
    while (completed(mini, job).size() < checkpoints) {
      if (mini.getJobStatus(job.getJobID()).get().isTerminalState()) {
        throw new IllegalStateException(
            mini.requestJobResult(job.getJobID()).get().getSerializedThrowable().orElse(null));
      }
      Thread.sleep(100);
    }
  }

  private static List<CompletedCheckpointStats> completed(MiniCluster mini, JobGraph job)
      throws Exception {
    var stats = mini.getExecutionGraph(job.getJobID()).get().getCheckpointStatsSnapshot();
    return stats == null
        ? List.of()
        : stats.getHistory().getCheckpoints().stream()
            .filter(CompletedCheckpointStats.class::isInstance)
            .map(CompletedCheckpointStats.class::cast)
            .sorted(Comparator.comparingLong(CompletedCheckpointStats::getCheckpointId))
            .toList();
  }

  private static String newest(MiniCluster mini, JobGraph job) throws Exception {
    List<CompletedCheckpointStats> all = completed(mini, job);
    return all.get(all.size() - 1).getExternalPath();
  }

  /**
   * Returns how long a job takes from its submission to the first record after the filter: the
   * source does not wait until the filter is restored.
   */
  private static long recovery(
      MiniCluster mini, Configuration config, String design, Path full, String checkpoint)
      throws Exception {
    Configuration from = new Configuration(config);
    from.set(StateRecoveryOptions.SAVEPOINT_PATH, checkpoint);
    JobGraph job = job(from, design, 1000, full);
    long records = Paced.COUNT.get();
    long passed = Passed.COUNT.get();
    long start = System.nanoTime();
    mini.submitJob(job).get();
    while (Passed.COUNT.get() == passed) {
      if (mini.getJobStatus(job.getJobID()).get().isTerminalState()) {
        throw new IllegalStateException(
            mini.requestJobResult(job.getJobID()).get().getSerializedThrowable().orElse(null));
      }
      Thread.sleep(5);
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    requireDuplicatesAreKnown(records, passed);
    mini.cancelJob(job.getJobID()).get();
    return millis;
  }

  /** Half of the records are duplicates, nearly all of them of records before the checkpoint. */
  private static void requireDuplicatesAreKnown(long recordsBefore, long passedBefore)
      throws InterruptedException {
    while (Passed.COUNT.get() - passedBefore < 4000) {
      Thread.sleep(50);
    }
    long passed = Passed.COUNT.get() - passedBefore;
    long records = Paced.COUNT.get() - recordsBefore;
    if (passed > 0.55 * records) {
      throw new IllegalStateException("%d of %d records passed".formatted(passed, records));
    }
  }

  private static long blocked(CompletedCheckpointStats checkpoint) {
    return checkpoint.getAllTaskStateStats().stream()
        .filter(task -> task.getSummaryStats() != null)
        .mapToLong(task -> task.getSummaryStats().getSyncCheckpointDurationStats().getMaximum())
        .max()
        .orElse(0);
  }

  private static long median(Stream<Long> values) {
    List<Long> sorted = values.sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }

  private static long heapAfterCollection() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) { // a collection may leave what is used for a moment
      System.gc();
      Thread.sleep(200);
      Runtime java = Runtime.getRuntime();
      least = Math.min(least, java.totalMemory() - java.freeMemory());
    }
    return least;
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static final class Passed implements MapFunction<String, String> {
    private static final long serialVersionUID = 1;

    static final AtomicLong COUNT = new AtomicLong();

    @Override
    public String map(String id) {
      COUNT.lazySet(COUNT.getPlain() + 1); // one task writes
      return id;
    }
  }

  /** Makes ids of numbers: an odd one gets that of an even one before it. */
  private static final class Paced implements MapFunction<Long, String> {
    private static final long serialVersionUID = 1;
    private static final long REACH = 1 << 20;

    /** The records of all jobs, which run one after the other. */
    static final AtomicLong COUNT = new AtomicLong();

    /** Whether fewer records have come than should have. */
    static volatile boolean behind;

    private final int perSecond;
    private transient long start;
    private transient long count;

    Paced(int perSecond) {
      this.perSecond = perSecond;
    }

    @Override
    public String map(Long number) throws InterruptedException {
      COUNT.lazySet(COUNT.getPlain() + 1); // one task writes
      if (perSecond > 0 && count++ % 100 == 0) {
        if (start == 0) {
          start = System.nanoTime();
        }
        long ahead = count * 1_000_000_000 / perSecond - (System.nanoTime() - start);
        behind = ahead < -1_000_000_000;
        if (ahead > 1_000_000) {
          Thread.sleep(ahead / 1_000_000);
        }
      }
      long key =
          number % 2 == 0
              ? number
              : number
                  - 1
                  - 2 * ((number * 0x9E3779B97F4A7C15L >>> 40) % Math.min(number / 2 + 1, REACH));
      long mixed = (key + 1) * 0x9E3779B97F4A7C15L;
      mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
      return java.util.HexFormat.of().toHexDigits(mixed ^ (mixed >>> 32));
    }
  }
}
