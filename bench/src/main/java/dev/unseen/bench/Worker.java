package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The process of one contestant. It loads no other contestant, so that the compiler can optimize
 * all calls, and it runs one round per request, so that contestants can take turns.
 *
 * <p>It answers each line of its input with one line: first {@code memoryBytes load}, then for each
 * round {@code nanos wallNanos fresh load lines}.
 */
final class Worker {
  private static final long COMPILED_WITH = 1 << 20;

  private final List<Lane> lanes = new ArrayList<>();

  private Worker(Entry entry, Scenario scenario, int records) {
    if (!scenario.steady()) {
      compile(entry, scenario);
    }
    for (int i = 0; i < scenario.threads(); i++) {
      Scenario part = scenario.part();
      lanes.add(new Lane(entry.factory().apply(part), part, records / scenario.threads(), i));
    }
  }

  /**
   * Runs the process. The arguments are the name, the number of records in a round, and the
   * scenario.
   */
  public static void main(String[] args) throws Exception {
    Scenario scenario = Scenario.ofArguments(args, 2);
    Worker worker = new Worker(Entry.named(args[0]), scenario, Integer.parseInt(args[1]));
    long memoryBytes = worker.lanes.stream().mapToLong(lane -> lane.contestant.memoryBytes()).sum();
    answer(memoryBytes + " " + worker.lanes.get(0).contestant.load());
    ExecutorService threads = Executors.newFixedThreadPool(scenario.threads());
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      while (in.readLine() != null) {
        worker.round(threads);
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Runs a small contestant, so that Java compiles the code that filling uses. */
  private static void compile(Entry entry, Scenario scenario) {
    Scenario small = scenario.ofMemory(COMPILED_WITH);
    Lane lane = new Lane(entry.factory().apply(small), small, 1 << 20, 0);
    for (int i = 0; i < 4; i++) {
      lane.prepare();
      lane.run();
    }
  }

  private void round(ExecutorService threads)
      throws IOException, InterruptedException, ExecutionException {
    for (Lane lane : lanes) {
      lane.prepare();
    }
    long gcBefore = gcMillis();
    List<Future<?>> running = new ArrayList<>();
    for (Lane lane : lanes) {
      running.add(threads.submit(lane));
    }
    for (Future<?> lane : running) {
      lane.get();
    }
    // The collector works for the contestant, but in another thread.
    long gcNanos = (gcMillis() - gcBefore) * 1_000_000;
    long nanos = lanes.stream().mapToLong(lane -> lane.nanos).max().orElseThrow() + gcNanos;
    long wallNanos = lanes.stream().mapToLong(lane -> lane.wallNanos).max().orElseThrow();
    long fresh = lanes.stream().mapToLong(lane -> lane.fresh).sum();
    Lane first = lanes.get(0);
    double admitted = (double) first.fresh / first.keys.length();
    answer(
        "%d %d %d %s %s"
            .formatted(
                nanos,
                wallNanos,
                fresh,
                first.contestant.load(),
                first.contestant.lines(admitted)));
  }

  private static long gcMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  private static void answer(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** The contestant of one thread and its keys, which are made before its time begins. */
  private static final class Lane implements Runnable {
    private final SpeedContestant contestant;
    private final KeyStream stream;
    private final KeyBlock keys;
    private long nanos;
    private long wallNanos;
    private long fresh;

    Lane(SpeedContestant contestant, Scenario scenario, int records, int number) {
      this.contestant = contestant;
      this.stream = new KeyStream(number + 10L, scenario.duplicates(), scenario.reach());
      this.keys = new KeyBlock(records, scenario.strings());
      // The originals of the first duplicates.
      KeyBlock block = new KeyBlock(SpeedContestant.BATCH, scenario.strings());
      for (int i = 0; scenario.steady() && i < scenario.reach(); i += block.length()) {
        block.fill(stream, true);
        contestant.addAll(block, 0, block.length());
      }
    }

    void prepare() {
      keys.fill(stream, false);
    }

    @Override
    public void run() {
      var thread = ManagementFactory.getThreadMXBean();
      long wallBefore = System.nanoTime();
      long before = thread.getCurrentThreadCpuTime();
      long sum = 0;
      for (int i = 0; i < keys.length(); i += SpeedContestant.BATCH) {
        // Thousands of calls instead of a single long one, so that the compiler compiles the whole
        // method.
        sum += contestant.addAll(keys, i, Math.min(i + SpeedContestant.BATCH, keys.length()));
      }
      fresh = sum;
      nanos = thread.getCurrentThreadCpuTime() - before;
      wallNanos = System.nanoTime() - wallBefore;
    }
  }
}
