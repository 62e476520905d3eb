package dev.unseen.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Node;

/**
 * The pages in groups, as the front page lists them: below its last heading of the second level
 * each heading of the third is a group, and the first link of each item is a page.
 */
final class Navigation {
  /** Where documents are that the front page does not list. */
  private static final String UNLISTED = "More";

  record Entry(String title, Document document) {}

  record Group(String name, List<Entry> entries) {}

  private final List<Group> groups = new ArrayList<>();

  static Navigation read(DocumentTree tree) throws IOException {
    Navigation navigation = new Navigation();
    Document home = tree.home();
    for (Node node = start(home); node != null; node = node.getNext()) {
      if (node instanceof Heading heading) {
        navigation.groups.add(new Group(PlainText.of(heading), new ArrayList<>()));
      } else if (!navigation.groups.isEmpty()) {
        for (Link link : firstLinks(node)) {
          navigation.enter(tree, home, link);
        }
      }
    }
    navigation.addUnlisted(tree);
    return navigation;
  }

  private static Node start(Document home) {
    Node start = null;
    for (Anchor each : home.anchors()) {
      if (each.level() == 2) {
        start = each.heading().getNext();
      }
    }
    return start;
  }

  private static List<Link> firstLinks(Node node) {
    List<Link> links = new ArrayList<>();
    node.accept(
        new AbstractVisitor() {
          private boolean found;

          @Override
          public void visit(ListItem item) {
            found = false;
            visitChildren(item);
          }

          @Override
          public void visit(Link link) {
            if (!found) {
              links.add(link);
            }
            found = true;
          }
        });
    return links;
  }

  private void enter(DocumentTree tree, Document home, Link link) throws IOException {
    String path =
        Path.of(home.source())
            .resolveSibling(link.getDestination())
            .normalize()
            .toString()
            .replace('\\', '/');
    Document document = tree.at(path);
    if (document != null) { // a dead link is reported when the page is made
      groups.get(groups.size() - 1).entries().add(new Entry(PlainText.of(link), document));
    }
  }

  private void addUnlisted(DocumentTree tree) {
    List<Entry> unlisted = new ArrayList<>();
    for (Document each : tree.all()) {
      boolean top = each.source().matches("(docs/)?[^/]+\\.md");
      if (top && each.isPage() && !each.isHome() && groupOf(each) == null) {
        unlisted.add(new Entry(each.title(), each));
      }
    }
    if (!unlisted.isEmpty()) {
      groups.add(new Group(UNLISTED, unlisted));
    }
  }

  List<Group> groups() {
    return groups;
  }

  /** Returns the group of a document, or null if it is in none. */
  Group groupOf(Document document) {
    return groups.stream()
        .filter(group -> group.entries().stream().anyMatch(e -> e.document() == document))
        .findFirst()
        .orElse(null);
  }

  /** Returns all pages in the order in which they are read. */
  List<Entry> sequence() {
    return groups.stream().flatMap(group -> group.entries().stream()).toList();
  }
}
