package dev.unseen.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An output whose records can be read as soon as they are written: standard output, a pipe, a
 * device, or a file that others may follow while it grows.
 */
final class LiveOutput implements Output {
  private final String name;
  private final OutputStream target;
  private final Packing packing; // null: bytes go out as they are
  private final Disk disk;
  private Path newIn; // the directory whose entry for a new file is not on the disk yet; or null

  private LiveOutput(String name, OutputStream target, Packing packing, Disk disk, Path newIn) {
    this.name = name;
    this.target = target;
    this.packing = packing;
    this.disk = disk;
    this.newIn = newIn;
  }

  /** Writes to a stream that was open before this run, and stays open. */
  static LiveOutput to(String name, OutputStream stream, Disk disk) {
    return new LiveOutput(name, stream, null, disk, null);
  }

  /** Writes to a file, pipe or device; the name of a file says whether it is compressed. */
  static LiveOutput open(String name, Path path, Disk disk) throws IOException {
    FileOutputStream file = disk.open(path.toString());
    Path directory = Files.isRegularFile(path) ? path.toRealPath().getParent() : null;
    String fileName = path.getFileName().toString();
    return new LiveOutput(name, file, new Packing(fileName, file), disk, directory);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public OutputStream stream() {
    return packing == null ? target : packing;
  }

  @Override
  public boolean isHeldBack() {
    return false;
  }

  @Override
  public void force() throws IOException {
    if (packing != null) {
      packing.endPart();
    }
    if (target instanceof FileOutputStream file) {
      disk.force(file.getChannel());
    }
    if (newIn != null) {
      disk.forceDirectory(newIn);
      newIn = null;
    }
  }

  @Override
  public void commit() throws IOException {
    if (packing != null) {
      packing.endPart();
    }
  }

  /** Closes the output. What was written stays, and can be read. */
  @Override
  public void close() {
    try {
      commit();
      if (packing != null) {
        target.close();
      }
    } catch (IOException e) {
      // The run has failed for a reason of its own, or all was written before.
    }
  }
}
