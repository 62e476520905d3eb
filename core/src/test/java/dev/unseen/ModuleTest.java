package dev.unseen;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ModuleTest {
  @Test
  void the_module_needs_nothing_but_java_and_shows_only_its_public_packages() throws Exception {
    Path classes =
        Path.of(Deduplicator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module =
        ModuleFinder.of(classes).find("dev.unseen.core").orElseThrow().descriptor();
    assertThat(
            module.requires().stream()
                .filter(other -> !other.modifiers().contains(Modifier.STATIC))
                .map(ModuleDescriptor.Requires::name))
        .containsExactly("java.base");
    // Programs that require this module compile without what only our own compilation needs.
    assertThat(module.requires())
        .filteredOn(other -> other.modifiers().contains(Modifier.STATIC))
        .allMatch(other -> !other.modifiers().contains(Modifier.TRANSITIVE));
    assertThat(
            module.exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source))
        .containsExactlyInAnyOrder(
            "dev.unseen",
            "dev.unseen.audit",
            "dev.unseen.error",
            "dev.unseen.filter",
            "dev.unseen.hash",
            "dev.unseen.snapshot");
  }
}
