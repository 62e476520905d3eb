package dev.unseen.cli.install;

import dev.unseen.cli.Commands;
import dev.unseen.cli.manual.Manual;
import dev.unseen.commands.CliException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The files of the program as they are to be installed, by their places below a prefix.
 *
 * <pre>
 * bin/unseen                 a link to the launcher
 * lib/unseen/bin/unseen      the launcher
 * lib/unseen/lib/*.jar       the jars that all commands need
 * lib/unseen/lib/lab/*.jar   the jars that the lab needs as well; so for other commands
 * lib/unseen/runtime         the Java that an archive has with it
 * share/                     manual pages, completions
 * </pre>
 *
 * <p>Below {@code lib/unseen} it looks like the unpacked archive, and the launcher runs as there.
 */
final class Program {
  static final String HOME = "lib/unseen";
  static final String COMMAND = "bin/unseen";
  static final String LAUNCHER = HOME + "/bin/unseen";

  /** Set by the launcher: its own path. */
  private static final String LAUNCHER_PROPERTY = "unseen.launcher";

  /** Set by the launcher for each command whose jars were built: their directory. */
  private static final String DOOR_PROPERTY = "unseen.door.";

  private final Map<String, Content> files = new LinkedHashMap<>();

  /** Reads what a file is to hold. */
  interface Content {
    byte[] bytes() throws IOException;

    default boolean isExecutable() {
      return false;
    }
  }

  /** A file that is copied, with its permission to be run. */
  private record Copied(Path source) implements Content {
    @Override
    public byte[] bytes() throws IOException {
      return Files.readAllBytes(source);
    }

    @Override
    public boolean isExecutable() {
      return Files.isExecutable(source);
    }
  }

  /** Finds the files of the program that runs. */
  static Program running() throws IOException, CliException {
    String launcher = System.getProperty(LAUNCHER_PROPERTY);
    Path jar = jar();
    if (launcher == null || !jar.toString().endsWith(".jar")) {
      throw CliException.usage("install needs the launcher; run it as ./unseen install", null);
    }
    Program program = new Program();
    program.file(LAUNCHER, Path.of(launcher));
    program.file(HOME + "/lib/" + jar.getFileName(), jar);
    Path beside = jar.resolveSibling("lib"); // of the sources; in the archive all jars are together
    Path lib = Files.isDirectory(beside) ? beside : jar.getParent();
    program.jars(HOME + "/lib/", lib);
    program.doors(lib);
    program.tree(HOME + "/runtime/", lib.resolveSibling("runtime"));
    for (Map.Entry<String, String> text : Manual.files().entrySet()) {
      byte[] bytes = text.getValue().getBytes(StandardCharsets.UTF_8);
      program.files.put("share/" + text.getKey(), () -> bytes);
    }
    program.file(COMMAND, Path.of(launcher)); // a link, whose content is the launcher's
    return program;
  }

  private static Path jar() {
    try {
      return Path.of(Program.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private void file(String place, Path source) {
    files.put(place, new Copied(source));
  }

  /** Adds the jars of the commands that have their own, but for those that all need. */
  private void doors(Path lib) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(lib, Files::isDirectory)) {
      for (Path directory : found) {
        jars("%s/lib/%s/".formatted(HOME, directory.getFileName()), directory);
      }
    }
    for (String command : Commands.NAMES) {
      String directory = System.getProperty(DOOR_PROPERTY + command);
      if (directory != null) {
        jars("%s/lib/%s/".formatted(HOME, command), Path.of(directory));
      }
    }
  }

  /** Adds all files below a directory, if there is one. */
  private void tree(String place, Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> found = Files.walk(directory)) {
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        file(place + directory.relativize(file), file);
      }
    }
  }

  private void jars(String place, Path directory) throws IOException {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.jar")) {
      found.forEach(jars::add);
    }
    for (Path jar : new TreeSet<>(jars)) {
      if (!files.containsKey(HOME + "/lib/" + jar.getFileName())) {
        file(place + jar.getFileName(), jar);
      }
    }
  }

  /** Returns what each file is to hold, by its place below the prefix. */
  Map<String, Content> files() {
    return files;
  }
}
