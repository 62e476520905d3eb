package dev.unseen.lab.paper;

import dev.unseen.filter.base.DuplicateFilter;
import dev.unseen.lab.trial.RunLog;
import dev.unseen.lab.trial.RunProgress;
import dev.unseen.lab.trial.SyntheticTrial;
import dev.unseen.lab.trial.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A group of runs that share a stream. The stream is computed and compared with the truth once for
 * all of them, which is half of the work of a run. The group needs little more memory than its
 * largest filter.
 */
final class RunGroup {
  /**
   * The memory of all filters except the largest. Together with the truth it is less than 512 MB.
   */
  private static final long WITHOUT_THE_LARGEST = 384L << 20;

  /** Small enough that two threads have work until the end. */
  private static final int MAX_RUNS = 8;

  private final List<Run> runs = new ArrayList<>();
  private long withoutLargest;

  /** Divides runs into groups, the largest filters first. */
  static List<RunGroup> of(List<Run> runs) {
    List<Run> sorted = new ArrayList<>(runs);
    sorted.sort(Comparator.comparingLong((Run run) -> run.spec().memoryBytes()).reversed());
    List<RunGroup> groups = new ArrayList<>();
    for (Run run : sorted) {
      RunGroup group =
          groups.stream()
              .filter(g -> g.hasRoomFor(run))
              .findFirst()
              .orElseGet(
                  () -> {
                    groups.add(new RunGroup());
                    return groups.get(groups.size() - 1);
                  });
      group.withoutLargest += group.runs.isEmpty() ? 0 : run.spec().memoryBytes();
      group.runs.add(run);
    }
    return groups;
  }

  private boolean hasRoomFor(Run run) {
    return runs.size() < MAX_RUNS
        && runs.get(0).sharesStreamWith(run)
        && withoutLargest + run.spec().memoryBytes() <= WITHOUT_THE_LARGEST;
  }

  void run(RunLog log, RunProgress progress) throws IOException {
    List<DuplicateFilter> filters = runs.stream().map(run -> run.filter().create()).toList();
    List<List<Tally>> tallies =
        SyntheticTrial.run(
            runs.get(0).stream(),
            filters,
            SyntheticTrial.alongTheStream(runs.get(0).records()),
            count -> progress.records(count * runs.size()));
    for (int i = 0; i < runs.size(); i++) {
      log.add(runs.get(i).id(), tallies.get(i));
      progress.end(runs.get(i).spec().describe());
    }
  }

  List<Run> runs() {
    return List.copyOf(runs);
  }
}
