package dev.unseen.server.durable;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.unseen.files.DurableFile;
import dev.unseen.files.FileInUseException;
import dev.unseen.files.ForeignFileException;
import dev.unseen.files.LockFile;
import dev.unseen.hash.Secret;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.FormerSecret;
import dev.unseen.server.store.Names;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory of a server, locked by one process at a time.
 *
 * <pre>
 * lock                  held by the process that owns the directory
 * secret                what keys are hashed with, written after the first segment of the journal
 * former-secrets        what keys were hashed with before, while it is needed; each with the time at
 *                       which the last listed key that is hashed with it expires
 * key-NAME.uns          a filter, as a state that all parts of Unseen read
 * set-MILLIS-BYTES.uns  the keys of SET with this expiry, in a filter of this size
 * journal-N.log         changes since the filters were saved
 * ANY.damaged           what could not be read, set aside
 * </pre>
 */
final class DataDirectory implements Closeable {
  static final String STATE = ".uns";
  private static final String FORMER = "former-secrets";
  private static final String DAMAGED = ".damaged";
  private static final Pattern LEFTOVER = Pattern.compile("(key|set)-.*\\.uns\\.new");
  private static final Pattern JOURNAL = Pattern.compile("journal-(\\d{1,18})\\.log");

  private final Path path;
  private final LockFile lock;

