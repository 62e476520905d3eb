package dev.unseen.flink.job;

import java.nio.file.Path;

/** Names of files and directories as Flink wants them. */
final class Place {
  private Place() {}

  /** Returns the URI of a place; a name without a scheme is that of a local file. */
  static String uri(String name) {
    return name.contains("://") ? name : Path.of(name).toAbsolutePath().toUri().toString();
  }
}
