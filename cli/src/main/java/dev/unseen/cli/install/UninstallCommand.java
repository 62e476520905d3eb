package dev.unseen.cli.install;

import dev.unseen.commands.CliException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code unseen uninstall}: deletes what {@code unseen install} has written, and nothing else. */
@Command(
    name = "uninstall",
    description = {
      "Deletes what unseen install has written, and nothing else.",
      "A file that was changed since is kept, with a message. Secrets and states are kept, too."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:All files are deleted.",
      "1:A file could not be deleted.",
      "2:Nothing is installed there."
    },
    footer = {"", "Examples:", "  unseen uninstall", "  sudo unseen uninstall --prefix /usr/local"})
public final class UninstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private Prefix prefix;

  @Override
  public Integer call() throws IOException, CliException {
    Path below = prefix.path();
    Manifest manifest = Manifest.read(below);
    if (manifest.isEmpty()) {
      throw CliException.usage(
          "unseen is not installed below %s (there is no %s); name the place with --prefix"
              .formatted(below, Manifest.PLACE),
          null);
    }
    // This program may be the one that goes: what it has to say is ready before.
    PrintWriter out = spec.commandLine().getOut();
    List<String> deleted = new ArrayList<>();
    List<String> kept = new ArrayList<>();
    for (String place : manifest.places()) {
      Path file = below.resolve(place);
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      (manifest.isUnchanged(below, place) ? deleted : kept).add(place);
    }
    out.printf("Deleted %d files below %s.%n", deleted.size(), below);
    for (String place : kept) {
      out.printf("Kept %s: it was changed after it was installed.%n", below.resolve(place));
    }
    for (String place : deleted) {
      Files.delete(below.resolve(place));
    }
    deleteCache(below.resolve(Program.HOME).resolve("cache"));
    Files.delete(below.resolve(Manifest.PLACE));
    for (String place : manifest.directories()) {
      deleteIfEmpty(below.resolve(place).normalize());
    }
    out.flush();
    return 0;
  }

  /** Deletes what the launcher keeps to start faster. */
  private static void deleteCache(Path cache) throws IOException {
    if (Files.isDirectory(cache, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(cache)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Files.delete(cache);
    }
  }

  private static void deleteIfEmpty(Path directory) throws IOException {
    try {
      Files.deleteIfExists(directory);
    } catch (DirectoryNotEmptyException e) {
      // others have put files into it
    }
  }
}
