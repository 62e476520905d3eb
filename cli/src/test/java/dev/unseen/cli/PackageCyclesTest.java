package dev.unseen.cli;

import dev.unseen.testing.PackageCycles;
import org.junit.jupiter.api.Test;

final class PackageCyclesTest {
  @Test
  void packages_form_no_cycle() {
    PackageCycles.check(Main.class);
  }
}
