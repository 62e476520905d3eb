package dev.unseen.lab;

import dev.unseen.draw.SvgWriter;
import dev.unseen.lab.output.WholeFile;
import dev.unseen.text.Require;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code unseen lab sizing}: measures how many keys RECENCY evicts early in how much memory. */
@Command(
    name = "sizing",
    description =
        "Measures which share of the keys RECENCY evicts early, by the memory per key: with a window, in a"
            + " steady stream of new keys, and without one, when all keys have come once.",
    sortOptions = false)
final class SizingCommand extends LabSubcommand {
  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "400000",
      description = "Number of keys at one time. Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "12",
      description =
          "Number of windows that are counted, after two that fill the filter; without a window, of filters."
              + " Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "Directory for sizing.csv and sizing.svg.")
  private Path output;

  @Override
  public Integer call() throws IOException {
    Require.that(keys >= 1000 && keys <= 100_000_000, "--keys", keys, "1000 to 100 million");
    Require.that(rounds >= 1 && rounds <= 1000, "--rounds", rounds, "1 to 1000");
    List<SizingRun> runs = SizingRun.all(keys, rounds);
    Files.createDirectories(output);
    WholeFile.write(output.resolve("sizing.csv"), String.join("\n", csv(runs)) + "\n");
    WholeFile.write(
        output.resolve("sizing.svg"),
        SvgWriter.write(SizingPlot.of(runs), "Keys that are evicted early, by bytes per key"));
    out().println("wrote sizing.csv and sizing.svg to " + output);
    return 0;
  }

  private static List<String> csv(List<SizingRun> runs) {
    List<String> lines =
        new ArrayList<>(List.of("max_fpr,window,bytes_per_key,derived,memory_bytes,keys,evicted"));
    for (SizingRun run : runs) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s,%s,%.3f,%s,%d,%d,%d",
              run.maxFpr(),
              run.window(),
              run.bytesPerKey(),
              run.derived(),
              run.memoryBytes(),
              run.keys(),
              run.evicted()));
    }
    return lines;
  }
}
