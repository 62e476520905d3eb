package dev.unseen.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackageCyclesTest {
  @TempDir private Path sources;

  private void write(String packageName, String... imports) throws IOException {
    StringBuilder text = new StringBuilder("package " + packageName + ";\n");
    for (String one : imports) {
      text.append("import ").append(one).append(";\n");
    }
    Files.writeString(sources.resolve(packageName + ".java"), text);
  }

  @Test
  void packages_in_layers_have_no_cycle() throws IOException {
    write("a", "b.B", "java.util.List");
    write("b", "static c.C.of");
    write("c");
    assertThat(PackageCycles.in(sources)).isEmpty();
  }

  @Test
  void a_cycle_through_several_packages_is_found() throws IOException {
    write("a", "b.B");
    write("b", "c.C", "d.D");
    write("c", "static a.A.of");
    write("d");
    assertThat(PackageCycles.in(sources))
        .containsExactly("a imports b", "b imports c", "c imports a");
  }
}
