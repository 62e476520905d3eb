package dev.unseen.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All documents of the tree: those of its root, and those below {@code docs/}. */
final class DocumentTree {
  private static final String SITE = Document.DOCS + "site";

  private final Path root;
  private final Map<String, Document> documents = new TreeMap<>();

  private DocumentTree(Path root) {
    this.root = root;
  }

  static DocumentTree read(Path root) throws IOException {
    DocumentTree tree = new DocumentTree(root);
    tree.addAll(root, 1);
    tree.addAll(root.resolve("docs"), Integer.MAX_VALUE);
    if (tree.documents.get(Document.DOCS + "README.md") == null) {
      throw new IOException("docs/README.md is missing; it is the front page and lists all others");
    }
    return tree;
  }

  private void addAll(Path directory, int depth) throws IOException {
    try (Stream<Path> files = Files.walk(directory, depth)) {
      for (Path file : files.sorted().toList()) {
        String source = pathOf(file);
        if (source.endsWith(".md") && !source.startsWith(SITE + "/")) {
          add(source);
        }
      }
    }
  }

  Path root() {
    return root;
  }

  Collection<Document> all() {
    return List.copyOf(documents.values());
  }

  Document home() {
    return documents.get(Document.DOCS + "README.md");
  }

  /** Returns a path in the tree, with slashes. */
  String pathOf(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  /**
   * Returns the document at a path of the tree, or null if there is none. A directory is its README
   * or, without one, a list of its documents.
   */
  Document at(String path) throws IOException {
    if (documents.containsKey(path)) {
      return documents.get(path);
    }
    Path file = root.resolve(path);
    if (path.endsWith(".md") && Files.isRegularFile(file)) {
      return add(path);
    }
    return Files.isDirectory(file) ? list(path) : null;
  }

  private Document add(String source) throws IOException {
    Document document = new Document(source, Files.readString(root.resolve(source), UTF_8));
    documents.put(source, document);
    return document;
  }

  private Document list(String directory) {
    String source = directory + "/README.md";
    if (documents.containsKey(source)) {
      return documents.get(source);
    }
    List<Document> inside = inside(directory);
    if (inside.isEmpty()) {
      return null;
    }
    String name = directory.substring(directory.lastIndexOf('/') + 1);
    StringBuilder markdown = new StringBuilder();
    markdown.append("# ").append(Character.toUpperCase(name.charAt(0))).append(name.substring(1));
    markdown.append("\n\nThe documents in `").append(directory).append("`, in order.\n\n");
    for (Document each : inside) {
      String file = each.source().substring(directory.length() + 1);
      // The title has a number; a backslash keeps Markdown from taking the dot for a list's.
      String title = each.title().replace(". ", "\\. ");
      markdown.append("- [").append(title).append("](").append(file).append(")\n");
    }
    Document list = new Document(source, markdown.toString());
    documents.put(source, list);
    return list;
  }

  /** Returns the documents that lie directly in a directory, but not its README. */
  List<Document> inside(String directory) {
    return documents.values().stream()
        .filter(each -> each.source().startsWith(directory + "/"))
        .filter(each -> each.source().indexOf('/', directory.length() + 1) < 0)
        .filter(each -> !each.source().endsWith("/README.md"))
        .toList();
  }

  /** Returns the document that a document belongs to: of its directory, or null. */
  Document parentOf(Document document) {
    String path = document.source().replaceFirst("/README\\.md$", "");
    while (path.contains("/")) {
      path = path.substring(0, path.lastIndexOf('/'));
      for (String candidate : List.of(path + ".md", path + "/README.md")) {
        Document parent = documents.get(candidate);
        if (parent != null && parent != document && !parent.isHome()) {
          return parent;
        }
      }
    }
    return null;
  }
}
