package dev.unseen.flink;

import static dev.unseen.Memory.KiB;

import dev.unseen.Gate;
import dev.unseen.GateBuilder;
import dev.unseen.filter.Window;
import dev.unseen.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A job whose records are numbered, so that its output says which record of a key was let through.
 * One source task sends all of them, so equal states give equal verdicts, down to the last false
 * positive: a filter of 32 KiB gets 35,000 keys, and forgets half of them.
 */
final class NumberedJob {
  static final long RECORDS = 80_000;
  private static final long KEYS = 40_000;
  private static final Window WINDOW = Window.time(Duration.ofMillis(RECORDS / 10));
  private static final Map<String, List<Long>> FAILURES = new ConcurrentHashMap<>();
  private static final Map<String, Queue<Long>> HELD = new ConcurrentHashMap<>();
  private static final Map<String, AtomicLong> PASSED = new ConcurrentHashMap<>();

  private final Path directory;
  private int pauseEvery; // records; 0: never
  private long crawlFrom = RECORDS; // pauses after each record from this one on
  private boolean heldHere;

  NumberedJob(Path directory) {
    this.directory = directory;
  }

  /** Makes the source pause for a millisecond after this many records. */
  NumberedJob slowed(int every) {
    pauseEvery = every;
    return this;
  }

  /**
   * Makes the source pause for a millisecond after this many records, and in its second half after
   * each, so that a job is stopped before its end, however long its checkpoints take.
   */
  NumberedJob toBeStopped(int every) {
    crawlFrom = RECORDS / 2;
    return slowed(every);
  }

  /** Makes the source pause for a millisecond after each record from this one on. */
  NumberedJob crawlingFrom(long number) {
    crawlFrom = number;
    return this;
  }

  /** Waits until this many records have come out, counted over all jobs of the directory. */
  void awaitPassed(long count) {
    Patience.await("%d records".formatted(count))
        .until(() -> PASSED.getOrDefault(directory.toString(), new AtomicLong()).get() >= count);
  }

  /** Makes tasks fail when this many records have come out, counted over all attempts. */
  NumberedJob failing(List<Long> after) {
    FAILURES.put(directory.toString(), Collections.synchronizedList(new ArrayList<>(after)));
    return this;
  }

  boolean hasFailedAlways() {
    return FAILURES.get(directory.toString()).isEmpty();
  }

  static UnseenDeduplication<Tuple2<String, Long>, String> deduplication() {
    return keys().memory(KiB(32)).seed(7).uid("once");
  }

  static UnseenDeduplication<Tuple2<String, Long>, String> keys() {
    return UnseenDeduplication.of((Tuple2<String, Long> record) -> record.f0);
  }

  void build(StreamExecutionEnvironment env) {
    build(env, deduplication());
  }

  /** A record's number is its time: a tenth of the records is in the window. */
  static UnseenDeduplication<Tuple2<String, Long>, String> windowed() {
    return deduplication().window(WINDOW).eventTime();
  }

  void build(
      StreamExecutionEnvironment env,
      UnseenDeduplication<Tuple2<String, Long>, String> deduplication) {
    build(env, deduplication::applyTo);
  }

