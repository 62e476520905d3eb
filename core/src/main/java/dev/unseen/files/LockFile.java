package dev.unseen.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one process holds at a time. The operating system releases it when the process ends,
 * however it ends. What it protects is another file, or a directory: a file that is replaced would
 * lose its lock.
 *
 * <p>The lock file stays when the lock is released. If it were removed, a process that has just
 * opened it would lock a file without a name, and another process would lock a new file of that
 * name.
 *
 * <p>On Unix, closing any channel to a file releases all locks that the process has on it. So
 * within this process two sets decide before the lock file is opened: that of the paths, and that
 * of the lock files themselves, because one file can have several paths. If a lock is found to be
 * held by this process only when the file is open, because another copy of this class holds it, the
 * channel stays open.
 */
public final class LockFile implements Closeable {
  private static final int MAX_DIGITS = 20;

  private static final Set<Object> HELD_HERE = ConcurrentHashMap.newKeySet(); // paths and file keys
  private static final Queue<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

  private final Path file;
  private final @Nullable Object fileKey; // null: the system has none
  private final FileChannel channel;

  private LockFile(Path file, @Nullable Object fileKey, FileChannel channel) {
    this.file = file;
    this.fileKey = fileKey;
    this.channel = channel;
  }

  /**
   * Locks a file by its real path, and creates it if it does not exist. No link is followed.
   *
   * @throws FileInUseException if the lock is held
   * @throws ForeignFileException if a file that is not a lock has this name; it is left alone
   */
  public static LockFile take(Path file) throws IOException {
    if (!HELD_HERE.add(file)) {
      throw new FileInUseException(file, "this process");
    }
    FileChannel channel = null;
    try {
      requireOurs(file);
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && isHeld(keyOf(file))) {
        throw new FileInUseException(file, "this process");
      }
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS);
      if (!tryLock(channel, file)) {
        throw new FileInUseException(file, "another process" + owner(channel));
      }
      requireNumber(channel, file);
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      Object key = keyOf(file);
      if (key != null) {
        HELD_HERE.add(key);
      }
      return new LockFile(file, key, channel);
    } catch (IOException | RuntimeException e) {
      if (channel != null && !NEVER_CLOSED.contains(channel)) {
        channel.close();
      }
      HELD_HERE.remove(file);
      throw e;
    }
  }

  private static boolean tryLock(FileChannel channel, Path file) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      NEVER_CLOSED.add(channel);
      throw new FileInUseException(file, "this process");
    }
  }

  private static boolean isHeld(Object fileKey) {
    return fileKey != null && HELD_HERE.contains(fileKey);
  }

  private static Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  private static void requireOurs(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            || Files.size(file) > MAX_DIGITS)) {
      throw new ForeignFileException(file);
    }
  }

  /** Rejects a file that is not a lock: a lock contains at most the number of a process. */
  private static void requireNumber(FileChannel channel, Path file) throws IOException {
    if (!owner(channel).matches("(, number [0-9]+)?")) {
      throw new ForeignFileException(file);
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_DIGITS);
    while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {}
    String pid = StandardCharsets.ISO_8859_1.decode(bytes.flip()).toString();
    return pid.isEmpty() ? "" : ", number " + pid;
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.truncate(0);
      channel.close();
      if (fileKey != null) {
        HELD_HERE.remove(fileKey);
      }
      HELD_HERE.remove(file);
    }
  }
}
