package dev.unseen.flink;

import static dev.unseen.Memory.MiB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Gate;
import dev.unseen.GateConfig.OnChange;
import dev.unseen.filter.FilterSpec;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.text.Print;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import org.apache.flink.api.common.TaskInfoImpl;
import org.junit.jupiter.api.Test;

/** A task counts all that it takes of the heap. */
class TaskChecksTest {
  @Test
  void the_filter_that_is_replaced_counts_once_and_the_new_one_twice() {
    TaskChecks checks = new TaskChecks(new TaskInfoImpl("unseen", 128, 0, 1, 0));
    Gate gate = Gate.builder().memory(MiB(1)).concurrent().build();
    gate.admit(1); // an empty filter would be replaced at once
    Snapshot saved = gate.copyState(null);
    FilterSpec same = saved.spec();
    Gate grown = Gate.builder().memory(MiB(4)).onChange(OnChange.GROW).restore(saved);
    checks.heap(grown.spec(), null, MiB(8));
    checks.heap(grown.spec(), saved, MiB(9));
    checks.heap(same, saved, MiB(2));
    assertThatThrownBy(() -> checks.heap(grown.spec(), saved, MiB(9) - 1))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("takes 4 MiB")
        .hasMessageContaining("1 MiB for the filter that it replaces");
    Snapshot during = grown.copyState(null);
    checks.heap(grown.spec(), during, MiB(9));
    assertThatThrownBy(() -> checks.heap(grown.spec(), during, MiB(9) - 1))
        .isInstanceOf(JobRejectedException.class);
  }

  @Test
  void a_shard_takes_whole_regions_of_the_heap() {
    HeapRegions regions = new HeapRegions(MiB(4));
    assertThat(regions.heapOf(MiB(1))).isEqualTo(MiB(1));
    assertThat(regions.heapOf(MiB(2))).isEqualTo(MiB(4));
    assertThat(regions.heapOf(MiB(8))).isEqualTo(MiB(12));
    assertThat(new HeapRegions(0).heapOf(MiB(8))).isEqualTo(MiB(8));

    TaskChecks checks = new TaskChecks(new TaskInfoImpl("unseen", 128, 0, 1, 0), regions);
    FilterSpec spec = Gate.builder().memory(MiB(256)).concurrent().spec();
    checks.heap(spec, null, MiB(1024));
    assertThatThrownBy(() -> checks.heap(spec, null, MiB(640)))
        .isInstanceOf(JobRejectedException.class)
        .hasMessageContaining("takes 512 MiB")
        .hasMessageContaining("each shard of 2 MiB whole regions of 4 MiB")
        .hasMessageContaining("-XX:G1HeapRegionSize=32m");
  }

  @Test
  void the_tasks_of_all_slots_count_together() {
    HeapAccount account = new HeapAccount("test.slots", MiB(640));
    account.reserve(MiB(500));
    assertThatThrownBy(() -> account.reserve(MiB(500)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1,000 MiB")
        .hasMessageContaining("taskmanager.numberOfTaskSlots");
    account.release(MiB(500));
    account.reserve(MiB(500));
  }

  /** A session cluster gives each job a class loader, and with it static fields, of its own. */
  @Test
  void the_tasks_of_all_jobs_count_together() throws Exception {
    URL[] classes = {
      HeapAccount.class.getProtectionDomain().getCodeSource().getLocation(),
      Print.class.getProtectionDomain().getCodeSource().getLocation(),
    };
    try (URLClassLoader other = new URLClassLoader(classes, null)) {
      Class<?> type = other.loadClass(HeapAccount.class.getName());
      Constructor<?> create = type.getDeclaredConstructor(String.class, long.class);
      create.setAccessible(true);
      Method reserve = type.getDeclaredMethod("reserve", long.class);
      reserve.setAccessible(true);
      reserve.invoke(create.newInstance("test.jobs", MiB(640)), MiB(500));
    }
    assertThatThrownBy(() -> new HeapAccount("test.jobs", MiB(640)).reserve(MiB(500)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1,000 MiB");
  }
}
