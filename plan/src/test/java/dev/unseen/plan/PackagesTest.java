package dev.unseen.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.PackageCycles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class PackagesTest {
  @Test
  void no_packages_form_a_cycle() throws IOException {
    assertThat(PackageCycles.in(Path.of(System.getProperty("basedir", "."), "src/main/java")))
        .isEmpty();
  }
}
