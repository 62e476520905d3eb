package dev.unseen.cli.dedup;

import dev.unseen.files.DurableFile;
import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/**
 * Brings to the disk what a run has written. Every step on whose order a run relies at a loss of
 * power goes through here, so that a test can record the steps and cut the power after each of
 * them.
 */
class Disk {
  private static final Set<OpenOption> NEW_FILE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  /** Creates a file that does not exist yet; a link of that name is not followed. */
  FileChannel create(Path file, FileAttribute<?>... attributes) throws IOException {
    return FileChannel.open(file, NEW_FILE, attributes);
  }

  /** Opens a file, pipe or device for writing; what a file contains stays in front. */
  FileOutputStream append(String path) throws IOException {
    return new FileOutputStream(path, true);
  }

  /** Forces all bytes of a file to the disk. Does nothing for pipes, which have no disk. */
  void force(FileChannel file) throws IOException {
    try {
      file.force(true);
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("Invalid argument")) { // the system's words
        throw e;
      }
    }
  }

  /** Renames a file in one step, and replaces the file that has the name. */
  void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Forces the names in a directory to the disk. */
  void forceDirectory(Path directory) throws IOException {
    DurableFile.forceDirectory(directory);
  }

  /** Replaces the saved state; the new one is on the disk when this returns. */
  void save(StateFile file, Snapshot state) throws IOException {
    file.save(state);
  }
}
