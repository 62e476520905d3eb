package dev.unseen.cli.dedup;

import dev.unseen.cli.dedup.DedupOptions.OutputOptions;
import dev.unseen.commands.CliException;
import dev.unseen.io.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Knows the role of each file in a run: an input, an output, the state. Rejects a file with two
 * roles, whatever names it has, before any file is opened.
 *
 * <p>One pair is allowed: {@code --output} may be an input, because the output takes the place of
 * the file only after all of it was read.
 */
final class FileRoles {
  private static final String INPUT = "an input";
  private static final String OUTPUT = "--output";

  /** A file in its role, such as {@code --state}, or {@code an input}. */
  private record Use(String role, String name) {
    boolean isInput() {
      return role.equals(INPUT);
    }

    /** Returns whether it is a stream that was open before the run. */
    boolean isInherited() {
      return StandardStreams.isOne(name);
    }

    /** Returns whether the file stays unchanged until the run ends. */
    boolean isReplaced() {
      return role.equals(OUTPUT) && !isInherited();
    }

    /** Returns whether one file may have both roles. An input may be named twice. */
    boolean mayBe(Use other) {
      if (isInput() || other.isInput()) {
        return (isInput() || isReplaced()) && (other.isInput() || other.isReplaced());
      }
      return isInherited() && other.isInherited();
    }
  }

  private final Map<Object, List<Use>> uses = new HashMap<>();

  private FileRoles() {}

  /**
   * Rejects options that give one file two roles.
   *
   * @param state the file of the state; null if there is none
   */
  static void check(List<String> files, OutputOptions outputs, String state) throws CliException {
    FileRoles roles = new FileRoles();
    for (String file : files) {
      roles.add(INPUT, file.equals(Source.STDIN) ? StandardStreams.IN : file);
    }
    if (outputs.path() == null) {
      roles.add("standard output", StandardStreams.OUT);
    } else {
      roles.add(OUTPUT, outputs.path());
    }
    boolean mainIsStdout = outputs.path() == null || StandardStreams.isOutput(outputs.path());
    roles.addSide("--duplicates-to", outputs.duplicatesTo(), mainIsStdout);
    roles.addSide("--rejects-to", outputs.rejectsTo(), mainIsStdout);
    if (state != null) {
      roles.add("--state", state);
      roles.add("the lock of --state", state + ".lock");
      roles.add("the new file of --state", state + ".new");
    }
  }

  private void addSide(String role, String given, boolean mainIsStdout) throws CliException {
    if (given == null) {
      return;
    }
    String name = given.equals(Source.STDIN) ? StandardStreams.OUT : given;
    if (mainIsStdout && StandardStreams.isOutput(name)) {
      throw CliException.usage(
          "%s '%s' is standard output, where the other records go; name a file, or write the others to a file with --output FILE"
              .formatted(role, given),
          null);
    }
    add(role, name);
  }

  private void add(String role, String name) throws CliException {
    if (name.isEmpty()) {
      throw CliException.usage(role + " '' is empty; give the name of a file", null);
    }
    Object identity;
    try {
      identity = identity(Path.of(name));
    } catch (InvalidPathException e) {
      throw CliException.usage(
          "%s '%s' is not a file name: %s".formatted(role, name, e.getReason()), e);
    }
    if (identity == null) {
      return;
    }
    Use use = new Use(role, name);
    List<Use> others = uses.computeIfAbsent(identity, any -> new ArrayList<>());
    for (Use other : others) {
      if (!other.mayBe(use)) {
        throw CliException.usage(
            "%s and %s are the same file: '%s'; use two files"
                .formatted(other.role(), role, use.isInherited() ? other.name() : name),
            null);
      }
    }
    others.add(use);
  }

  /**
   * Returns what two names of one file have in common; null if it cannot be written over: a pipe, a
   * terminal, or a file that does not exist and cannot be created.
   */
  private static Object identity(Path path) {
    try {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      if (!file.isRegularFile()) {
        return null;
      }
      return file.fileKey() == null ? path.toRealPath() : file.fileKey();
    } catch (IOException e) {
      return identityOfMissing(path);
    }
  }

  /** Returns where a file would be made: a link to a file that is missing leads there. */
  private static Object identityOfMissing(Path path) {
    try {
      Path target =
          Files.isSymbolicLink(path) ? path.resolveSibling(Files.readSymbolicLink(path)) : path;
      return target.toAbsolutePath().getParent().toRealPath().resolve(target.getFileName());
    } catch (IOException e) {
      return null;
    }
  }
}
