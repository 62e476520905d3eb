package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.io.Source;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Opens the outputs that a user names. Only a regular file can be replaced; a pipe, a device or a
 * stream that is open already is written to directly.
 */
final class OutputPlaces {
  private final OutputStream stdout;
  private final Disk disk;
  private final Consumer<String> warnings;

  OutputPlaces(OutputStream stdout, Disk disk, Consumer<String> warnings) {
    this.stdout = stdout;
    this.disk = disk;
    this.warnings = warnings;
  }

  /** Opens an output that replaces an older file at the end; null stands for standard output. */
  Output replaced(String path) throws CliException {
    return open(path, true);
  }

  /** Opens an output that can be read while it grows; an older file is appended to. */
  Output live(String path) throws CliException {
    return open(path.equals(Source.STDIN) ? null : path, false);
  }

  private Output open(String path, boolean replaces) throws CliException {
    String name = "'" + path + "'";
    try {
      if (path == null || StandardStreams.isOutput(path)) {
        return new LiveOutput("stdout", stdout, disk);
      }
      if (StandardStreams.isError(path)) {
        return new LiveOutput("stderr", new FileOutputStream(FileDescriptor.err), disk);
      }
      if (StandardStreams.isOne(path)) { // append to the existing content, as the stream would
        return new LiveOutput(name, new FileOutputStream(path, true), disk);
      }
      Path place = Path.of(path);
      if (place.getFileName() == null || Files.isDirectory(place)) {
        throw new IOException("Is a directory");
      }
      if (replaces && (!Files.exists(place) || Files.isRegularFile(place))) {
        return ReplacedFile.begin(name, writable(place), disk, warnings);
      }
      return LiveOutput.append(name, place, disk, warnings);
    } catch (InvalidPathException e) {
      throw CliException.usage("%s is not a file name: %s".formatted(name, e.getReason()), e);
    } catch (IOException e) {
      throw CliException.inputOrOutput("cannot write %s: %s".formatted(name, reasonOf(e, path)), e);
    }
  }

  /** Returns the place of the file itself: a link stays a link. */
  private static Path writable(Path place) throws IOException {
    if (!Files.exists(place)) {
      return Files.isSymbolicLink(place) ? targetOf(place) : place;
    }
    if (!Files.isWritable(place)) {
      throw new IOException("Permission denied");
    }
    return place.toRealPath();
  }

  private static Path targetOf(Path link) throws IOException {
    return link.toAbsolutePath().resolveSibling(Files.readSymbolicLink(link));
  }

  /** Returns the reason of a failure, without the path or the name of the temporary file. */
  private static String reasonOf(IOException e, String path) {
    if (e instanceof NoSuchFileException) {
      return "No such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "no permission to create a file in its directory";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return Source.reasonOf(e, path);
  }
}
