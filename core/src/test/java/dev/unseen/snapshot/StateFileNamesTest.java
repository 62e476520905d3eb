package dev.unseen.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.engine.Filters;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One file has many names, and one lock. */
final class StateFileNamesTest {
  @TempDir private Path dir;

  @BeforeEach
  void names() throws IOException {
    Files.createDirectories(dir.resolve("real/sub"));
    Files.createSymbolicLink(dir.resolve("linked"), Path.of("real"));
    Files.createSymbolicLink(dir.resolve("link.uns"), Path.of("real/s.uns"));
    Files.createSymbolicLink(dir.resolve("real/again.uns"), Path.of("../link.uns"));
  }

  private static void save(StateFile file) throws IOException {
    file.save(Snapshot.of(Filters.create(FilterSpec.of(FilterKind.BLOOM, 1000)), 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "real/s.uns, real/./s.uns",
    "real/./s.uns, real/s.uns",
    "real/s.uns, real/sub/../s.uns",
    "real/s.uns, linked/s.uns",
    "linked/s.uns, real/s.uns",
    "real/s.uns, link.uns",
    "link.uns, real/s.uns",
    "real/again.uns, real/s.uns",
  })
  void a_file_is_locked_under_each_of_its_names(String one, String other) throws Exception {
    StateFile file = StateFile.open(dir.resolve(one));
    try (file) {
      assertThat(file.path()).isEqualTo(dir.toRealPath().resolve("real/s.uns"));
      for (int i = 0; i < 2; i++) { // before and after there is a file
        assertThatThrownBy(() -> StateFile.open(dir.resolve(other)))
            .isInstanceOf(SnapshotException.class)
            .hasMessageContaining("the state is in use by this process");
        assertThat(OpensOnce.inAnotherProcess(dir.resolve(other)))
            .contains("in use by another process, number " + ProcessHandle.current().pid());
        save(file);
      }
    }
    assertThat(Files.isSymbolicLink(dir.resolve("link.uns"))).isTrue();
    assertThat(OpensOnce.inAnotherProcess(dir.resolve(other))).contains("opened s.uns");
  }

  /** Containers load a library once for each application, and all are one process. */
  @Test
  void another_copy_of_the_library_in_this_process_does_not_break_the_lock() throws Exception {
    Path path = dir.resolve("s.uns");
    URL classes = StateFile.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader =
            new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
        StateFile file = StateFile.open(path)) {
      Class<?> copy = loader.loadClass(StateFile.class.getName());
      assertThat(copy).isNotSameAs(StateFile.class);
      assertThatThrownBy(
              () -> ((Closeable) copy.getMethod("open", Path.class).invoke(null, path)).close())
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasMessageContaining("the state is in use by this process");
      assertThat(OpensOnce.inAnotherProcess(path)).contains("in use by another process");
      save(file);
    }
  }

  @Test
  void a_link_that_leads_nowhere_is_rejected() throws IOException {
    Files.createSymbolicLink(dir.resolve("a"), Path.of("b"));
    Files.createSymbolicLink(dir.resolve("b"), Path.of("a"));
    assertThatThrownBy(() -> StateFile.open(dir.resolve("a"))).isInstanceOf(IOException.class);
    Files.createSymbolicLink(dir.resolve("gone"), Path.of("none/s.uns"));
    assertThatThrownBy(() -> StateFile.open(dir.resolve("gone")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("its directory does not exist; create it first");
  }
}
