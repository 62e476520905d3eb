package dev.unseen.cli.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Remembers below a prefix what was installed there: each file with the hash of its content, and
 * the directories that were made for them. {@code sha256sum -c} reads it, too.
 */
final class Manifest {
  static final String PLACE = Program.HOME + "/installed";

  private static final String MADE = "# made ";
  private static final int HASH_DIGITS = 64;

  private final Map<String, String> hashes = new LinkedHashMap<>();
  private final TreeSet<String> directories = new TreeSet<>();

  /** Reads the manifest below a prefix; it is empty if nothing was installed there. */
  static Manifest read(Path prefix) throws IOException {
    Manifest manifest = new Manifest();
    Path file = prefix.resolve(PLACE);
    if (!Files.exists(file)) {
      return manifest;
    }
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(MADE)) {
        manifest.directories.add(within(prefix, line.substring(MADE.length()), file));
      } else if (line.matches("[0-9a-f]{64}  .+")) {
        String place = within(prefix, line.substring(HASH_DIGITS + 2), file);
        manifest.hashes.put(place, line.substring(0, HASH_DIGITS));
      } else if (!line.startsWith("#")) {
        throw new IOException(
            "%s is damaged: '%s' is not a line of it; delete what was installed by hand"
                .formatted(file, line));
      }
    }
    return manifest;
  }

  /** Refuses a place outside the prefix: nothing there was installed. */
  private static String within(Path prefix, String place, Path file) throws IOException {
    if (Path.of(place).isAbsolute() || !prefix.resolve(place).normalize().startsWith(prefix)) {
      throw new IOException(
          "%s is damaged: '%s' is not below %s; delete what was installed by hand"
              .formatted(file, place, prefix));
    }
    return place;
  }

  /** Writes it below a prefix. */
  void write(Path prefix) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        "# Installed by unseen. This takes all of it away: unseen uninstall --prefix " + prefix);
    directories.forEach(directory -> lines.add(MADE + directory));
    hashes.forEach((place, hash) -> lines.add(hash + "  " + place));
    Files.write(prefix.resolve(PLACE), lines);
  }

  boolean isEmpty() {
    return hashes.isEmpty();
  }

  boolean has(String place) {
    return hashes.containsKey(place);
  }

  /** Returns the places of all files. */
  List<String> places() {
    return List.copyOf(hashes.keySet());
  }

  /** Returns the directories that were made, the inner ones first. */
  Collection<String> directories() {
    return directories.descendingSet();
  }

  void add(String place, String hash) {
    hashes.put(place, hash);
  }

  void remove(String place) {
    hashes.remove(place);
  }

  /** Makes a directory below the prefix, or the prefix, and those above it; remembers the new. */
  void makeDirectory(Path prefix, Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    if (!directory.equals(prefix)) {
      makeDirectory(prefix, directory.getParent());
      Files.createDirectory(directory);
    } else {
      Files.createDirectories(directory);
    }
    String place = prefix.relativize(directory).toString();
    directories.add(place.isEmpty() ? "." : place);
  }

  /** Returns whether the file at this place is as it was installed. */
  boolean isUnchanged(Path prefix, String place) throws IOException {
    Path file = prefix.resolve(place);
    return Files.isRegularFile(file) && hash(Files.readAllBytes(file)).equals(hashes.get(place));
  }

  static String hash(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
