package dev.unseen.cli.dedup;

import dev.unseen.snapshot.Snapshot;
import dev.unseen.snapshot.StateFile;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A disk that remembers, after every step, what would be left of the files if the power went off:
 * in the worst case only what was forced, and in others what the system happened to write by
 * itself.
 */
final class RecordingDisk extends Disk {
  /**
   * What is left.
   *
   * @param step after which the power went off
   * @param files by their paths
   */
  record Image(String step, Map<Path, byte[]> files) {}

  private final Map<FileChannel, Object> opened = new HashMap<>(); // to the file's identity
  private final Map<Object, byte[]> forced = new HashMap<>();
  private final Map<Path, Object> namesNow = new HashMap<>();
  private final Map<Path, Object> namesForced = new HashMap<>();
  private final Map<Path, byte[]> states = new HashMap<>();
  private final List<Image> images = new ArrayList<>();

  List<Image> images() {
    return images;
  }

  /** A file of the user, such as the one that the shell has made for standard output. */
  FileOutputStream openForUser(Path path) throws IOException {
    FileOutputStream file = append(path.toString());
    namesForced.putAll(namesNow);
    return file;
  }

  @Override
  FileChannel create(Path file, FileAttribute<?>... attributes) throws IOException {
    FileChannel channel = super.create(file, attributes);
    note(file, channel);
    return channel;
  }

  @Override
  FileOutputStream append(String path) throws IOException {
    Path place = Path.of(path);
    if (Files.exists(place)) { // it was there before, and so were its bytes
      Object identity = Files.readAttributes(place, BasicFileAttributes.class).fileKey();
      forced.put(identity, Files.readAllBytes(place));
      namesForced.put(place, identity);
    }
    FileOutputStream file = super.append(path);
    note(Path.of(path), file.getChannel());
    return file;
  }

  private void note(Path path, FileChannel channel) throws IOException {
    Object identity = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    opened.put(channel, identity);
    namesNow.put(path, identity);
    cutPower("create " + path.getFileName());
  }

  @Override
  void force(FileChannel file) throws IOException {
    cutPower("before force");
    super.force(file);
    Object identity = opened.get(file);
    if (identity != null) { // a directory has none
      forced.put(identity, contentOf(identity));
    }
    cutPower("force");
  }

  @Override
  void move(Path from, Path to) throws IOException {
    super.move(from, to);
    namesNow.put(to, namesNow.remove(from));
    cutPower("move to " + to.getFileName());
  }

  @Override
  void forceDirectory(Path directory) throws IOException {
    super.forceDirectory(directory);
    namesForced.clear();
    namesForced.putAll(namesNow);
    cutPower("force directory");
  }

  @Override
  void save(StateFile file, Snapshot state) throws IOException {
    super.save(file, state);
    states.put(file.path(), Files.readAllBytes(file.path()));
    cutPower("save");
  }

  private byte[] contentOf(Object identity) throws IOException {
    for (Map.Entry<Path, Object> name : namesNow.entrySet()) {
      if (name.getValue().equals(identity)) {
        return Files.readAllBytes(name.getKey());
      }
    }
    return new byte[0];
  }

  /** All that may be left: names that were forced or all, and bytes that were forced or all. */
  private void cutPower(String step) {
    for (Map<Path, Object> names : List.of(namesForced, namesNow)) {
      for (boolean allBytes : new boolean[] {false, true}) {
        Map<Path, byte[]> files = new HashMap<>(states);
        names.forEach(
            (path, identity) -> {
              try {
                files.put(
                    path,
                    allBytes ? contentOf(identity) : forced.getOrDefault(identity, new byte[0]));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
        images.add(new Image(step, files));
      }
    }
  }
}
