package dev.unseen.lab;

import dev.unseen.Memory;
import dev.unseen.draw.SvgWriter;
import dev.unseen.lab.output.Table;
import dev.unseen.lab.output.WholeFile;
import dev.unseen.lab.paper.NewKeys;
import dev.unseen.lab.paper.ReservoirPhases;
import dev.unseen.lab.paper.TheorySetup;
import dev.unseen.lab.paper.UniformDraws;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code unseen lab theory}: compares the paper's theory with our model and with the filters
 * themselves.
 */
@Command(
    name = "theory",
    description =
        "Compares what the paper derives (X, Y, FPR, FNR, DUP, DIS, convergence) with our model and with runs.",
    sortOptions = false)
final class TheoryCommand extends LabSubcommand {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      defaultValue = "out/theory",
      description = "Directory for the CSV files and theory.svg. Default: ${DEFAULT-VALUE}.")
  private Path output;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      defaultValue = "16K",
      description =
          "Memory of each filter. Default: ${DEFAULT-VALUE}, for streams of up to 20 million records.")
  private String memory;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Seed of the keys and of the filters. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Override
  public Integer call() throws IOException {
    TheorySetup setup = new TheorySetup(Memory.parse(memory), seed);
    NewKeys newKeys = NewKeys.run(setup);
    List<NewKeys.Point> points = newKeys.points();
    UniformDraws draws = new UniformDraws(setup);
    Files.createDirectories(output);
    PrintWriter out = out();
    NewKeys.x(points).write(output);
    NewKeys.summary(points).print(out);
    for (Table table :
        List.of(
            newKeys.sums(),
            newKeys.convergence(),
            draws.framework(),
            draws.withoutThreshold(),
            new ReservoirPhases(setup).rates())) {
      table.write(output);
      table.print(out);
    }
    WholeFile.write(
        output.resolve("theory.svg"),
        SvgWriter.write(TheoryPlot.of(points), "The paper's X, our model and the measured load"));
    out.printf("Written to %s: a CSV per table, and theory.svg.%n", output);
    return 0;
  }
}
