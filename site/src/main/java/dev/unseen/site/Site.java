package dev.unseen.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.draw.PageTemplate;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes the site of a tree.
 *
 * <p>A document is read once, and turned into a page. Its links are followed on the way: a document
 * that is linked to becomes a page too, wherever it is in the tree, and any other file is copied. A
 * link that leads nowhere, to a file or to a heading, stops the build, with all such links named.
 */
final class Site {
  /**
   * The weight of search results in pages that readers do not start with: records of decisions,
   * long tables.
   */
  private static final double ASIDE = 0.4;

  private static final String STYLE = "assets/site.css";
  private static final String BAR = "<header class=\"bar\">";

  private final Map<String, byte[]> files = new TreeMap<>();
  private int pages;

  private Site() {}

  static Site of(Path root) throws IOException {
    Site site = new Site();
    DocumentTree tree = DocumentTree.read(root);
    Navigation navigation = Navigation.read(tree);
    Links links = new Links(tree);
    site.addPages(tree, navigation, links);
    Map<String, Path> copied = new TreeMap<>(links.files());
    for (Map.Entry<String, Path> file : links.files().entrySet()) {
      addTablesBeside(file.getKey(), file.getValue(), copied);
    }
    for (Map.Entry<String, Path> file : copied.entrySet()) {
      site.copy(file.getKey(), file.getValue());
    }
    site.addAssets();
    if (!links.dead().isEmpty()) {
      throw new IOException(
          "%d links lead nowhere:%n%s"
              .formatted(links.dead().size(), String.join("\n", links.dead())));
    }
    return site;
  }

  private void addPages(DocumentTree tree, Navigation navigation, Links links) throws IOException {
    PageWriter writer = new PageWriter(tree, navigation, links);
    Map<Document, String> done = new LinkedHashMap<>();
    boolean found = true;
    while (found) { // a page may lead to documents that were not known before
      found = false;
      for (Document document : tree.all()) {
        if (!done.containsKey(document)) {
          done.put(document, writer.write(document));
          found = true;
        }
      }
    }
    SearchIndex index = new SearchIndex();
    for (Document document : tree.all()) {
      if (document.isPage()) {
        add(document.page(), done.get(document).getBytes(UTF_8));
        pages++;
        Navigation.Group group = navigation.groupOf(document);
        Document parent = tree.parentOf(document);
        String place = group != null ? group.name() : parent != null ? parent.title() : "";
        if (!document.isHome()) {
          index.add(document, place, group != null ? 1 : ASIDE);
        }
      }
    }
    add("assets/search-index.js", index.script().getBytes(UTF_8));
  }

  private void addAssets() throws IOException {
    add(STYLE, new PageTemplate(Site.class).fill("site.css").getBytes(UTF_8));
    add("assets/site.js", new PageTemplate(Site.class).fill("site.js").getBytes(UTF_8));
  }

  /** Adds the CSV files in the directory of a page of the lab, because its script links to them. */
  private static void addTablesBeside(String path, Path file, Map<String, Path> copied)
      throws IOException {
    if (!path.endsWith(".html")) {
      return;
    }
    String directory = path.substring(0, path.lastIndexOf('/') + 1);
    try (DirectoryStream<Path> tables = Files.newDirectoryStream(file.getParent(), "*.csv")) {
      for (Path table : tables) {
        copied.put(directory + table.getFileName(), table);
      }
    }
  }

  /** Copies a file. A page of the lab gets a link back to the docs. */
  private void copy(String path, Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (path.endsWith(".html")) {
      String page = new String(bytes, UTF_8);
      String back =
          "<a style=\"font-size:14px;white-space:nowrap\" href=\"%s\">‹ Docs</a>"
              .formatted(Links.relative(path, "index.html"));
      bytes = page.replaceFirst(BAR, BAR + back).getBytes(UTF_8);
    }
    add(path, bytes);
  }

  private void add(String path, byte[] bytes) throws IOException {
    if (files.put(path, bytes) != null) {
      throw new IOException("two files of the tree would be '%s' of the site".formatted(path));
    }
  }

  int pages() {
    return pages;
  }

  /** Writes the site to a directory, in place of an older one. */
  void write(Path directory) throws IOException {
    deleteOlder(directory);
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
  }

  private static void deleteOlder(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> inside = Files.walk(directory)) {
      List<Path> older =
          inside.filter(file -> !file.equals(directory)).sorted(Comparator.reverseOrder()).toList();
      if (!older.isEmpty() && !Files.isRegularFile(directory.resolve(STYLE))) {
        throw new IOException(
            "'%s' has files and is not a site; they are not deleted: choose another directory"
                .formatted(directory));
      }
      for (Path each : older) {
        Files.delete(each);
      }
    }
  }
}
