package dev.unseen.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Run by the build: writes the manual page and the completions for shells. */
public final class Manual {
  private Manual() {}

  /** Writes them below the directory that is named, where systems look for them. */
  public static void main(String[] args) throws IOException {
    Path share = Path.of(args[0]);
    write(share.resolve("man/man1/unseen.1"), ManPage.of(Arguments.spec(), version()));
    write(share.resolve("bash-completion/completions/unseen"), Completions.bash(Arguments.spec()));
    write(share.resolve("zsh/site-functions/_unseen"), Completions.zsh(Arguments.spec()));
    write(
        share.resolve("fish/vendor_completions.d/unseen.fish"), Completions.fish(Arguments.spec()));
  }

  private static String version() throws IOException {
    return new Version().getVersion()[0];
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