  void build(
      StreamExecutionEnvironment env,
      Function<DataStream<Tuple2<String, Long>>, SingleOutputStreamOperator<Tuple2<String, Long>>>
          once) {
    DataStream<Tuple2<String, Long>> records =
        env.fromSequence(0, RECORDS - 1)
            .setParallelism(1)
            .uid("source")
            .map(new Numbering(pauseEvery, crawlFrom))
            .returns(Types.TUPLE(Types.STRING, Types.LONG))
            .setParallelism(1)
            .uid("records")
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Tuple2<String, Long>>forMonotonousTimestamps()
                    .withTimestampAssigner((record, before) -> record.f1))
            .setParallelism(1)
            .uid("times");
    SingleOutputStreamOperator<String> out =
        once.apply(records)
            .map(new Failing(directory.toString()))
            .returns(Types.STRING)
            .uid("failing");
    if (heldHere) {
      out.map(new Holding(directory.toString()))
          .returns(Types.STRING)
          .sinkTo(new DiscardingSink<>());
      return;
    }
    out.sinkTo(
            FileSink.<String>forRowFormat(
                    new org.apache.flink.core.fs.Path(output().toUri()),
                    new SimpleStringEncoder<>())
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .build())
        .uid("sink");
  }

  /** Returns the numbers of the records that the library lets through with the same filter. */
  static List<Long> expected() {
    return expected(Gate.builder());
  }

  /** Returns them for {@link #windowed}. */
  static List<Long> expectedWindowed() {
    return expected(Gate.builder().window(WINDOW).eventTime());
  }

  private static List<Long> expected(GateBuilder options) {
    Gate gate = options.memory(KiB(32)).seed(7).concurrent().build();
    return LongStream.range(0, RECORDS)
        .filter(number -> gate.admit(gate.hash().hash(keyOf(number)), number))
        .boxed()
        .toList();
  }

  private Path output() {
    return directory.resolve("out");
  }

  /** Keeps the output in this process, and nothing of it in savepoints. */
  NumberedJob heldHere() {
    heldHere = true;
    HELD.put(directory.toString(), new ConcurrentLinkedQueue<>());
    return this;
  }

  /** Returns the numbers of the records that came out, in order. */
  List<Long> numbers() throws IOException {
    if (heldHere) {
      return HELD.get(directory.toString()).stream().sorted().toList();
    }
    try (Stream<Path> files = Files.walk(output())) {
      return files
          .filter(
              file -> Files.isRegularFile(file) && !file.getFileName().toString().startsWith("."))
          .flatMap(NumberedJob::lines)
          .map(Long::parseLong)
          .sorted()
          .toList();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the records below a number that are the first of their key. */
  static List<Long> firstOfEachKey(long end) {
    Set<String> seen = new HashSet<>();
    return LongStream.range(0, end).filter(number -> seen.add(keyOf(number))).boxed().toList();
  }

  /** Returns the key of a record: any of them, in no order. */
  static String keyOf(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return "key-" + (mixed >>> 33) % KEYS;
  }

  private static final class Numbering implements MapFunction<Long, Tuple2<String, Long>> {
    private static final long serialVersionUID = 1;

    private final int pauseEvery;
    private final long crawlFrom;

    Numbering(int pauseEvery, long crawlFrom) {
      this.pauseEvery = pauseEvery;
      this.crawlFrom = crawlFrom;
    }

    @Override
    public Tuple2<String, Long> map(Long number) throws InterruptedException {
      if (number >= crawlFrom || (pauseEvery > 0 && number % pauseEvery == 0)) {
        Thread.sleep(1);
      }
      return Tuple2.of(keyOf(number), number);
    }
  }

  private static final class Failing implements MapFunction<Tuple2<String, Long>, String> {
    private static final long serialVersionUID = 1;

    private final String job;

    Failing(String job) {
      this.job = job;
    }

    @Override
    public String map(Tuple2<String, Long> record) {
      long passed = PASSED.computeIfAbsent(job, any -> new AtomicLong()).incrementAndGet();
      List<Long> failures = FAILURES.getOrDefault(job, List.of());
      synchronized (failures) {
        if (!failures.isEmpty() && passed >= failures.get(0)) {
          failures.remove(0);
          throw new IllegalStateException("a failure on purpose");
        }
      }
      return Long.toString(record.f1);
    }
  }

  private static final class Holding implements MapFunction<String, String> {
    private static final long serialVersionUID = 1;

    private final String job;

    Holding(String job) {
      this.job = job;
    }

    @Override
    public String map(String number) {
      HELD.get(job).add(Long.valueOf(number));
      return number;
    }
  }
}
