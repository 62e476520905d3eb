package dev.unseen.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Runs the programs of a page of the documentation. Each is compiled as it stands, run as a process
 * of its own in the order of the page, and has to print the text below it. If "Started again"
 * follows with another text, it is run a second time.
 */
public final class PagePrograms {
  private static final Pattern PROGRAM =
      Pattern.compile(
          "```java\n// (\\w+)\\.java(?:, Java (\\d+) or newer)?\n(.*?)```\n+```text\n(.*?)```"
              + "(?:\n+Started again[^\n]*\n+```text\n(.*?)```)?",
          Pattern.DOTALL);

  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  private PagePrograms() {}

  /**
   * A program of a page.
   *
   * @param java the oldest version of Java that can run it
   * @param outputs what each of its runs prints
   */
  public record Program(String name, int java, String code, List<String> outputs) {
    /**
     * Compiles and runs the program, with the Java of this process, or a newer one of this machine
     * if it needs that.
     *
     * @param directory where it is compiled, and run
     * @param environment variables that it reads
     * @return what each run has printed
     */
    public List<String> run(Path directory, String classPath, Map<String, String> environment)
        throws IOException, InterruptedException {
      Path home = home().orElseThrow();
      Path source = Files.writeString(directory.resolve(name + ".java"), code, UTF_8);
      String all = directory + File.pathSeparator + classPath;
      compile(home, "-d", directory.toString(), "-cp", all, source.toString());
      List<String> printed = new ArrayList<>();
      for (int i = 0; i < outputs.size(); i++) {
        String java = home.resolve("bin/java").toString();
        printed.add(output(directory, environment, java, "-cp", all, name));
      }
      return printed;
    }

    private void compile(Path home, String... arguments) throws IOException, InterruptedException {
      if (home.equals(JAVA_HOME)) { // a process takes seconds
        int result =
            ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, arguments);
        if (result != 0) {
          throw new AssertionError(name + " does not compile");
        }
        return;
      }
      List<String> command = new ArrayList<>(List.of(home.resolve("bin/javac").toString()));
      command.addAll(List.of(arguments));
      output(Path.of("").toAbsolutePath(), Map.of(), command.toArray(String[]::new));
    }

    /** Returns the directory of a Java that can run the program, if this machine has one. */
    public Optional<Path> home() throws IOException {
      if (Runtime.version().feature() >= java) {
        return Optional.of(JAVA_HOME);
      }
      Path all = Path.of("/usr/lib/jvm");
      if (!Files.isDirectory(all)) {
        return Optional.empty();
      }
      try (Stream<Path> homes = Files.list(all)) {
        return homes
            .filter(home -> version(home) >= java)
            .max(Comparator.comparingInt(Program::version));
      }
    }

    private static int version(Path home) {
      try {
        Matcher version =
            Pattern.compile("JAVA_VERSION=\"(\\d+)")
                .matcher(Files.readString(home.resolve("release")));
        boolean complete = Files.isExecutable(home.resolve("bin/javac"));
        return complete && version.find() ? Integer.parseInt(version.group(1)) : 0;
      } catch (IOException e) {
        return 0; // not a JDK
      }
    }
  }

  public static List<Program> of(Path page) throws IOException {
    List<Program> programs = new ArrayList<>();
    Matcher program = PROGRAM.matcher(Files.readString(page, UTF_8));
    while (program.find()) {
      int java = program.group(2) == null ? 17 : Integer.parseInt(program.group(2));
      List<String> outputs =
          program.group(5) == null
              ? List.of(program.group(4))
              : List.of(program.group(4), program.group(5));
      programs.add(new Program(program.group(1), java, program.group(3), outputs));
    }
    return programs;
  }

  private static String output(Path directory, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path messages = Files.createTempFile("stderr", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(messages.toFile()); // a library may have something to say there
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (Patience.exitCode(process) != 0) {
        throw new AssertionError(
            List.of(command) + " has failed: " + output + Files.readString(messages, UTF_8));
      }
      return output;
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(messages);
    }
  }
}
