package dev.unseen.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.CustomBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;

final class Document {
  /** The directory whose documents make the site. */
  static final String DOCS = "docs/";

  private static final String README = "README.md";
  private static final Parser PARSER =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();

  private final String source;
  private final Node tree;
  private final List<Anchor> anchors = new ArrayList<>();

  /**
   * Parses a document.
   *
   * @param source its path in the tree, with slashes
   */
  Document(String source, String markdown) {
    this.source = source;
    this.tree = PARSER.parse(markdown);
    Anchor.Names names = new Anchor.Names();
    tree.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String text = PlainText.of(heading);
            anchors.add(new Anchor(heading, text, names.next(text)));
          }

          @Override
          public void visit(CustomBlock block) {
            if (block instanceof TableBlock) {
              WideTable.around(block);
            }
          }
        });
  }

  String source() {
    return source;
  }

  Node tree() {
    return tree;
  }

  List<Anchor> anchors() {
    return anchors;
  }

  Set<String> ids() {
    return anchors.stream().map(Anchor::id).collect(Collectors.toSet());
  }

  String title() {
    return anchors.isEmpty() ? source : anchors.get(0).text();
  }

  /** Returns whether this is the front page, which lists all others. */
  boolean isHome() {
    return source.equals(DOCS + README);
  }

  /** Returns whether the site has a page of it. The README of the tree has its own front page. */
  boolean isPage() {
    return !source.equals(README);
  }

  String page() {
    return isPage() ? page(source) : "index.html";
  }

  private static String page(String source) {
    if (source.equals(README) || source.endsWith("/" + README)) {
      String directory = source.substring(0, source.length() - README.length());
      return inSite(directory) + "index.html";
    }
    String name = source.substring(0, source.length() - ".md".length());
    // The files of the tree's root shout their names; their pages need not.
    return (name.contains("/") ? inSite(name) : name.toLowerCase(Locale.ROOT)) + ".html";
  }

  /**
   * Returns the path in the site of a path in the tree: without {@code docs/}, or in a separate
   * directory.
   */
  static String inSite(String path) {
    return path.startsWith(DOCS) ? path.substring(DOCS.length()) : "tree/" + path;
  }

  @Override
  public String toString() {
    return source;
  }
}
