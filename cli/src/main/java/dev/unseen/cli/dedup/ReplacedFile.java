package dev.unseen.cli.dedup;

import dev.unseen.files.DurableFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * An output file that is replaced atomically: it is written under another name, and renamed when it
 * is complete and on the disk. A run that fails leaves the older file as it was.
 */
final class ReplacedFile extends Output {
  private final Path place;
  private final PartFile part;
  private final Consumer<String> warnings;
  private boolean done;

  private ReplacedFile(String name, Path place, PartFile part, Disk disk, Consumer<String> warnings)
      throws IOException {
    super(
        name,
        disk,
        new CompressedOutput(
            place.getFileName().toString(), Channels.newOutputStream(part.channel()), true));
    this.place = place;
    this.part = part;
    this.warnings = warnings;
  }

  /**
   * Begins to write.
   *
   * @param place where the file will be; a file that is there is replaced
   * @param warnings receives what the new file could not take over from the older one
   */
  static ReplacedFile begin(String name, Path place, Disk disk, Consumer<String> warnings)
      throws IOException {
    PartFile part = PartFile.create(place, disk);
    try {
      return new ReplacedFile(name, place, part, disk, warnings);
    } catch (IOException e) {
      part.delete();
      throw e;
    }
  }

  @Override
  boolean isHeldBack() {
    return true;
  }

  @Override
  void force() {
    // No-op: the file is invisible until commit.
  }

  @Override
  void commit() throws IOException {
    stream.endPart();
    if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
      copyOwnership();
    }
    disk.force(part.channel());
    disk.move(part.path(), place);
    done = true;
    part.release();
    disk.forceDirectory(place.toAbsolutePath().getParent());
  }

  /** Copies owner, group and mode of the older file, and warns of what cannot be kept. */
  private void copyOwnership() throws IOException {
    if (!DurableFile.copyOwnership(place, part.path())) {
      warnings.accept(
          "%s belongs to you now: only root can give it back to its former owner".formatted(name));
    }
    boolean unix = place.getFileSystem().supportedFileAttributeViews().contains("unix");
    int links = unix ? (Integer) Files.getAttribute(place, "unix:nlink") : 1;
    if (links > 1) {
      warnings.accept(
          "%s had %d other %s (hard links), which keep the old content"
              .formatted(name, links - 1, links == 2 ? "name" : "names"));
    }
  }

  @Override
  public void close() {
    if (!done) {
      done = true;
      part.delete();
    }
  }
}
