package dev.unseen.cli.dedup;

import dev.unseen.files.DurableFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An unfinished output, next to the file that it will replace: {@code .NAME.unseen-0123abcd.part}.
 * It is always a new file: an existing file or link of that name is never written to, followed or
 * truncated.
 *
 * <p>It is locked while its run lives, and the system releases the lock however the run ends. So a
 * later run knows the files that killed runs have left, and deletes them.
 */
final class PartFile {
  private static final Set<OpenOption> OLD_FILE =
      Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  /** The part of a long file name that is used, so that there is room for what is added. */
  private static final int MAX_NAME = 50;

  private static final int TRIES = 100;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Path path;
  private final FileChannel channel;

  private PartFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Deletes the unfinished files of killed runs, and creates a new one next to the file that it
   * will replace.
   */
  static PartFile create(Path place, Disk disk) throws IOException {
    deleteLeftovers(place);
    for (int i = 0; i < TRIES; i++) {
      byte[] random = new byte[4];
      RANDOM.nextBytes(random);
      Path path = place.resolveSibling(prefix(place) + HexFormat.of().formatHex(random) + ".part");
      try {
        PartFile part = new PartFile(path, disk.create(path, mode(place)));
        if (part.isOurs()) {
          return part;
        }
        part.channel.close();
      } catch (FileAlreadyExistsException e) {
        // The name is taken: try another one.
      }
    }
    throw new IOException("cannot create a temporary file next to it");
  }

  private static String prefix(Path place) {
    String name = place.getFileName().toString();
    return "." + name.substring(0, Math.min(name.length(), MAX_NAME)) + ".unseen-";
  }

  /** Returns the mode of a new file; one that replaces another is private until it is complete. */
  private static FileAttribute<?>[] mode(Path place) {
    return Files.exists(place) ? DurableFile.ownerOnly(place) : new FileAttribute<?>[0];
  }

  /** Locks it; false if another run took it for a leftover before it was locked. */
  private boolean isOurs() throws IOException {
    Object key = keyOf(path);
    return lock(channel) && key != null && key.equals(keyOf(path));
  }

  /** Returns false if another run holds the lock; true also where there are no locks. */
  private static boolean lock(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (IOException e) {
      return true; // no locks on this file system: no other run deletes the file
    }
  }

  private static Object keyOf(Path path) {
    try {
      BasicFileAttributes file =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return file.fileKey() == null ? path : file.fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /** Deletes the unfinished files of a file to replace that no run holds any more. */
  static void deleteLeftovers(Path place) {
    Path directory = place.toAbsolutePath().getParent();
    Pattern names = Pattern.compile(Pattern.quote(prefix(place)) + "[0-9a-f]{8}\\.part");
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            directory, file -> names.matcher(file.getFileName().toString()).matches())) {
      for (Path file : files) {
        deleteIfLeft(file);
      }
    } catch (IOException e) {
      // Nothing can be seen there, or not be deleted: the next run tries again.
    }
  }

  private static void deleteIfLeft(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(file, OLD_FILE);
        FileLock lock = channel.tryLock()) {
      if (lock != null) {
        Files.deleteIfExists(file);
      }
    } catch (OverlappingFileLockException e) {
      // It is of this very process.
    }
  }

  Path path() {
    return path;
  }

  FileChannel channel() {
    return channel;
  }

  /** Releases the file, which now has its final name. */
  void release() throws IOException {
    channel.close();
  }

  void delete() {
    try {
      Files.deleteIfExists(path); // while it is locked, so that no other run deletes it
      channel.close();
    } catch (IOException e) {
      // The next run deletes it.
    }
  }
}
