package dev.unseen.cli.dedup;

import dev.unseen.io.InputException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * An output whose records can be read as soon as they are written: standard output, a pipe, a
 * device, or a file that others may follow while it grows.
 */
final class LiveOutput extends Output {
  private final OutputStream target;
  private final OlderContent older;
  private final boolean closes; // the target
  private Path newIn; // the directory whose entry for a new file is not on the disk yet; or null

  /** Writes to a stream that was open before this run, and stays open. */
  LiveOutput(String name, OutputStream target, Disk disk) throws IOException {
    super(name, disk, new CompressedOutput("", target, true));
    this.target = target;
    older = OlderContent.NONE;
    closes = false;
  }

  private LiveOutput(String name, FileOutputStream file, Path path, OlderContent older, Disk disk)
      throws IOException {
    super(
        name,
        disk,
        new CompressedOutput(path.getFileName().toString(), file, Files.size(path) == 0));
    target = file;
    this.older = older;
    closes = true;
    newIn = Files.isRegularFile(path) ? path.toRealPath().getParent() : null;
  }

  /**
   * Appends to a file, or writes to a pipe or device; the name of a file says whether it is
   * compressed. A compressed file that is damaged, as a killed run leaves it, is kept under another
   * name, and a new one begins.
   *
   * @param warnings receives the new name of a damaged file
   */
  static LiveOutput append(String name, Path path, Disk disk, Consumer<String> warnings)
      throws IOException {
    OlderContent older;
    try {
      older = OlderContent.of(path);
    } catch (InputException e) {
      older = OlderContent.NONE;
      Path aside = aside(path);
      disk.move(path, aside);
      warnings.accept(
          "%s; the file is kept as '%s', and a new one begins".formatted(e.getMessage(), aside));
    }
    return new LiveOutput(name, disk.append(path.toString()), path, older, disk);
  }

  /** Returns an unused file name in the directory of a file. */
  private static Path aside(Path path) throws IOException {
    Path place = path.toRealPath();
    Path aside = place.resolveSibling(place.getFileName() + ".damaged");
    for (int i = 2; Files.exists(aside, LinkOption.NOFOLLOW_LINKS); i++) {
      aside = place.resolveSibling(place.getFileName() + ".damaged-" + i);
    }
    return aside;
  }

  @Override
  OlderContent older() {
    return older;
  }

  @Override
  boolean isHeldBack() {
    return false;
  }

  @Override
  void force() throws IOException {
    stream.endPart();
    if (target instanceof FileOutputStream file) {
      disk.force(file.getChannel());
    }
    if (newIn != null) {
      disk.forceDirectory(newIn);
      newIn = null;
    }
  }

  @Override
  void commit() throws IOException {
    stream.endPart();
  }

  /** Closes the output. What was written stays, and can be read. */
  @Override
  public void close() {
    try {
      commit();
      if (closes) {
        target.close();
      }
    } catch (IOException e) {
      // The run has already failed for another reason, or all was written before.
    }
  }
}
