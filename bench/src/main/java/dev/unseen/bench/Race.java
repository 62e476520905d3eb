package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * All contestants of one scenario, each in its own process, round after round in turns: what slows
 * the machine for a while slows all of them alike.
 */
final class Race {
  /** Rounds that do not count: filling has warmed all up, but other keys may go other ways. */
  private static final int WARM_UP = 4;

  private final Scenario scenario;
  private final int records;
  private final int rounds;
  private final Consumer<String> log;
  private long startedAt;
  private long filledAt;
  private long endedAt;

  /**
   * A race.
   *
   * @param records of each round
   * @param rounds that count
   * @param log hears what goes on
   */
  Race(Scenario scenario, int records, int rounds, Consumer<String> log) {
    this.scenario = scenario;
    this.records = records;
    this.rounds = rounds;
    this.log = log;
  }

  /** Runs it; one result each, in the order of the entries. */
  List<Result> run(List<Entry> entries) throws IOException {
    List<Racer> racers = new ArrayList<>();
    try {
      startedAt = System.nanoTime();
      fill(entries, racers);
      filledAt = System.nanoTime();
      for (int round = -WARM_UP; round < rounds; round++) {
        log.accept(round < 0 ? "warming up" : "round %d of %d".formatted(round + 1, rounds));
        for (Racer racer : racers) {
          racer.round(round >= 0);
        }
      }
      endedAt = System.nanoTime();
      return racers.stream().map(Racer::result).toList();
    } finally {
      racers.forEach(Racer::close);
    }
  }

  /** How long it took, in words. */
  String took() {
    return String.format(
        Locale.ROOT,
        "Filled in %.0f s, measured in %.0f s.",
        (filledAt - startedAt) / 1e9,
        (endedAt - filledAt) / 1e9);
  }

  /** Starts and fills all of them, as many at once as there are processors. */
  private void fill(List<Entry> entries, List<Racer> racers) throws IOException {
    int ahead = Runtime.getRuntime().availableProcessors();
    for (int i = 0; i < entries.size(); i++) {
      while (racers.size() < Math.min(i + ahead, entries.size())) {
        racers.add(new Racer(entries.get(racers.size())));
      }
      log.accept("filling " + entries.get(i).name());
      racers.get(i).awaitFilled();
    }
  }

  /** A process and what it answered. */
  private final class Racer implements AutoCloseable {
    private final Entry entry;
    private final Process process;
    private final BufferedReader answers;
    private final Writer questions;
    private long memoryBytes;
    private final List<Double> nanosPerRecord = new ArrayList<>();
    private final List<Double> wallPerRecord = new ArrayList<>();
    private double admitted;
    private double load;
    private double lines;

    Racer(Entry entry) throws IOException {
      this.entry = entry;
      this.process =
          new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      this.answers = process.inputReader(UTF_8);
      this.questions = process.outputWriter(UTF_8);
    }

    void awaitFilled() throws IOException {
      memoryBytes = Long.parseLong(answer()[0]);
    }

    private List<String> command() {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      long heap = (long) (scenario.memoryBytes() * entry.heapFactor()) + (200L << 20);
      command.add("-Xmx" + (heap >> 20) + "m");
      if (scenario.hugePages()) {
        command.add("-XX:+UseTransparentHugePages");
      }
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(Worker.class.getName());
      command.add(entry.name());
      command.add(Integer.toString(records));
      command.addAll(List.of(scenario.toArguments()));
      return command;
    }

    private String[] answer() throws IOException {
      String line = answers.readLine();
      if (line == null) {
        throw new IOException("'" + entry.name() + "' has ended; it says above why");
      }
      return line.split(" ", -1);
    }

    void round(boolean counts) throws IOException {
      questions.write("round\n");
      questions.flush();
      String[] answer = answer();
      if (counts) {
        nanosPerRecord.add(Double.parseDouble(answer[0]) / records);
        wallPerRecord.add(Double.parseDouble(answer[1]) / records);
        admitted = Double.parseDouble(answer[2]) / records;
        load = Double.parseDouble(answer[3]);
        lines = Double.parseDouble(answer[4]);
      }
    }

    Result result() {
      return new Result(
          entry.name(),
          entry.role(),
          scenario,
          memoryBytes,
          median(nanosPerRecord),
          median(wallPerRecord),
          admitted,
          load,
          lines);
    }

    @Override
    public void close() {
      process.destroy();
    }
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
