package dev.unseen.cli.install;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says below which directory the program is installed. */
final class Prefix {
  @Option(
      names = "--prefix",
      paramLabel = "DIR",
      description =
          "Use the directories bin, lib and share below DIR. Default: ~/.local, for one user;"
              + " /usr/local is for all.")
  private String directory = "~/.local";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  @SuppressWarnings("unused") // picocli asks the annotation, not the field
  private boolean help;

  /** Returns the directory. A shell leaves the ~ of {@code --prefix=~/x} as it is. */
  Path path() {
    if (directory.isEmpty()) {
      throw new IllegalArgumentException("--prefix '' is no directory; name one, such as ~/.local");
    }
    Path home = Path.of(System.getProperty("user.home"));
    Path path =
        directory.equals("~")
            ? home
            : directory.startsWith("~/")
                ? home.resolve(directory.substring(2))
                : Path.of(directory);
    return path.toAbsolutePath().normalize();
  }
}
