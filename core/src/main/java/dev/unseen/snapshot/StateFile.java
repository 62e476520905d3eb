package dev.unseen.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A state in a file that belongs to one process at a time, from {@link #open} to {@link #close}.
 *
 * <pre>{@code
 * try (StateFile file = StateFile.open(Path.of("clicks.uns"))) {
 *   Optional<Snapshot> before = file.load();
 *   ...
 *   file.save(snapshot);
 * }
 * }</pre>
 *
 * <p>Saving is atomic and durable: the new state is written beside the old one, is brought to the
 * disk, and takes its place in one step. Whatever happens in between, the file holds the one or the
 * other, whole. During a save there is a file with {@code .new} behind its name, which the next
 * owner removes if a killed process has left it, and from the first use on an empty one with {@code
 * .lock}. Neither follows a symbolic link, and a file of that name that is not ours is refused and
 * left alone. A new state can be read by its owner only, since it holds the secret of its hash; one
 * that was there keeps its permissions, its group and, where that is allowed, its owner.
 */
public final class StateFile implements Closeable {
  private static final Set<OpenOption> WRITE_ANEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private final Path path;
  private final PathLock lock;
  private ByteBuffer buffer; // kept from the first save on, since each new one would add to memory
  private boolean closed;

  private StateFile(Path path, PathLock lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes a file, which need not be there yet.
   *
   * @throws SnapshotException if another process has it
   */
  public static StateFile open(Path path) throws IOException {
    Path real = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    requireFile(real);
    PathLock lock = PathLock.take(real);
    try {
      removeLeftover(newFileOf(real));
      return new StateFile(real, lock);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  private static Path newFileOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".new");
  }

  /** Removes what a killed process was writing; under the lock, so that nobody writes it now. */
  private static void removeLeftover(Path file) throws IOException {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && !isLeftover(file)) {
      throw new SnapshotException(
          "%s: this file is not a state of unseen, and it is in the place where the next state is written; move it away, or name another state"
              .formatted(file));
    }
    Files.deleteIfExists(file); // of a link to elsewhere, the link
  }

  /** Begins as a state does, or its bytes had not come to the disk. */
  private static boolean isLeftover(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer begin = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      while (begin.hasRemaining() && channel.read(begin) >= 0) {}
      long magic = begin.getLong(0);
      return magic == 0 || magic == SnapshotFormat.MAGIC;
    }
  }

  /** The state that was saved last; none if there is no file yet. */
  public Optional<Snapshot> load() throws IOException {
    return Files.exists(path) ? Optional.of(read(path)) : Optional.empty();
  }

  /**
   * Reads a file without taking it: for a look at it, or to go on elsewhere.
   *
   * @throws SnapshotException if it is damaged in any way
   */
  public static Snapshot read(Path path) throws IOException {
    requireThere(path);
    LoadEvent event = new LoadEvent();
    event.begin();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      Snapshot snapshot = SnapshotFormat.read(channel, channel.size(), path.toString());
      event.commit(path, channel.size());
      return snapshot;
    }
  }

  /**
   * Reads and checks a file to its last byte, in a few megabytes of memory whatever its size. What
   * is returned tells all counts and rates of the state; its filter holds no keys, and cannot be
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
          "%s: this is a directory; a state is a file: name one in it".formatted(path));
    }
  }

  /**
   * Puts a state in the place of the one before; when it returns, the new one is on the disk.
   *
   * @throws IllegalStateException if the file is closed, so that another process may have it
   */
  public synchronized void save(Snapshot snapshot) throws IOException {
    if (closed) {
      throw new IllegalStateException(
          "%s: the state file is closed, and may belong to another process now; open it again to save"
              .formatted(path));
    }
    if (buffer == null) {
      buffer = BlockWriter.newBuffer();
    }
    SaveEvent event = new SaveEvent();
    event.begin();
    Path fresh = newFileOf(path);
    removeLeftover(fresh);
    try (FileChannel channel = FileChannel.open(fresh, WRITE_ANEW, ownerOnly(fresh))) {
      keepOwners(path, fresh);
      SnapshotFormat.write(snapshot, channel, buffer);
      channel.force(true);
      event.bytes = channel.size();
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(fresh);
      throw e;
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectory(path.getParent());
    event.commit(path);
  }

  /** A state may hold the key of a hash, so that it is for its owner alone from its first byte. */
  private static FileAttribute<?>[] ownerOnly(Path file) {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** Gives a file the group, the owner and the permissions of the one that it will replace. */
  private static void keepOwners(Path from, Path to) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    if (view == null || !Files.exists(from)) {
      return;
    }
    PosixFileAttributes before = Files.readAttributes(from, PosixFileAttributes.class);
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    permissions.addAll(before.permissions());
    try {
      view.setGroup(before.group());
    } catch (IOException e) { // not one of ours, so what was for that group is for nobody now
      permissions.removeAll(PosixFilePermissions.fromString("---rwx---"));
    }
    try {
      view.setOwner(before.owner());
    } catch (IOException e) {
      // Only the superuser may give files away; it is ours now.
    }
    view.setPermissions(permissions);
  }

  /** Without it, a new name may be lost with the power even though its bytes are not. */
  private static void forceDirectory(Path directory) throws IOException {
    if (Files.getFileAttributeView(directory, PosixFileAttributeView.class) == null) {
      return; // Windows cannot open directories, and does not need to
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** The file. */
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
