package dev.unseen.site;

import dev.unseen.draw.PageTemplate;
import dev.unseen.draw.SvgWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Puts a document into the frame that all pages share: bar, navigation, contents, and what is next.
 */
final class PageWriter {
  private static final int DESCRIPTION = 200;

  private final DocumentTree tree;
  private final Navigation navigation;
  private final Links links;

  PageWriter(DocumentTree tree, Navigation navigation, Links links) {
    this.tree = tree;
    this.navigation = navigation;
    this.links = links;
  }

  String write(Document document) throws IOException {
    String root = Links.relative(document.page(), "").concat("/");
    String title = document.isHome() ? "Unseen" : document.title() + " · Unseen";
    return new PageTemplate(PageWriter.class)
        .text("title", title)
        .text("description", shortened(PlainText.firstParagraph(document.tree())))
        .text("root", root.equals("/") ? "" : root)
        .text("kind", document.isHome() ? "home" : "page")
        .html("navigation", navigation(document))
        .html("crumbs", crumbs(document))
        .html("content", new DocumentRenderer(document, links).render())
        .html("contents", contents(document))
        .html("around", around(document))
        .html("source", source(document))
        .fill("page.html");
  }

  private static String shortened(String text) {
    if (text.length() <= DESCRIPTION) {
      return text;
    }
    return text.substring(0, text.lastIndexOf(' ', DESCRIPTION)) + " ...";
  }

  private String navigation(Document document) {
    Document shown = shownFor(document);
    StringBuilder html = new StringBuilder();
    for (Navigation.Group group : navigation.groups()) {
      html.append("<h2>").append(SvgWriter.escape(group.name())).append("</h2>\n<ul>\n");
      for (Navigation.Entry entry : group.entries()) {
        boolean here = entry.document() == shown;
        html.append("<li>")
            .append(
                link(
                    document,
                    entry.document(),
                    entry.title(),
                    here ? " aria-current=\"page\"" : ""))
            .append("</li>\n");
      }
      html.append("</ul>\n");
    }
    return html.toString();
  }

  /** Returns the document itself if the navigation has it, or the one above it that it has. */
  private Document shownFor(Document document) {
    Document shown = document;
    while (shown != null && navigation.groupOf(shown) == null) {
      shown = tree.parentOf(shown);
    }
    return shown;
  }

  private String crumbs(Document document) {
    Document shown = shownFor(document);
    if (document.isHome() || shown == null) {
      return "";
    }
    String group = SvgWriter.escape(navigation.groupOf(shown).name());
    if (shown == document) {
      return group;
    }
    return group + " <span>/</span> " + link(document, shown, shown.title(), "");
  }

  private static String contents(Document document) {
    StringBuilder html = new StringBuilder();
    for (Anchor anchor : document.anchors()) {
      if (anchor.level() == 2 || anchor.level() == 3) {
        html.append(
            "<li class=\"level-%d\"><a href=\"#%s\">%s</a></li>%n"
                .formatted(anchor.level(), anchor.id(), SvgWriter.escape(anchor.text())));
      }
    }
    return html.toString();
  }

  private String around(Document document) {
    List<Document> sequence =
        navigation.sequence().stream().map(Navigation.Entry::document).toList();
    int here = sequence.indexOf(document);
    if (here < 0) {
      String source = document.source();
      int slash = source.lastIndexOf('/');
      sequence = slash < 0 ? List.of() : tree.inside(source.substring(0, slash));
      here = sequence.indexOf(document);
    }
    if (here < 0) {
      return "";
    }
    StringBuilder html = new StringBuilder();
    if (here > 0) {
      html.append(neighbour(document, sequence.get(here - 1), "previous", "Previous"));
    }
    if (here + 1 < sequence.size()) {
      html.append(neighbour(document, sequence.get(here + 1), "next", "Next"));
    }
    return html.toString();
  }

  private String neighbour(Document from, Document to, String kind, String label) {
    String title =
        navigation.sequence().stream()
            .filter(entry -> entry.document() == to)
            .map(Navigation.Entry::title)
            .findFirst()
            .orElse(to.title());
    return "<a class=\"%s\" rel=\"%s\" href=\"%s\"><small>%s</small>%s</a>%n"
        .formatted(
            kind,
            kind.equals("next") ? "next" : "prev",
            Links.relative(from.page(), to.page()),
            label,
            SvgWriter.escape(title));
  }

  private static String link(Document from, Document to, String title, String more) {
    return "<a href=\"%s\"%s>%s</a>"
        .formatted(Links.relative(from.page(), to.page()), more, SvgWriter.escape(title));
  }

  /** Returns what a page was made from; the listing of a directory has no source file. */
  private String source(Document document) {
    Path file = tree.root().resolve(document.source());
    Path made = Files.exists(file) ? file : file.getParent();
    return "<code>" + SvgWriter.escape(tree.pathOf(made)) + "</code>";
  }
}
