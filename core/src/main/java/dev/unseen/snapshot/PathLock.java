package dev.unseen.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;

/**
 * A lock on a path, held by a file beside it: the state's own file is replaced at each save, so a
 * lock on that would be lost.
 *
 * <p>The system gives the lock free when the process ends, however it ends. The file is removed by
 * whoever gives the lock free; another process may have opened it just before and then hold a lock
 * on a file that has no name any more. So each writes a mark of its own into the file it has
 * locked, and believes in its lock only if it finds that mark under the name.
 */
final class PathLock implements Closeable {
  private final Path file;
  private final FileChannel channel;

  private PathLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  static PathLock take(Path path) throws IOException {
    Path file = path.resolveSibling(path.getFileName() + ".lock");
    while (true) {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        if (isLocked(channel)) {
          byte[] mark = mark();
          channel.truncate(0);
          channel.write(ByteBuffer.wrap(mark));
          if (isUnderItsName(file, mark)) {
            return new PathLock(file, channel);
          }
          channel.close();
        } else {
          String owner = owner(file);
          channel.close();
          throw new SnapshotException(
              "%s: the state is in use by another process%s; wait until that ends, or name another file"
                  .formatted(path, owner));
        }
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // this very process has it
    }
  }

  private static byte[] mark() {
    return "%d %s"
        .formatted(ProcessHandle.current().pid(), UUID.randomUUID())
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static boolean isUnderItsName(Path file, byte[] mark) throws IOException {
    try {
      return Arrays.equals(Files.readAllBytes(file), mark);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static String owner(Path file) {
    try {
      String mark = Files.readString(file, StandardCharsets.US_ASCII);
      return mark.indexOf(' ') > 0 ? " (%s)".formatted(mark.substring(0, mark.indexOf(' '))) : "";
    } catch (IOException e) {
      return ""; // it has just ended
    }
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      Files.deleteIfExists(file);
      channel.close();
    }
  }
}
