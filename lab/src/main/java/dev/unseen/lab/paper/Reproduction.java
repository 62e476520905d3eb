package dev.unseen.lab.paper;

import dev.unseen.lab.trial.RunLog;
import dev.unseen.lab.trial.RunPool;
import dev.unseen.lab.trial.RunProgress;
import dev.unseen.lab.trial.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the paper's tables and figures again: it lists the runs that they need, runs them, and
 * returns the results cell by cell.
 */
public final class Reproduction {
  private final List<PublishedCell> cells;
  private final int scale;
  private final long seed;
  private final RunLog log;

  private Reproduction(List<PublishedCell> cells, int scale, long seed, RunLog log) {
    this.cells = cells;
    this.scale = scale;
    this.seed = seed;
    this.log = log;
  }

  /**
   * Creates a reproduction of these tables, at one {@code scale}-th of their size. Runs that are
   * finished in the directory are not run again.
   */
  public static Reproduction of(List<String> tables, int scale, long seed, Path directory)
      throws IOException {
    List<PublishedCell> cells =
        PublishedCell.all().stream().filter(cell -> tables.contains(cell.table())).toList();
    return new Reproduction(cells, scale, seed, RunLog.open(directory.resolve("runs.jsonl")));
  }

  /** Returns the runs that the tables and figures need, each once. */
  private Set<Run> runs() {
    Set<Run> runs = new LinkedHashSet<>();
    for (PublishedCell cell : cells) {
      for (Reading reading : Reading.of(cell)) {
        runs.add(Run.of(cell, reading, scale, seed));
      }
    }
    for (Figure figure : figures()) {
      runs.add(Run.bloom(anyCell(figure), scale, seed));
    }
    dataSetCell().ifPresent(cell -> runs.add(Run.uniform(cell, scale, seed)));
    return runs;
  }

  /** Runs everything that is not finished, on this number of threads. */
  public void run(int threads, RunProgress progress) throws IOException, InterruptedException {
    List<Run> open = new ArrayList<>();
    long records = 0;
    for (Run run : runs()) {
      if (log.get(run.id()) == null) {
        open.add(run);
        records += run.records();
      }
    }
    progress.start(runs().size(), runs().size() - open.size(), records);
    RunPool.run(threads, RunGroup.of(open), group -> group.run(log, progress));
  }

  /**
   * Returns the results, in the order of the tables. If a cell has two readings, both are included.
   */
  public List<CellResult> results() {
    List<CellResult> results = new ArrayList<>();
    for (PublishedCell cell : cells) {
      for (Reading reading : Reading.of(cell)) {
        results.add(
            new CellResult(cell, reading, log.get(Run.of(cell, reading, scale, seed).id())));
      }
    }
    return results;
  }

  /** Returns the results of each table, in the order of the tables. */
  Map<String, List<CellResult>> byTable() {
    return results().stream()
        .collect(
            Collectors.groupingBy(
                result -> result.cell().table(), LinkedHashMap::new, Collectors.toList()));
  }

  List<Figure> figures() {
    return Figure.ALL.stream()
        .filter(figure -> cells.stream().anyMatch(cell -> cell.table().equals(figure.table())))
        .toList();
  }

  /** Returns the cells of a figure, one per algorithm. */
  List<PublishedCell> cellsOf(Figure figure) {
    return cells.stream()
        .filter(cell -> cell.table().equals(figure.table()) && cell.memoryMb() == figure.memoryMb())
        .toList();
  }

  PublishedCell anyCell(Figure figure) {
    return cellsOf(figure).get(0);
  }

  List<Tally> along(PublishedCell cell) {
    return log.get(Run.of(cell, Reading.AS_PUBLISHED, scale, seed).id());
  }

  /** Returns the tallies of a plain Bloom filter along the stream, with the memory of this cell. */
  List<Tally> bloomAlong(PublishedCell cell) {
    return log.get(Run.bloom(cell, scale, seed).id());
  }

  /** Returns the cell that is also run on uniform draws, to see which data the tables are of. */
  Optional<PublishedCell> dataSetCell() {
    return cells.stream()
        .filter(cell -> cell.table().endsWith("1B:60distinct"))
        .filter(cell -> cell.name().equals("BSBF k=2, 128 MB"))
        .findFirst();
  }

  List<Tally> uniformAlong(PublishedCell cell) {
    return log.get(Run.uniform(cell, scale, seed).id());
  }

  int scale() {
    return scale;
  }

  long seed() {
    return seed;
  }
}
