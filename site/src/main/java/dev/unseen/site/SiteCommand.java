package dev.unseen.site;

import java.io.IOException;
import java.nio.file.Path;

/** Writes the site: {@code SiteCommand TREE DIRECTORY}. */
public final class SiteCommand {
  private SiteCommand() {}

  /**
   * Writes the site of a tree to a directory, or fails with a message that names every link that
   * leads nowhere.
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException(
          "needs the root of the tree and a directory for the site, but got %d arguments"
              .formatted(args.length));
    }
    Path directory = Path.of(args[1]).normalize();
    Site site = Site.of(Path.of(args[0]).toAbsolutePath().normalize());
    site.write(directory);
    System.out.printf("%d pages: open %s%n", site.pages(), directory.resolve("index.html"));
  }
}
