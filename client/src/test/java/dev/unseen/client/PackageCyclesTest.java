package dev.unseen.client;

import dev.unseen.testing.PackageCycles;
import org.junit.jupiter.api.Test;

final class PackageCyclesTest {
  @Test
  void packages_do_not_depend_on_each_other_in_a_cycle() {
    PackageCycles.check(ReservationStore.class);
  }
}
