package dev.unseen.cli;

import dev.unseen.io.Sink;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is there as a whole or not at all: it is written beside its place and moved there
 * when it is complete, so that a run that fails leaves an older file as it was. A pipe or device
 * that has the name is written to straight away.
 */
final class OutputFile implements AutoCloseable {
  private final String name;
  private final Path place;
  private final Path beside; // null if it is written in its place
  private final FileOutputStream file;
  private final OutputStream stream;
  private boolean done;

  private OutputFile(String name, Path place, Path beside) throws IOException {
    this.name = name;
    this.place = place;
    this.beside = beside;
    this.file = new FileOutputStream((beside == null ? place : beside).toFile());
    try {
      this.stream = Sink.of(place.getFileName().toString(), file);
    } catch (IOException e) {
      discard();
      throw e;
    }
  }

  /** Begins to write a file. */
  static OutputFile open(String path) throws Failure {
    String name = "'" + path + "'";
    try {
      Path place = Path.of(path);
      if (Files.isDirectory(place)) {
        throw new IOException("Is a directory");
      }
      if (Files.exists(place)) {
        place = place.toRealPath(); // a link stays a link
        if (!Files.isRegularFile(place)) {
          return new OutputFile(name, place, null);
        }
        if (!Files.isWritable(place)) {
          throw new IOException("Permission denied");
        }
      }
      return new OutputFile(name, place, beside(place));
    } catch (IOException e) {
      throw Failure.inputOrOutput("cannot write %s: %s".formatted(name, reasonOf(e)), e);
    }
  }

  private static Path beside(Path place) {
    String hidden = ".%s.%d.part".formatted(place.getFileName(), ProcessHandle.current().pid());
    return place.resolveSibling(hidden);
  }

  /** Java says {@code PATH (REASON)}. */
  private static String reasonOf(IOException e) {
    String message = String.valueOf(e.getMessage());
    int reason = message.lastIndexOf(" (");
    return reason >= 0 && message.endsWith(")")
        ? message.substring(reason + 2, message.length() - 1)
        : message;
  }

  String name() {
    return name;
  }

  /** Where its bytes go. */
  OutputStream stream() {
    return stream;
  }

  /** All is written: puts the file in its place. */
  void commit() throws Failure {
    try {
      if (stream != file) {
        stream.close(); // which ends what is compressed, and closes the file
      } else {
        file.close();
      }
      done = true;
      if (beside != null) {
        keepPermissions();
        Files.move(
            beside, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      done = false;
      throw RecordWriter.failure(name, e);
    }
  }

  private void keepPermissions() throws IOException {
    if (Files.exists(place) && File.separatorChar == '/') {
      Files.setPosixFilePermissions(beside, Files.getPosixFilePermissions(place));
    }
  }

  /** Takes away what was written, unless it is committed. */
  @Override
  public void close() {
    if (!done) {
      discard();
    }
  }

  private void discard() {
    try {
      file.close();
    } catch (IOException e) {
      // It is not wanted any more.
    }
    if (beside != null && !beside.toFile().delete()) {
      beside.toFile().deleteOnExit();
    }
  }
}
