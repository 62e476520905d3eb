package dev.unseen.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes files of which a crash or a power loss leaves either all or nothing. The order is always
 * the same:
 *
 * <pre>
 * create            a new file under another name, which only its owner can read
 * write, force      all of its bytes are on the disk
 * copyOwnership     if it replaces another file
 * replace           rename it in one step, and force the directory
 * </pre>
 */
public final class DurableFile {
  private static final Set<OpenOption> NEW_FILE =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final int MODE_BITS = 07777;
  private static final int SET_ID_BITS = 06000;
  private static final int GROUP_BITS = 0070;

  private DurableFile() {}

  /**
   * Creates a new file that only its owner can read, from its first byte on. No link is followed.
   */
  public static FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, NEW_FILE, ownerOnly(file));
  }

  public static FileAttribute<?>[] ownerOnly(Path file) {
    return permissions(file, "rw-------");
  }

  /** Creates a directory that only its owner can use, and its parents, unless it exists. */
  public static void createDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, permissions(directory, "rwx------"));
    }
  }

  private static FileAttribute<?>[] permissions(Path path, String permissions) {
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Writes a new file that is complete from its first moment, under a fresh name first. If several
   * processes do so at the same time, one succeeds.
   *
   * @throws FileAlreadyExistsException if the file exists; it is left alone
   */
  public static void writeNew(Path file, Path fresh, byte[] content) throws IOException {
    Files.deleteIfExists(fresh);
    try {
      try (FileChannel channel = create(fresh)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      try {
        Files.createLink(file, fresh); // unlike a rename, never replaces a file
      } catch (UnsupportedOperationException e) {
        Files.move(fresh, file);
      }
    } finally {
      Files.deleteIfExists(fresh);
    }
    forceDirectoryOf(file);
  }

  /** Renames a complete file over another in one step; returns when the new name is on the disk. */
  public static void replace(Path fresh, Path file) throws IOException {
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectoryOf(file);
  }

  private static void forceDirectoryOf(Path file) throws IOException {
    forceDirectory(
        Objects.requireNonNull(file.toAbsolutePath().getParent(), "a root is not a file"));
  }

  /** Forces a directory to the disk, so that a power loss does not lose a new name. */
  public static void forceDirectory(Path directory) throws IOException {
    if (Files.getFileAttributeView(directory, PosixFileAttributeView.class) == null) {
      return; // Windows cannot open directories, and does not need to
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Gives a file the owner, the group and the mode of the one that it will replace. Only the
   * superuser can change an owner. If the group cannot be kept, it loses its permissions; and a
   * program that runs as its owner does not become one that runs as us. Returns whether both were
   * kept.
   */
  public static boolean copyOwnership(Path from, Path to) throws IOException {
    if (!from.getFileSystem().supportedFileAttributeViews().contains("unix")
        || !Files.exists(from)) {
      return true;
    }
    Map<String, Object> old = Files.readAttributes(from, "unix:mode,uid,gid");
    boolean group = copyId("unix:gid", attribute(old, "gid"), to);
    boolean owner = copyId("unix:uid", attribute(old, "uid"), to);
    int mode = (Integer) attribute(old, "mode") & MODE_BITS;
    if (!owner || !group) {
      mode &= ~SET_ID_BITS;
    }
    Files.setAttribute(to, "unix:mode", group ? mode : mode & ~GROUP_BITS);
    return owner && group;
  }

  private static Object attribute(Map<String, Object> of, String name) {
    return Objects.requireNonNull(of.get(name), name); // each that was asked for is there
  }

  /** Sets the user or the group of a file. Returns whether the file has it now. */
  private static boolean copyId(String attribute, Object id, Path to) throws IOException {
    if (id.equals(Files.getAttribute(to, attribute))) {
      return true;
    }
    try {
      Files.setAttribute(to, attribute, id);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
