package dev.unseen.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Turns the links of documents into links of pages, and remembers those that lead nowhere. */
final class Links {
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

  private final DocumentTree tree;
  private final Map<String, Path> files = new TreeMap<>();
  private final List<String> dead = new ArrayList<>();

  Links(DocumentTree tree) {
    this.tree = tree;
  }

  Path root() {
    return tree.root();
  }

  /** Returns the files that pages link to, by their path in the site. */
  Map<String, Path> files() {
    return files;
  }

  /** Returns what leads nowhere, with its document and the reason. */
  List<String> dead() {
    return dead;
  }

  static boolean isElsewhere(String destination) {
    return ELSEWHERE.matcher(destination).matches();
  }

  /**
   * Returns where a link of a document leads from the document's page, or nothing if it leads to a
   * directory of the tree that has no documents: the site has no page of that.
   */
  String resolve(Document from, String destination) throws IOException {
    if (isElsewhere(destination)) {
      return destination;
    }
    int hash = destination.indexOf('#');
    String path = hash < 0 ? destination : destination.substring(0, hash);
    String fragment = hash < 0 ? "" : destination.substring(hash + 1);
    Document target = from;
    if (!path.isEmpty()) {
      String inTree = inTree(from, path);
      target = inTree == null ? null : tree.at(inTree);
      if (target == null) {
        return file(from, destination, inTree);
      }
    }
    if (!fragment.isEmpty() && !target.ids().contains(fragment)) {
      return isDead(from, destination, target + " has no heading '#" + fragment + "'");
    }
    String page = path.isEmpty() ? "" : relative(from.page(), target.page());
    return page + (fragment.isEmpty() ? "" : "#" + fragment);
  }

  private String file(Document from, String destination, String inTree) {
    if (inTree != null && Files.isDirectory(tree.root().resolve(inTree))) {
      return "";
    }
    if (inTree == null || !Files.isRegularFile(tree.root().resolve(inTree))) {
      return isDead(from, destination, "there is no such file");
    }
    if (destination.contains("#")) {
      return isDead(from, destination, "only headings of documents can be linked to");
    }
    String inSite = Document.inSite(inTree);
    files.put(inSite, tree.root().resolve(inTree));
    return relative(from.page(), inSite);
  }

  /** Returns the path in the tree, or null if it is outside. */
  private static String inTree(Document from, String path) {
    try {
      Path here = Path.of(from.source()).resolveSibling(path).normalize();
      String inTree = here.toString().replace('\\', '/');
      return inTree.startsWith("..") || here.isAbsolute() ? null : inTree;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private String isDead(Document from, String destination, String reason) {
    dead.add("%s: '%s' leads nowhere: %s".formatted(from, destination, reason));
    return "#";
  }

  /** Returns the way from one page of the site to another. */
  static String relative(String from, String to) {
    Path directory = Path.of("/" + from).getParent();
    return directory.relativize(Path.of("/" + to)).toString().replace('\\', '/');
  }
}
