package dev.unseen.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** A contestant in its own process, which runs one round per request. */
final class Racer implements AutoCloseable {
  private final Entry entry;
  private final Scenario scenario;
  private final int records;
  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;
  private long memoryBytes;

  /**
   * Starts the process, which begins to fill the contestant.
   *
   * @param java the Java that runs it
   * @param records the number of records in each round
   */
  Racer(Java java, Entry entry, Scenario scenario, int records) throws IOException {
    this.entry = entry;
    this.scenario = scenario;
    this.records = records;
    this.process =
        new ProcessBuilder(command(java)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    this.answers = process.inputReader(UTF_8);
    this.questions = process.outputWriter(UTF_8);
  }

  /** The result of one round, averaged over its records. */
  record Round(double nanos, double wallNanos, double admitted, double load, double lines) {
    Round scaled(double factor) {
      return new Round(nanos * factor, wallNanos * factor, admitted, load, lines);
    }
  }

  Entry entry() {
    return entry;
  }

  /** Returns its memory in bytes, which may be less than the scenario offers. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Waits until the contestant is filled. */
  void awaitFilled() throws IOException {
    memoryBytes = Long.parseLong(answer()[0]);
  }

  Round round() throws IOException {
    questions.write("round\n");
    questions.flush();
    String[] answer = answer();
    return new Round(
        Double.parseDouble(answer[0]) / records,
        Double.parseDouble(answer[1]) / records,
        Double.parseDouble(answer[2]) / records,
        Double.parseDouble(answer[3]),
        Double.parseDouble(answer[4]));
  }

  private List<String> command(Java java) {
    List<String> command = new ArrayList<>();
    command.add(java.binary().toString());
    command.add("-Xmx" + (entry.heapBytes(scenario) >> 20) + "m");
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
      throw new IOException("'" + entry.name() + "' has ended; see its message above");
    }
    return line.split(" ", -1);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor(); // the next process needs its memory
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
