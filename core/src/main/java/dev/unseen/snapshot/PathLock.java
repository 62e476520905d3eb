package dev.unseen.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock on a path, held by a file beside it. The file of the state is replaced at each save, so a
 * lock on that file would be lost. The operating system releases the lock when the process ends,
 * however it ends.
 *
 * <p>The lock file stays when the lock is released. If it were removed, a process that has just
 * opened it would lock a file without a name, and another process would lock a new file of that
 * name.
 *
 * <p>Within this process a set of paths decides, before the file is opened: on Unix, closing any
 * channel to a file releases all locks that the process has on it.
 */
final class PathLock implements Closeable {
  private static final int MOST_DIGITS = 20;

  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel channel;

  private PathLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static PathLock take(Path path) throws IOException {
    if (!HELD_HERE.add(path)) {
      throw inUse(path, "this process");
    }
    FileChannel channel = null;
    try {
      Path file = path.resolveSibling(path.getFileName() + ".lock");
      requireOurs(file);
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      if (channel.tryLock() == null) {
        throw inUse(path, "another process" + owner(file));
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return new PathLock(path, channel);
    } catch (NoSuchFileException e) {
      HELD_HERE.remove(path);
      NoSuchFileException named =
          new NoSuchFileException(
              path.toString(), null, "its directory does not exist; create it first");
      named.initCause(e);
      throw named;
    } catch (IOException | RuntimeException e) {
      if (channel != null) {
        channel.close();
      }
      HELD_HERE.remove(path);
      throw e;
    }
  }

  /**
   * Refuses a file that is not a lock: a lock is a plain file that contains at most the number of a
   * process.
   */
  private static void requireOurs(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) > MOST_DIGITS
        || !owner(file).matches("(, number [0-9]+)?")) {
      throw new SnapshotException(
          "%s: this file is not a lock of unseen, but has the name of one; move it away, or choose another state file"
              .formatted(file));
    }
  }

  private static SnapshotException inUse(Path path, String owner) {
    return new SnapshotException(
        "%s: the state is in use by %s; wait until that process ends, or choose another file"
            .formatted(path, owner));
  }

  private static String owner(Path file) throws IOException {
    String pid = Files.readString(file, StandardCharsets.ISO_8859_1);
    return pid.isEmpty() ? "" : ", number " + pid;
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.truncate(0);
      channel.close();
      HELD_HERE.remove(path);
    }
  }
}
