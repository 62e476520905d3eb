package dev.unseen.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The users of a server and their passwords. A file of them has a line for each:
 *
 * <pre>
 * # name    password, or # and its SHA-256 in hexadecimal digits    rights
 * default   s3cret                                                  admin
 * collector #2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b write
 * </pre>
 */
public final class Users {
  /** The user name of a client that gives none. */
  public static final String DEFAULT = "default";

  /** The user of all clients if no passwords are required. */
  private static final User ANYBODY = new User(DEFAULT, Rights.ADMIN);

  /**
   * A user.
   *
   * @param name the name
   * @param rights what the user may do
   */
  public record User(String name, Rights rights) {}

  private record Entry(User user, String passwordHash) {}

  private final Optional<Path> file;
  private volatile Map<String, Entry> entries;

  private Users(Optional<Path> file, Map<String, Entry> entries) {
    this.file = file;
    this.entries = entries;
  }

  /** Returns users without passwords: every client may do everything. */
  public static Users anybody() {
    return new Users(Optional.empty(), Map.of());
  }

  public static Users read(Path file) throws IOException {
    return new Users(Optional.of(file), entries(file));
  }

  /**
   * Reads the file again. If it cannot be used, all users stay as they are.
   *
   * @return the names of the users that were removed, or have another password or other rights
   */
  public Set<String> reload() throws IOException {
    if (file.isEmpty()) {
      return Set.of();
    }
    Map<String, Entry> before = entries;
    Map<String, Entry> now = entries(file.get());
    entries = now;
    Set<String> changed = new HashSet<>(before.keySet());
    changed.removeIf(name -> before.get(name).equals(now.get(name)));
    return changed;
  }

  private static Map<String, Entry> entries(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "--auth-file %s is a directory; name a file with a line for each user".formatted(file));
    }
    Set<PosixFilePermission> permissions;
    try {
      permissions = Files.getPosixFilePermissions(file);
    } catch (UnsupportedOperationException e) {
      permissions = Set.of();
    }
    if (permissions.contains(PosixFilePermission.OTHERS_READ)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IllegalArgumentException(
          "%s: all users of this machine can read or write the passwords; change that with: chmod 600 %s"
              .formatted(file, file));
    }
    Map<String, Entry> entries = new HashMap<>();
    int number = 0;
    for (String line : Files.readAllLines(file, UTF_8)) {
      number++;
      if (line.isBlank() || line.strip().startsWith("#")) {
        continue;
      }
      String[] words = line.strip().split("\\s+", -1);
      if (words.length != 3) {
        throw new IllegalArgumentException(
            "%s: line %d has %d words, but must have 3: a name, a password, and read, write or admin"
                .formatted(file, number, words.length));
      }
      try {
        Entry entry = new Entry(new User(words[0], Rights.of(words[2])), hash(words[1]));
        if (entries.put(words[0], entry) != null) {
          throw new IllegalArgumentException(
              "the user '%s' is defined twice; keep one of the lines".formatted(words[0]));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s: line %d: %s".formatted(file, number, e.getMessage()), e);
      }
    }
    if (entries.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: this file has no user; add a line such as: default PASSWORD admin".formatted(file));
    }
    return Map.copyOf(entries);
  }

  private static String hash(String password) {
    if (!password.startsWith("#")) {
      return sha256(password);
    }
    String digits = password.substring(1);
    if (digits.length() != 64 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IllegalArgumentException(
          "a password after # must be 64 hexadecimal digits; compute them with: echo -n PASSWORD | sha256sum");
    }
    return digits.toLowerCase(Locale.ROOT);
  }

  private static String sha256(String text) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  public boolean areRequired() {
    return !entries.isEmpty();
  }

  /** Returns the user of a client that has not authenticated; empty if it must. */
  public Optional<User> initial() {
    return areRequired() ? Optional.empty() : Optional.of(ANYBODY);
  }

  /** Returns the user of this name and password; empty if there is none. */
  public Optional<User> find(String name, String password) {
    Entry entry = entries.get(name);
    String known = entry == null ? "" : entry.passwordHash;
    boolean right = // constant time, so that wrong passwords take as long
        MessageDigest.isEqual(known.getBytes(UTF_8), sha256(password).getBytes(UTF_8));
    return right && entry != null ? Optional.of(entry.user) : Optional.empty();
  }
}
