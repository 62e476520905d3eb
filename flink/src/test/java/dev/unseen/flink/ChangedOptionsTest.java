package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.GateConfig.OnChange;
import dev.unseen.Memory;
import dev.unseen.filter.Window;
import dev.unseen.snapshot.Snapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Options change between a savepoint and its restore, while the parallelism changes, too: an exact
 * oracle sees no record lost and none repeated.
 */
class ChangedOptionsTest {
  private static final TestCluster cluster = TestCluster.shared();

  @TempDir Path directory;

  /** Enough room for all keys, and less than one false positive in 10,000 runs. */
  private static UnseenDeduplication<Tuple2<String, Long>, String> exact() {
    return NumberedJob.keys().uid("once").maxFalsePositiveRate(1e-9).onChange(OnChange.GROW);
  }

  private Configuration config(String savepoint) {
    Configuration config = TestCluster.settings(directory);
    return savepoint == null ? config : TestCluster.from(config, savepoint);
  }

  /** Runs the job as far as a record, and returns its savepoint. */
  private String runTo(
      long number,
      String savepoint,
      int parallelism,
      UnseenDeduplication<Tuple2<String, Long>, String> deduplication)
      throws Exception {
    StreamExecutionEnvironment env = TestCluster.environment(config(savepoint), parallelism);
    NumberedJob part = new NumberedJob(directory).crawlingFrom(number);
    part.build(env, deduplication);
    JobID job = cluster.submit(env);
    part.awaitPassed(NumberedJob.firstOfEachKey(number).size());
    cluster.awaitCheckpoints(job, 1); // so that all tasks run
    return cluster.stopJob(job, directory.resolve("savepoints"), SavepointFormatType.CANONICAL);
  }

  private List<Long> finish(
      String savepoint,
      int parallelism,
      UnseenDeduplication<Tuple2<String, Long>, String> deduplication)
      throws Exception {
    StreamExecutionEnvironment env = TestCluster.environment(config(savepoint), parallelism);
    NumberedJob job = new NumberedJob(directory);
    job.build(env, deduplication);
    cluster.run(env);
    return job.numbers();
  }

  @Test
  @Tag("both-versions")
  void memory_and_rate_change_while_tasks_are_added_and_removed() throws Exception {
    // More keys come before each change than new ones after it, so no handover ends.
    String small = runTo(30_000, null, 1, exact().memory(Memory.MiB(1)));
    String grown = runTo(35_000, small, 3, exact().memory(Memory.MiB(4)));
    Snapshot state = UnseenSavepoint.read(grown, "once");
    assertThat(state.spec().memoryBytes()).isEqualTo(Memory.MiB(4));
    assertThat(state.predecessors()).hasSize(1);
    assertThat(state.predecessors().get(0).heldShards()).hasSize(128);

    // In the middle of the handover: the same options, other tasks, and then other options again.
    String same = runTo(60_000, grown, 2, NumberedJob.keys().uid("once"));
    assertThat(UnseenSavepoint.read(same, "once").predecessors()).hasSize(1);
    String again = runTo(65_000, same, 3, exact().memory(Memory.MiB(3)).maxFalsePositiveRate(2e-9));
    assertThat(UnseenSavepoint.read(again, "once").predecessors()).hasSize(2);
    List<Long> out = finish(again, 1, NumberedJob.keys().uid("once"));
    assertThat(out).isEqualTo(NumberedJob.firstOfEachKey(NumberedJob.RECORDS));
  }

  @Test
  void a_window_becomes_longer_and_shorter() throws Exception {
    Map<Long, Long> windows = new HashMap<>(); // by the record from which they apply
    long window = 8000;
    windows.put(0L, window);
    String savepoint = runTo(20_000, null, 2, windowed(window));
    for (long next : new long[] {16_000, 4000}) {
      windows.put(UnseenSavepoint.read(savepoint, "once").records(), next);
      window = next;
      if (next == 16_000) {
        savepoint = runTo(30_000, savepoint, 3, windowed(next));
      }
    }
    checkWindows(windows, new HashSet<>(finish(savepoint, 1, windowed(window))));
  }

  private static UnseenDeduplication<Tuple2<String, Long>, String> windowed(long millis) {
    return exact().memory(Memory.MiB(4)).window(Window.time(Duration.ofMillis(millis))).eventTime();
  }

  /** Up to an eighth of a window, in which a key may be forgotten early, each verdict is known. */
  private static void checkWindows(Map<Long, Long> windows, Set<Long> out) {
    Map<String, Long> seen = new HashMap<>();
    Map<String, Long> admitted = new HashMap<>();
    long window = 0;
    long least = Long.MAX_VALUE; // the filters before know no older keys
    long most = 0;
    int duplicates = 0;
    int again = 0;
    for (long number = 0; number < NumberedJob.RECORDS; number++) {
      if (windows.containsKey(number)) {
        window = windows.get(number);
        least = Math.min(least, window);
        most = Math.max(most, window);
      }
      String key = NumberedJob.keyOf(number);
      boolean isNew = out.contains(number);
      if (!seen.containsKey(key) || number - seen.get(key) >= window) {
        assertThat(isNew).as("new record %d", number).isTrue();
        again += seen.containsKey(key) ? 1 : 0;
      } else if (number - admitted.get(key) < least - most / 8) {
        assertThat(isNew).as("duplicate %d", number).isFalse();
        duplicates++;
      }
      seen.put(key, number);
      if (isNew) {
        admitted.put(key, number);
      }
    }
    assertThat(duplicates).isGreaterThan(1000);
    assertThat(again).isGreaterThan(1000);
  }

  @Test
  void a_change_is_rejected_unless_it_is_allowed_and_the_secret_stays() throws Exception {
    String savepoint = runTo(1000, null, 2, exact().memory(Memory.MiB(1)));
    assertFails(
        savepoint,
        NumberedJob.keys().uid("once").memory(Memory.MiB(4)),
        "memory: 1,048,576 and 4,194,304 bytes",
        "onChange(GROW)");
    assertFails(savepoint, exact().seed(3), "secret: ");
  }

  private void assertFails(
      String savepoint,
      UnseenDeduplication<Tuple2<String, Long>, String> deduplication,
      String... message) {
    StreamExecutionEnvironment env = TestCluster.environment(config(savepoint), 2);
    new NumberedJob(directory).build(env, deduplication);
    assertThatThrownBy(() -> cluster.run(env))
        .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e)).contains(message));
  }
}
