package dev.unseen.cli.dedup;

import dev.unseen.files.DurableFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * An output file that is replaced atomically: it is written under another name, and renamed when it
 * is complete and on the disk. A run that fails leaves the older file as it was.
 */
final class ReplacedFile implements Output {
  private final String name;
  private final Path place;
  private final PartFile part;
  private final CompressedOutput packing;
  private final Disk disk;
  private final Consumer<String> warnings;
  private boolean done;

  /**
   * Begins to write.
   *
   * @param place where the file will be; a file that is there is replaced
   * @param warnings receives what the new file could not take over from the older one
   */
  ReplacedFile(String name, Path place, Disk disk, Consumer<String> warnings) throws IOException {
    this.name = name;
    this.place = place;
    this.disk = disk;
    this.warnings = warnings;
    this.part = PartFile.create(place, disk);
    try {
      this.packing =
          new CompressedOutput(
              place.getFileName().toString(), Channels.newOutputStream(part.channel()), true);
    } catch (IOException e) {
      part.delete();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public OutputStream stream() {
    return packing;
  }

  @Override
  public boolean isHeldBack() {
    return true;
  }

  @Override
  public void force() {
    // No-op: the file is invisible until commit.
  }

  @Override
  public void commit() throws IOException {
    packing.endPart();
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
