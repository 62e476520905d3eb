package dev.unseen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.PackageCycles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class PackagesTest {
  @Test
  void no_packages_depend_on_each_other_in_a_circle() throws IOException {
    assertThat(PackageCycles.in(Path.of("src/main/java"))).isEmpty();
  }
}
