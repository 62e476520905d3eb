package dev.unseen.bench;

import static dev.unseen.Memory.GiB;
import static dev.unseen.Memory.MiB;

import dev.unseen.text.Print;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench/compare growth}: measures the cost of a record as the memory grows, and as the
 * stream grows.
 */
@Command(
    name = "growth",
    description =
        "Measures the cost of a record for RECENCY, in batches, as the memory and the stream grow,"
            + " and the limit of the memory in the same run.",
    mixinStandardHelpOptions = true)
final class GrowthCommand implements Callable<Integer> {
  private static final int ROUND = 1 << 19;

  @Spec private CommandSpec spec;

  @Option(
      names = "--max-memory",
      paramLabel = "SIZE",
      defaultValue = "4G",
      converter = CompareCommand.Size.class,
      description =
          "Largest memory; the sizes start at 1M and grow by a factor of 4. Default: ${DEFAULT-VALUE}.")
  private long maxMemory;

  @Option(
      names = "--stream-memory",
      paramLabel = "SIZE",
      defaultValue = "64M",
      converter = CompareCommand.Size.class,
      description = "Memory of the filter for the growing stream. Default: ${DEFAULT-VALUE}.")
  private long streamMemory;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "1e9",
      converter = CompareCommand.Count.class,
      description = "Length of the stream in records. Default: ${DEFAULT-VALUE}.")
  private long records;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "9",
      description = "Number of rounds that count for each memory. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--csv", paramLabel = "FILE", description = "Write both tables as CSV.")
  private Path csv;

  @Option(names = "--huge-pages", description = "Ask for huge pages, as ./unseen does.")
  private boolean hugePages;

  @Option(
      names = "--java",
      paramLabel = "PATH",
      description = "JDK that runs the contestants. Default: the JDK that runs this command.")
  private Path jdk;

  @Override
  public Integer call() throws IOException {
    check();
    PrintWriter out = spec.commandLine().getOut();
    Java java = jdk == null ? Java.own() : Java.at(jdk);
    out.println(Machine.here(java).describe());
    Growth growth = new Growth(java, ROUND, hugePages, new StatusLine(spec.commandLine().getErr()));
    List<Growth.Point> points = new ArrayList<>();
    out.print(GrowthTable.head("memory", "filled, 50 % duplicates"));
    for (long bytes = MiB(1); bytes <= maxMemory; bytes *= 4) {
      print(out, points, growth.ofMemory(bytes, rounds));
    }
    out.print(
        GrowthTable.head(
            "records", Print.bytes(streamMemory) + ", empty at first, 50 % duplicates"));
    growth.ofStream(streamMemory, records, point -> print(out, points, point));
    if (csv != null) {
      Files.writeString(csv, GrowthTable.csv(points));
    }
    return 0;
  }

  private static void print(PrintWriter out, List<Growth.Point> points, Growth.Point point) {
    points.add(point);
    out.print(GrowthTable.row(point));
    out.flush();
  }

  private void check() {
    if (maxMemory < MiB(1) || maxMemory > GiB(8)) {
      throw invalid("--max-memory (%,d bytes) must be 1M to 8G".formatted(maxMemory));
    }
    if (streamMemory < MiB(1) || streamMemory > GiB(8)) {
      throw invalid("--stream-memory (%,d bytes) must be 1M to 8G".formatted(streamMemory));
    }
    if (records < Growth.FIRST) {
      throw invalid("--records (%,d) must be at least %,d".formatted(records, Growth.FIRST));
    }
    if (rounds < 1) {
      throw invalid("--rounds (%d) must be at least 1".formatted(rounds));
    }
  }

  private CommandLine.ParameterException invalid(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
