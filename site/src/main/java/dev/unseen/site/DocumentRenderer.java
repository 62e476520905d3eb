package dev.unseen.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;

/** Makes the HTML of one document: its links lead to pages, its code has colors. */
final class DocumentRenderer {
  /** A number and its sign, between which a line must not end. */
  private static final Pattern PERCENT = Pattern.compile("([0-9]) %");

  private static final int LONGEST_SHORT_CODE = 16;

  private final Document document;
  private final Links links;
  private final HtmlRenderer renderer;

  DocumentRenderer(Document document, Links links) {
    this.document = document;
    this.links = links;
    this.renderer =
        HtmlRenderer.builder()
            .extensions(List.of(TablesExtension.create()))
            .nodeRendererFactory(Special::new)
            .attributeProviderFactory(context -> DocumentRenderer::keepShortCodeOnOneLine)
            .escapeHtml(true)
            .build();
  }

  /** A browser would break {@code --dir} after its hyphens. */
  private static void keepShortCodeOnOneLine(
      Node node, String tag, Map<String, String> attributes) {
    if (node instanceof Code code && code.getLiteral().length() <= LONGEST_SHORT_CODE) {
      attributes.put("class", "short");
    }
  }

  /** Returns the HTML of the document; the front page is divided into sections and cards. */
  String render() {
    return document.isHome() ? inParts() : renderer.render(document.tree());
  }

  private String inParts() {
    StringBuilder html = new StringBuilder("<section class=\"part hero\">\n");
    boolean inCard = false;
    for (Node node = document.tree().getFirstChild(); node != null; node = node.getNext()) {
      int level = node instanceof Heading heading ? heading.getLevel() : 0;
      if (inCard && (level == 2 || level == 3)) {
        html.append("</div>\n");
        inCard = false;
      }
      if (level == 2) {
        html.append("</section>\n<section class=\"part ");
        html.append(idOf((Heading) node)).append("\">\n");
      } else if (level == 3) {
        html.append("<div class=\"card\">\n");
        inCard = true;
      }
      html.append(renderer.render(node));
    }
    return html.append(inCard ? "</div>\n" : "").append("</section>\n").toString();
  }

  @SuppressWarnings("ReferenceEquality") // two headings may have the same text
  private String idOf(Heading heading) {
    return document.anchors().stream()
        .filter(anchor -> anchor.heading() == heading)
        .findFirst()
        .orElseThrow()
        .id();
  }

  private String resolve(String destination) {
    try {
      return links.resolve(document, destination);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The nodes that look other than usual. */
  private final class Special implements NodeRenderer {
    private final HtmlNodeRendererContext context;
    private final HtmlWriter html;

    Special(HtmlNodeRendererContext context) {
      this.context = context;
      this.html = context.getWriter();
    }

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
      return Set.of(
          Heading.class,
          Link.class,
          Image.class,
          FencedCodeBlock.class,
          WideTable.class,
          Text.class);
    }

    @Override
    public void render(Node node) {
      if (node instanceof Heading heading) {
        heading(heading);
      } else if (node instanceof Link link) {
        link(link);
      } else if (node instanceof Image image) {
        image(image);
      } else if (node instanceof FencedCodeBlock code) {
        code(code);
      } else if (node instanceof Text text) {
        html.text(PERCENT.matcher(text.getLiteral()).replaceAll("$1\u00a0%"));
      } else {
        html.line();
        html.tag("div", Map.of("class", "scroller", "tabindex", "0"));
        children(node);
        html.tag("/div");
        html.line();
      }
    }

    private void heading(Heading heading) {
      String id = idOf(heading);
      String tag = "h" + heading.getLevel();
      html.line();
      html.tag(tag, Map.of("id", id));
      children(heading);
      if (heading.getLevel() > 1) {
        html.tag(
            "a", attributes("class", "anchor", "href", "#" + id, "aria-label", "Link to this"));
        html.text("#");
        html.tag("/a");
      }
      html.tag("/" + tag);
      html.line();
    }

    private void link(Link link) {
      String target = resolve(link.getDestination());
      if (target.isEmpty()) {
        children(link);
        return;
      }
      html.tag("a", Map.of("href", target));
      children(link);
      html.tag("/a");
    }

    private void image(Image image) {
      String source = resolve(image.getDestination());
      String themed = themed(image.getDestination());
      if (themed != null) {
        html.raw(themed);
        return;
      }
      html.tag("a", attributes("class", "picture", "href", source));
      html.tag(
          "img", attributes("src", source, "alt", PlainText.of(image), "loading", "lazy"), true);
      html.tag("/a");
    }

    /**
     * Returns the text of a drawing that follows the page's colors, which must be inside the page,
     * and of its form for phones, {@code NAME-tall.svg}, if there is one; or null.
     */
    private String themed(String destination) {
      Path file = links.root().resolve(document.source()).resolveSibling(destination).normalize();
      if (!destination.endsWith(".svg") || !Files.isRegularFile(file)) {
        return null;
      }
      try {
        String svg = Files.readString(file, UTF_8);
        if (!svg.contains("class=\"themed\"")) {
          return null;
        }
        String name = file.getFileName().toString();
        Path tall = file.resolveSibling(name.replaceFirst("\\.svg$", "-tall.svg"));
        return Files.isRegularFile(tall) ? svg + Files.readString(tall, UTF_8) : svg;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void code(FencedCodeBlock block) {
      String language = block.getInfo() == null ? "" : block.getInfo().strip();
      html.line();
      html.tag("div", attributes("class", "code", "data-language", language));
      html.tag("pre", Map.of("tabindex", "0"));
      html.tag("code");
      html.raw(Highlighter.html(language, block.getLiteral()));
      html.tag("/code");
      html.tag("/pre");
      html.tag("/div");
      html.line();
    }

    private void children(Node parent) {
      for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
        context.render(node);
      }
    }
  }

  private static Map<String, String> attributes(String... namesAndValues) {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      attributes.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return attributes;
  }
}
