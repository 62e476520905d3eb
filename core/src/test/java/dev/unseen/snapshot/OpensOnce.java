package dev.unseen.snapshot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Opens a state file once, as another process, and prints what comes of it. */
final class OpensOnce {
  private OpensOnce() {}

  public static void main(String[] args) {
    try (StateFile file = StateFile.open(Path.of(args[0]))) {
      System.out.println("opened " + file.path().getFileName());
    } catch (IOException e) {
      System.out.println(e.getMessage());
    }
  }

  /** Returns what another process prints. */
  static String inAnotherProcess(Path path) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                OpensOnce.class.getName(),
                path.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
