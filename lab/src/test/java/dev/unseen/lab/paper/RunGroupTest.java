package dev.unseen.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunGroupTest {
  /** At full size a thread needs its largest filter and at most 512 MB more, truth included. */
  @Test
  void groups_share_a_stream_and_stay_near_the_memory_of_one_filter() {
    List<Run> runs = new ArrayList<>();
    for (PublishedCell cell : PublishedCell.all()) {
      runs.add(Run.of(cell, Reading.AS_PUBLISHED, 1, 1));
    }
    List<RunGroup> groups = RunGroup.of(runs);
    assertThat(groups.stream().mapToInt(g -> g.runs().size()).sum()).isEqualTo(runs.size());
    assertThat(groups).hasSizeLessThan(runs.size() / 2);
    for (RunGroup group : groups) {
      Run largest = group.runs().get(0);
      long memory = group.runs().stream().mapToLong(run -> run.spec().memoryBytes()).sum();
      long truth = largest.distinct() / 8;
      assertThat(memory + truth).isLessThan(largest.spec().memoryBytes() + (512L << 20));
      assertThat(group.runs()).allMatch(largest::sharesStreamWith);
    }
  }
}
