package dev.unseen.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Makes the hundreds of processes that tests start begin in half the time, as the launcher does for
 * users: from jars, because Java shares no classes of directories, and with an archive of the
 * classes that a run loads. It is made once for all test processes.
 */
final class QuickStart {
  private static final Path PLACE = Path.of("target", "quick-start").toAbsolutePath();
  private static final String JAVA = System.getProperty("java.home") + "/bin/java";

  private QuickStart() {}

  /** Returns the words that start Java with the class path of the command. */
  static List<String> java(String... options) {
    List<String> line = new ArrayList<>(List.of(JAVA));
    line.addAll(List.of(options));
    line.addAll(List.of("-Xlog:disable", "-XX:SharedArchiveFile=" + PLACE.resolve("classes.jsa")));
    line.add("--enable-native-access=ALL-UNNAMED"); // else Java 24 warns of zstd's library
    line.addAll(List.of("-cp", prepare(options)));
    return List.copyOf(line);
  }

  private static synchronized String prepare(String... options) {
    try {
      Files.createDirectories(PLACE);
      try (FileChannel file =
          FileChannel.open(
              PLACE.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        file.lock(); // several processes test at once; it ends with the channel
        return archived(options);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String archived(String... options) throws IOException {
    List<Path> entries =
        Stream.of(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))
                    .split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    Path made = PLACE.resolve("made");
    String state = JAVA + " " + entries + " " + newest(entries);
    List<String> jars = new ArrayList<>();
    for (Path entry : entries) {
      boolean directory = Files.isDirectory(entry);
      Path jar = directory ? PLACE.resolve("classes-" + jars.size() + ".jar") : entry;
      jars.add(jar.toString());
    }
    String classPath = String.join(File.pathSeparator, jars);
    if (!Files.exists(made) || !Files.readString(made).equals(state)) {
      for (int i = 0; i < entries.size(); i++) {
        if (Files.isDirectory(entries.get(i))) {
          pack(entries.get(i), Path.of(jars.get(i)));
        }
      }
      archive(classPath, options);
      Files.writeString(made, state);
    }
    return classPath;
  }

  /** Returns when a class was written last. */
  private static long newest(List<Path> entries) throws IOException {
    long newest = 0;
    for (Path entry : entries) {
      try (Stream<Path> files = Files.walk(entry)) {
        newest =
            Math.max(newest, files.mapToLong(file -> file.toFile().lastModified()).max().orElse(0));
      }
    }
    return newest;
  }

  private static void pack(Path directory, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(directory)) {
      out.setLevel(1);
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(directory.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
  }

  private static void archive(String classPath, String... options) throws IOException {
    Path list = PLACE.resolve("classes.list");
    Path input = Files.writeString(PLACE.resolve("input.csv"), "id\n1\n");
    String main = "dev.unseen.cli.Main";
    List<String> args = List.of(main, "--memory", "1M", "-k", "id", input.toString());
    run(classPath, options, List.of("-XX:DumpLoadedClassList=" + list), args);
    run(
        classPath,
        options,
        List.of(
            "-Xshare:dump",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + PLACE.resolve("classes.jsa")),
        List.of());
  }

  private static void run(String classPath, String[] options, List<String> more, List<String> args)
      throws IOException {
    List<String> line = new ArrayList<>(List.of(JAVA));
    line.addAll(List.of(options));
    line.addAll(more);
    line.addAll(List.of("-cp", classPath));
    line.addAll(args);
    Process process =
        Run.plain(new ProcessBuilder(line))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    Run.exitCode(process); // without an archive all works, slower
  }
}
