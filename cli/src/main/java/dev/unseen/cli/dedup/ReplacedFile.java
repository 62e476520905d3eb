package dev.unseen.cli.dedup;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file that is there as a whole or not at all: it is written beside its place, and takes the
 * place of an older one in one step when it is complete and on the disk. A run that fails leaves
 * the older file as it was.
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
   * @param warnings told what the new file could not take over from the older one
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
    // Nothing of it counts before it is in its place.
  }

  @Override
  public void commit() throws IOException {
    packing.endPart();
    if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
      Ownership.copy(name, place, part.path(), warnings);
    }
    disk.force(part.channel());
    disk.move(part.path(), place);
    done = true;
    part.release();
    disk.forceDirectory(place.toAbsolutePath().getParent());
  }

  @Override
  public void close() {
    if (!done) {
      done = true;
      part.delete();
    }
  }
}
