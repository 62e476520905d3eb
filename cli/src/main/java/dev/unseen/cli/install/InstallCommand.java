package dev.unseen.cli.install;

import dev.unseen.cli.Version;
import dev.unseen.cli.install.Program.Content;
import dev.unseen.commands.CliException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code unseen install}: copies the program, its manual pages and completions below a prefix. */
@Command(
    name = "install",
    description = {
      "Installs the command, its manual pages and its completions.",
      "The installed program is a copy: what it was installed from can be deleted."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:All files are installed.",
      "1:A file could not be read or written.",
      "2:A file is in the way that unseen has not installed."
    },
    footer = {"", "Examples:", "  ./unseen install", "  sudo ./unseen install --prefix /usr/local"})
public final class InstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private Prefix prefix;

  @Option(names = "--force", description = "Replace files that unseen has not installed.")
  private boolean force;

  @Override
  public Integer call() throws IOException, CliException {
    Path below = prefix.path();
    Program program = Program.running();
    Manifest before = Manifest.read(below);
    Manifest manifest = Manifest.read(below);
    refuseOthers(below, program, before);
    // The manifest comes first: whatever ends this, uninstall finds all that was written.
    manifest.makeDirectory(below, below);
    for (Map.Entry<String, Content> file : program.files().entrySet()) {
      manifest.makeDirectory(below, below.resolve(file.getKey()).getParent());
      manifest.add(file.getKey(), Manifest.hash(file.getValue().bytes()));
    }
    manifest.write(below);
    for (Map.Entry<String, Content> file : program.files().entrySet()) {
      write(below.resolve(file.getKey()), file.getKey(), file.getValue());
    }
    for (String place : before.places()) {
      if (!program.files().containsKey(place)) {
        Files.deleteIfExists(below.resolve(place)); // of an older version
        manifest.remove(place);
      }
    }
    manifest.write(below);
    tell(below, program);
    return 0;
  }

  private void refuseOthers(Path below, Program program, Manifest before) throws CliException {
    List<String> others =
        program.files().keySet().stream()
            .filter(place -> Files.exists(below.resolve(place), LinkOption.NOFOLLOW_LINKS))
            .filter(place -> !before.has(place))
            .toList();
    if (others.isEmpty()) {
      return;
    }
    if (!force) {
      throw CliException.usage(
          "%s exists and was not installed by unseen; move it away, choose another --prefix, or replace it with --force"
              .formatted(below.resolve(others.get(0))),
          null);
    }
    PrintWriter out = spec.commandLine().getOut();
    others.forEach(place -> out.printf("Replaced %s, which unseen had not installed.%n", place));
  }

  /** Puts a file in its place in one step: a program that runs keeps the one it has opened. */
  private static void write(Path file, String place, Content content) throws IOException {
    Path fresh = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    if (place.equals(Program.COMMAND)) {
      Files.createSymbolicLink(fresh, Path.of("..", Program.LAUNCHER));
    } else {
      Files.write(fresh, content.bytes());
      boolean runs = place.equals(Program.LAUNCHER) || content.isExecutable();
      setMode(fresh, runs ? "rwxr-xr-x" : "rw-r--r--");
    }
    Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void setMode(Path file, String mode) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString(mode));
    }
  }

  private void tell(Path below, Program program) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("Installed %s below %s:%n", new Version().getVersion()[0], below);
    row(out, Program.COMMAND, "the command");
    row(out, Program.HOME, "its jars, and the list of all files: " + Manifest.PLACE);
    int pages = 0;
    for (String place : program.files().keySet()) {
      if (place.startsWith("share/man/")) {
        pages++;
      } else if (place.startsWith("share/")) {
        row(out, place, "completions");
      }
    }
    row(out, "share/man/man1/unseen*.1", pages + " manual pages");
    Path bin = below.resolve("bin");
    if (!isListed("PATH", bin)) {
      out.printf("To run it as unseen, add it to your PATH:%n  export PATH=\"%s:$PATH\"%n", bin);
    }
    Path man = below.resolve("share/man");
    String pagesPath = System.getenv("MANPATH"); // without it, man looks beside each bin of PATH
    if (pagesPath != null && !pagesPath.isEmpty() && !isListed("MANPATH", man)) {
      out.printf("To read the pages, add them to your MANPATH:%n");
      out.printf("  export MANPATH=\"%s:$MANPATH\"%n", man);
    }
    String shell = System.getenv("SHELL");
    if (shell != null && shell.endsWith("/zsh") && !below.startsWith("/usr")) {
      out.printf("For completions in zsh, add this to ~/.zshrc, before compinit:%n");
      out.printf("  fpath=(\"%s\" $fpath)%n", below.resolve("share/zsh/site-functions"));
    }
    String prefix = below.toString();
    String typed = prefix.matches("[\\w/.+~-]+") ? prefix : '"' + prefix + '"';
    out.printf("To remove it: unseen uninstall --prefix %s%n", typed);
    out.flush();
  }

  private static void row(PrintWriter out, String place, String what) {
    out.printf("  %-44s %s%n", place, what);
  }

  private static boolean isListed(String variable, Path directory) {
    String list = System.getenv(variable);
    return list != null
        && Arrays.stream(list.split(":", -1)).anyMatch(one -> isSame(one, directory));
  }

  private static boolean isSame(String one, Path other) {
    try {
      return !one.isEmpty() && Files.isSameFile(Path.of(one), other);
    } catch (IOException e) {
      return false; // it is not there
    }
  }
}
