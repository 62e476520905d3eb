package dev.unseen.cli.dedup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/** Gives a file the owner, the group and the mode of the one that it replaces. */
final class Ownership {
  private static final int MODE_BITS = 07777;
  private static final int SET_ID_BITS = 06000;

  private Ownership() {}

  /**
   * Copies what can be copied, and tells the rest.
   *
   * @param name of the older file, for messages
   */
  static void copy(String name, Path from, Path to, Consumer<String> warnings) throws IOException {
    if (!from.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    Map<String, Object> old = Files.readAttributes(from, "unix:mode,uid,gid,nlink");
    boolean owner = copyId("unix:uid", old.get("uid"), to);
    boolean group = copyId("unix:gid", old.get("gid"), to);
    int mode = (Integer) old.get("mode") & MODE_BITS;
    // A program that runs as its owner must not become one that runs as us.
    Files.setAttribute(to, "unix:mode", owner && group ? mode : mode & ~SET_ID_BITS);
    if (!owner || !group) {
      warnings.accept(
          "%s belongs to you now: only root can give it back to its former owner".formatted(name));
    }
    int links = (Integer) old.get("nlink");
    if (links > 1) {
      warnings.accept(
          "%s had %d other %s (hard links), which keep the old content"
              .formatted(name, links - 1, links == 2 ? "name" : "names"));
    }
  }

  /** Returns whether the file has this user or group now. */
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