  private DataDirectory(Path path, LockFile lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Locks a directory for this process, and creates it if it does not exist.
   *
   * @throws DirectoryException if another server uses it, or it cannot be created or written
   */
  static DataDirectory open(Path path) throws IOException {
    try {
      DurableFile.createDirectory(path);
      return new DataDirectory(path, LockFile.take(path.toRealPath().resolve("lock")));
    } catch (FileInUseException e) {
      throw new DirectoryException(
          DirectoryException.Reason.IN_USE,
          "%s: another server is using this directory".formatted(path),
          e);
    } catch (FileAlreadyExistsException | AccessDeniedException | ForeignFileException e) {
      throw e; // has a clear message
    } catch (FileSystemException e) {
      String what =
          Files.isDirectory(path) ? "no file can be written" : "the directory cannot be created";
      String why = e.getReason() == null ? "" : " (%s)".formatted(e.getReason());
      throw new DirectoryException(
          DirectoryException.Reason.NOT_WRITABLE, "%s: %s here%s".formatted(path, what, why), e);
    }
  }

  /** Returns the secret of this directory, if it has one. */
  Optional<Secret> secret() throws IOException {
    Path file = path.resolve("secret");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Secret.parse(Files.readString(file, US_ASCII)));
    } catch (IllegalArgumentException e) {
      throw new IOException("%s: %s".formatted(file, e.getMessage()), e);
    }
  }

  /** Saves the secret that new items in this directory will be hashed with. */
  void writeSecret(Secret secret) throws IOException {
    replace("secret", secret.digits() + "\n");
  }

  private void replace(String name, String text) throws IOException {
    Path fresh = path.resolve(name + ".new");
    Files.deleteIfExists(fresh);
    try (FileChannel channel = DurableFile.create(fresh)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    DurableFile.replace(fresh, path.resolve(name));
  }

  /** Returns the secrets that were replaced and may still be needed, the latest first. */
  List<FormerSecret> formerSecrets() throws IOException {
    Path file = path.resolve(FORMER);
    List<FormerSecret> former = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file, US_ASCII)) {
        try {
          String[] words = line.split(" ", 2);
          former.add(new FormerSecret(Secret.parse(words[0]), Long.parseLong(words[1])));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
          throw new IOException(
              "%s: a line is not a secret and a time; restore the file from a backup"
                  .formatted(file),
              e);
        }
      }
    }
    return former;
  }

  /** Saves the secrets that were replaced and may still be needed. */
  void writeFormerSecrets(List<FormerSecret> former) throws IOException {
    if (former.isEmpty()) {
      if (Files.deleteIfExists(path.resolve(FORMER))) {
        DurableFile.forceDirectory(path);
      }
      return;
    }
    StringBuilder lines = new StringBuilder();
    former.forEach(
        one ->
            lines.append(one.secret().digits()).append(' ').append(one.listedUntil()).append('\n'));
    replace(FORMER, lines.toString());
  }

  /** Returns the name of the file that a filter is saved in. */
  static String fileOf(String name, FilterDefinition definition) {
    long millis = definition.setMillis();
    return millis > 0 ? "set-%d%s".formatted(millis, STATE) : Names.file(name, STATE);
  }

  Path path() {
    return path;
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Returns the saved filters. */
  List<Path> states() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(STATE))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    }
  }

  /**
   * Copies all that a server needs to a new directory, the journal last: its last record may be
   * incomplete, as after a crash. An unfinished copy has another name.
   *
   * @throws FileAlreadyExistsException if there is something of that name
   */
  void copyTo(Path target) throws IOException {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    DurableFile.createDirectory(target.toAbsolutePath().getParent());
    Path fresh = target.resolveSibling(target.getFileName() + ".unfinished");
    DurableFile.createDirectory(fresh);
    List<Path> files = new ArrayList<>(states());
    files.add(path.resolve("secret"));
    if (Files.exists(path.resolve(FORMER))) {
      files.add(path.resolve(FORMER));
    }
    segments().forEach(number -> files.add(AppendLog.file(path, number)));
    try {
      for (Path file : files) {
        Path copy = fresh.resolve(file.getFileName());
        Files.copy(
            file, copy, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
        force(copy);
      }
      DurableFile.forceDirectory(fresh);
      Files.move(fresh, target);
      DurableFile.forceDirectory(target.toAbsolutePath().getParent());
    } catch (IOException e) {
      try (Stream<Path> left = Files.list(fresh)) {
        for (Path file : left.toList()) {
          Files.delete(file);
        }
        Files.delete(fresh);
      } catch (IOException f) {
        e.addSuppressed(f);
      }
      throw e;
    }
  }

  /** Deletes the unfinished files of interrupted saves. */
  void deleteLeftovers() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        if (LEFTOVER.matcher(file.getFileName().toString()).matches()
            && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.delete(file);
        }
      }
    }
  }

  /** Returns the numbers of the segments of the journal, in order. */
  List<Long> segments() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> JOURNAL.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> Long.parseLong(matcher.group(1)))
          .sorted()
          .toList();
    }
  }

  /** Moves a file aside for inspection. Returns its new name. */
  Path setAside(Path file) throws IOException {
    return Files.move(file, freeName(file));
  }

  /**
   * Copies a file for inspection. Returns the name of the copy. A file that was copied before, and
   * has only become longer, is not copied again.
   */
  Path copyAside(Path file) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      String copies = file.getFileName() + DAMAGED;
      for (Path copy : files.sorted().toList()) {
        if (copy.getFileName().toString().startsWith(copies)) {
          long same = Files.mismatch(file, copy);
          if (same < 0 || same == Files.size(copy)) {
            return copy;
          }
        }
      }
    }
    Path copy = Files.copy(file, freeName(file), StandardCopyOption.COPY_ATTRIBUTES);
    force(copy); // the original is deleted by the next save
    DurableFile.forceDirectory(path);
    return copy;
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private static Path freeName(Path file) {
    Path aside = file.resolveSibling(file.getFileName() + DAMAGED);
    for (int i = 2; Files.exists(aside); i++) {
      aside = file.resolveSibling(file.getFileName() + DAMAGED + "-" + i);
    }
    return aside;
  }

  /** Cuts this number of bytes off the end of a file. */
  static void cut(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - bytes);
      channel.force(true);
    }
  }

  /** Deletes a saved filter. */
  void deleteState(String name) throws IOException {
    Files.deleteIfExists(path.resolve(name));
    Files.deleteIfExists(path.resolve(name + ".lock"));
  }

  /** Appends the number of the next segment to a segment, which a crash may have ended. */
  void linkSegments(long before, long next) throws IOException {
    Path file = AppendLog.file(path, before);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      LogRecord.link(channel, channel.size(), next);
      channel.force(false);
    }
  }

  void deleteSegment(long number) throws IOException {
    Files.deleteIfExists(AppendLog.file(path, number));
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
