package dev.unseen.snapshot;

import dev.unseen.files.DurableFile;
import dev.unseen.files.FileInUseException;
import dev.unseen.files.ForeignFileException;
import dev.unseen.files.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file with a saved state, which belongs to one process at a time, from {@link #open} to {@link
 * #close}.
 *
 * <pre>{@code
 * try (StateFile file = StateFile.open(Path.of("clicks.uns"))) {
 *   Optional<Snapshot> before = file.load();
 *   ...
 *   file.save(snapshot);
 * }
 * }</pre>
 *
 * <p>Saving is atomic and durable: the new state is written to a file next to the old one, forced
 * to the disk, and renamed over the old one in one step. If the process or the machine fails at any
 * moment, the file contains either the old or the new state, complete. During a save there is a
 * second file with {@code .new} after its name. If a process was killed and has left it behind, the
 * next owner removes it. From the first use on there is also an empty file with {@code .lock} after
 * its name. Neither follows a symbolic link, and a file of that name that is not ours is rejected
 * and left alone. A new state can be read by its owner only, because it contains the secret of its
 * hash. A state that was there before keeps its permissions, its group and, where that is allowed,
 * its owner.
 */
public final class StateFile implements Closeable {
  private static final String MISUSED =
      "the state is not saved, and the file stays as it was; was the filter used by several threads without concurrent()?";

  private static final int MAX_LINKS = 40;

  /** How often to try to lock a file that is in use. */
  private static final long LOCK_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Path path;
  private final LockFile lock;

  /** Kept from the first save on, because each new buffer would use more memory. */
  private @Nullable ByteBuffer buffer;

  private boolean closed;

  private StateFile(Path path, LockFile lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Locks a state file for this process. The file need not exist yet.
   *
   * @throws SnapshotException.InUse if another process has locked it
   */
  public static StateFile open(Path path) throws IOException {
    Path real = realPathOf(path);
    requireFile(real);
    LockFile lock = lock(real);
    try {
      removeLeftover(newFileOf(real));
      return new StateFile(real, lock);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Locks a state file for this process, and waits for its owner if necessary, for example for the
   * process before this one in a rolling update.
   *
   * @param timeout the longest time to wait
   * @throws SnapshotException.InUse if another process has locked it, and does not release it in
   *     time
   */
  public static StateFile open(Path path, Duration timeout) throws IOException {
    long begin = System.nanoTime();
    while (true) {
      try {
        return open(path);
      } catch (SnapshotException.InUse e) {
        long left = timeout.toNanos() - (System.nanoTime() - begin);
        if (left <= 0) {
          throw e;
        }
        pause(Math.min(left, LOCK_POLL_NANOS), e);
      }
    }
  }

  private static void pause(long nanos, SnapshotException.InUse inUse)
      throws SnapshotException.InUse {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      inUse.addSuppressed(e);
      throw inUse;
    }
  }

  private static LockFile lock(Path path) throws IOException {
    try {
      return LockFile.take(path.resolveSibling(path.getFileName() + ".lock"));
    } catch (FileInUseException e) {
      throw new SnapshotException.InUse(
          "%s: the state is in use by %s; wait until that process ends, or choose another file"
              .formatted(path, e.owner()),
          e);
    } catch (ForeignFileException e) {
      throw new SnapshotException(e.getMessage() + ", or choose another state file", e);
    }
  }

  /** Returns the one path of a file, however it is spelled and whatever links lead to it. */
  private static Path realPathOf(Path path) throws IOException {
    Path file = path;
    for (int links = 0; links < MAX_LINKS; links++) {
      if (Files.exists(file)) {
        return file.toRealPath();
      }
      Path absolute = file.toAbsolutePath();
      Path real = realDirectoryOf(absolute).resolve(absolute.getFileName());
      if (!Files.isSymbolicLink(real)) {
        return real;
      }
      file = real.resolveSibling(Files.readSymbolicLink(real));
    }
    throw new FileSystemLoopException(path.toString());
  }

  private static Path realDirectoryOf(Path file) throws IOException {
    try {
      return Objects.requireNonNull(file.getParent(), "a root exists").toRealPath();
    } catch (NoSuchFileException e) {
      NoSuchFileException named =
          new NoSuchFileException(
              file.toString(), null, "its directory does not exist; create it first");
      named.initCause(e);
      throw named;
    }
  }

  private static Path newFileOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".new");
  }

  /** Removes the file that a killed process was writing. The caller has the lock. */
  private static void removeLeftover(Path file) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && !isLeftover(file)) {
      throw new SnapshotException(
          "%s: this file is not a state of unseen, but has the name under which the next state is written; move it away, or choose another state file"
              .formatted(file));
    }
    Files.deleteIfExists(file); // if it is a link, only the link is deleted
  }

  /** Returns whether the file begins as a state, or is empty as long as no byte is on the disk. */
  private static boolean isLeftover(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer begin = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      while (begin.hasRemaining() && channel.read(begin) >= 0) {}
      long magic = begin.getLong(0);
      return magic == 0 || magic == SnapshotFormat.MAGIC;
    }
  }

  /** Returns the state that was saved last. It is empty if there is no file yet. */
  public Optional<Snapshot> load() throws IOException {
    return Files.exists(path) ? Optional.of(read(path)) : Optional.empty();
  }

  /**
   * Reads a file without locking it, to look at the state or to continue elsewhere.
   *
   * @throws SnapshotException if it is damaged in any way
   */
  public static Snapshot read(Path path) throws IOException {
    requireThere(path);
    FileWork loading = FileWork.load();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      Snapshot snapshot = SnapshotFormat.read(channel, channel.size(), path.toString());
      loading.end(path, channel.size());
      return snapshot;
    }
  }

  /**
   * Reads and checks a file to its last byte, in a few megabytes of memory whatever its size. The
   * result contains all counts and rates of the state, but its filter holds no keys and cannot be
   * used.
   *
   * @throws SnapshotException if it is damaged in any way
   */
  public static Snapshot check(Path path) throws IOException {
    requireThere(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return SnapshotFormat.check(channel, channel.size(), path.toString());
    }
  }

  private static void requireThere(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    requireFile(path);
  }

  private static void requireFile(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new SnapshotException(
          "%s: this is a directory, but a state is a file; choose a file in it".formatted(path));
    }
  }

  /**
   * Saves a state and replaces the previous one. When this method returns, the new state is on the
   * disk. Before it replaces the previous one, it is read back and checked, so that a file that can
   * be loaded is never replaced by one that cannot.
   *
   * <p>Other threads can use a filter in shards meanwhile: each shard is copied in memory at a
   * different moment, and only threads that need the shard being copied wait. The state contains
   * each record from before the call, and perhaps some that came later. A filter that is not in
   * shards must not be used by another thread until this method returns.
   *
   * @throws IllegalStateException if the file is closed, so that another process may have it
   * @throws SnapshotException if the new state could not be loaded; the file stays as it was
   * @throws ConcurrentModificationException if the filter is not in shards, and was used by two
   *     threads at one time; the file stays as it was
   */
  public synchronized void save(Snapshot snapshot) throws IOException {
    snapshot.requireStorage();
    if (closed) {
      throw new IllegalStateException(
          "%s: the state file is closed, and another process may be using it now; open it again to save"
              .formatted(path));
    }
    ByteBuffer kept = buffer == null ? BlockWriter.newBuffer() : buffer;
    buffer = kept;
    FileWork saving = FileWork.save();
    long bytes;
    Path fresh = newFileOf(path);
    removeLeftover(fresh);
    try (FileChannel channel = DurableFile.create(fresh)) {
      DurableFile.copyOwnership(path, fresh);
      SnapshotFormat.write(snapshot, channel, kept);
      check(channel, kept);
      channel.force(true);
      bytes = channel.size();
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
    DurableFile.replace(fresh, path);
    saving.end(path, bytes);
  }

  /** Reads back what was written, as a later load will. */
  private void check(FileChannel written, ByteBuffer kept) throws IOException {
    written.position(0);
    SnapshotFormat.check(
        new BlockReader(written, written.size(), path.toString(), MISUSED, kept.clear()));
  }

  /** Returns the path of the file. */
  public Path path() {
    return path;
  }

  /** Releases the lock on the file. Saves nothing. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    buffer = null;
    lock.close();
  }
}
