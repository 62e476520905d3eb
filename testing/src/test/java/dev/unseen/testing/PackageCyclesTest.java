package dev.unseen.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.unseen.testing.cycle.apart.Apart;
import dev.unseen.testing.cycle.first.First;
import dev.unseen.testing.cycle.second.Second;
import org.junit.jupiter.api.Test;

final class PackageCyclesTest {
  @Test
  void this_module_has_none() {
    PackageCycles.check(PackageCycles.class);
  }

  @Test
  void two_packages_that_use_each_other_are_named() {
    assertThatThrownBy(
            () ->
                PackageCycles.check(
                    new ClassFileImporter().importClasses(First.class, Second.class)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("dev.unseen.testing.cycle.first")
        .hasMessageContaining("dev.unseen.testing.cycle.second");
  }

  @Test
  void a_package_that_uses_another_is_no_cycle() {
    PackageCycles.check(new ClassFileImporter().importClasses(First.class, Apart.class));
  }
}
