package dev.unseen.cli.dedup;

import dev.unseen.commands.CliException;
import dev.unseen.io.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows the role of each file in a run: an input, an output, the state. Rejects a file with two
 * roles, whatever names it has, before any file is opened.
 *
 * <p>One pair is allowed: {@code --output} may be an input, because the output takes the place of
 * the file only after all of it was read.
 */
final class FileRoles {
  /**
   * A file in its role.
   *
   * @param role as the user wrote it: {@code --state}, or {@code an input}
   * @param name for messages
   * @param identity equal for two names of one file; null if it cannot be written over: a pipe, a
   *     terminal, or a file that does not exist and cannot be created
   * @param inherited whether it is a stream that was open before the run
   * @param replaced whether the file stays unchanged until the run ends
   */
  private record Use(
      String role, String name, Object identity, boolean inherited, boolean replaced) {
    boolean isInput() {
      return role.equals(INPUT);
    }

    boolean mayBe(Use other) {
      boolean inPlace = (isInput() && other.replaced) || (replaced && other.isInput());
      return inPlace || (inherited && other.inherited && !isInput() && !other.isInput());
    }
  }

  private static final String INPUT = "an input";

  private final List<Use> uses = new ArrayList<>();

  private FileRoles() {}

  /**
   * Rejects options that give one file two roles.
   *
   * @param state the file of the state; null if there is none
   */
  static void check(List<String> files, OutputOptions outputs, String state) throws CliException {
    FileRoles roles = new FileRoles();
    for (String file : files) {
      if (!roles.hasInput(file)) { // an input may be named twice
        roles.add(INPUT, file.equals(Source.STDIN) ? StandardStreams.IN : file);
      }
    }
    if (outputs.path() == null) {
      roles.add("standard output", StandardStreams.OUT);
    } else {
      roles.add("--output", outputs.path());
    }
    if (outputs.duplicatesTo() != null) {
      rejectTwoOnStdout(outputs);
      String duplicates = outputs.duplicatesTo();
      roles.add(
          "--duplicates-to", duplicates.equals(Source.STDIN) ? StandardStreams.OUT : duplicates);
    }
    if (outputs.rejectsTo() != null) {
      roles.add("--rejects-to", outputs.rejectsTo());
    }
    if (state != null) {
      roles.add("--state", state);
      roles.add("the lock of --state", state + ".lock");
      roles.add("the new file of --state", state + ".new");
    }
    roles.rejectSameFile();
  }

  private boolean hasInput(String file) {
    return uses.stream().anyMatch(use -> use.name().equals(file));
  }

  private static void rejectTwoOnStdout(OutputOptions outputs) throws CliException {
    boolean main = outputs.path() == null || StandardStreams.isOutput(outputs.path());
    String second = outputs.duplicatesTo();
    if (main && (second.equals(Source.STDIN) || StandardStreams.isOutput(second))) {
      throw CliException.usage(
          "--duplicates-to '%s' is standard output, where the other records go; name a file, or write the others to a file with --output FILE"
              .formatted(second),
          null);
    }
  }

  private void add(String role, String name) throws CliException {
    if (name.isEmpty()) {
      throw CliException.usage(role + " '' is empty; give the name of a file", null);
    }
    try {
      Path path = Path.of(name);
      boolean inherited = StandardStreams.isOne(name);
      boolean replaced = role.equals("--output") && !inherited;
      uses.add(new Use(role, name, identity(path), inherited, replaced));
    } catch (InvalidPathException e) {
      throw CliException.usage(
          "%s '%s' is not a file name: %s".formatted(role, name, e.getReason()), e);
    }
  }

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

  private void rejectSameFile() throws CliException {
    for (int i = 0; i < uses.size(); i++) {
      for (int j = 0; j < i; j++) {
        Use one = uses.get(j);
        Use other = uses.get(i);
        if (one.identity() != null
            && one.identity().equals(other.identity())
            && !one.mayBe(other)
            && !(one.isInput() && other.isInput())) {
          throw CliException.usage(
              "%s and %s are the same file: '%s'; use two files"
                  .formatted(
                      one.role(), other.role(), other.inherited() ? one.name() : other.name()),
              null);
        }
      }
    }
  }
}
