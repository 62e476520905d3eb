package dev.unseen.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackageCyclesTest {
  @TempDir private Path sources;

  private void source(String name, String of, String... imports) throws IOException {
    Path file = sources.resolve(name + ".java");
    Files.writeString(file, "package %s;%n%n%s".formatted(of, String.join("\n", imports)));
  }

  @Test
  void finds_a_cycle_of_three_packages() throws IOException {
    source("A", "x", "import x.b.B;", "import java.util.List;");
    source("B", "x.b", "import static x.c.C.now;");
    source("C", "x.c", "import x.b.B;", "import x.A;");
    assertThat(PackageCycles.in(sources))
        .containsExactly("x -> x.b -> x.c -> x", "x.b -> x.c -> x.b");
  }

  @Test
  void packages_in_layers_are_no_cycle() throws IOException {
    source("A", "x", "import x.b.B;", "import x.c.C;");
    source("B", "x.b", "import x.c.C;");
    source("C", "x.c", "import java.util.List;");
    source("D", "x.c", "import x.c.C;");
    assertThat(PackageCycles.in(sources)).isEmpty();
  }
}
