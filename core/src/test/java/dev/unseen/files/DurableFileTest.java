package dev.unseen.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class DurableFileTest {
  @TempDir private Path dir;

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void new_files_and_directories_are_for_their_owner_only() throws IOException {
    Path inner = dir.resolve("a/b");
    DurableFile.createDirectory(inner);
    DurableFile.createDirectory(inner);
    DurableFile.create(inner.resolve("f")).close();
    assertThat(modeOf(inner)).isEqualTo("rwx------");
    assertThat(modeOf(inner.resolve("f"))).isEqualTo("rw-------");
  }

  @Test
  void an_existing_file_is_not_created_again() throws IOException {
    Path file = Files.writeString(dir.resolve("f"), "old");
    assertThatThrownBy(() -> DurableFile.create(file))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("old");
  }

  @Test
  void a_new_file_is_complete_and_never_replaces_another() throws IOException {
    Path file = dir.resolve("secret");
    Path fresh = Files.writeString(dir.resolve("secret.new"), "left by a killed process");
    DurableFile.writeNew(file, fresh, "first".getBytes(US_ASCII));
    assertThatThrownBy(() -> DurableFile.writeNew(file, fresh, "second".getBytes(US_ASCII)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("first");
    assertThat(fresh).doesNotExist();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void a_replaced_file_keeps_its_mode() throws IOException {
    Path file = Files.writeString(dir.resolve("f"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Path fresh = dir.resolve("f.new");
    try (FileChannel channel = DurableFile.create(fresh)) {
      channel.write(US_ASCII.encode("new"));
    }
    assertThat(DurableFile.copyOwnership(file, fresh)).isTrue();
    DurableFile.replace(fresh, file);
    assertThat(file).hasContent("new");
    assertThat(modeOf(file)).isEqualTo("rw-r-----");
    assertThat(fresh).doesNotExist();
  }

  @Test
  void a_lock_is_held_once_and_released_by_close() throws IOException {
    Path file = dir.toRealPath().resolve("lock");
    try (LockFile lock = LockFile.take(file)) {
      assertThatThrownBy(() -> LockFile.take(file))
          .isInstanceOf(FileInUseException.class)
          .hasMessageEndingWith("lock: in use by this process");
      assertThat(lock).isNotNull();
    }
    LockFile.take(file).close();
  }

  @Test
  void a_file_that_is_not_a_lock_is_left_alone() throws IOException {
    Path file = Files.writeString(dir.resolve("lock"), "a diary");
    assertThatThrownBy(() -> LockFile.take(file)).isInstanceOf(ForeignFileException.class);
    assertThat(file).hasContent("a diary");
  }

  private static String modeOf(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
