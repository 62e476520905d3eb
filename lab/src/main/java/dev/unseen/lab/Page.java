package dev.unseen.lab;

import dev.unseen.draw.SvgWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the report as one HTML file that opens from disk and loads nothing: style, scripts, chart
 * library and data are all inside.
 *
 * <p>A template such as {@code page/index.html} has slots: <code>{{title}}</code>, <code>{{report}}
 * </code> and, for anything else, the name of a resource whose text goes there.
 */
public final class Page {
  private static final Pattern SLOT = Pattern.compile("\\{\\{([^{}\\s]+)}}");

  private Page() {}

  /**
   * Writes the page with the default template. If it fails, the old page stays: the new one is
   * written beside it and then renamed.
   *
   * @param reportJson the report, in the form that the head of {@code page.js} describes
   */
  public static void write(Path indexHtml, String title, String reportJson) throws IOException {
    write(indexHtml, "index.html", title, reportJson);
  }

  /** Writes the page with another template of {@code page}, whose script reads the report. */
  public static void write(Path indexHtml, String template, String title, String reportJson)
      throws IOException {
    WholeFile.write(indexHtml, fill(template, title, reportJson));
  }

  private static String fill(String template, String title, String reportJson) throws IOException {
    Matcher slot = SLOT.matcher(resource(template));
    StringBuilder page = new StringBuilder();
    while (slot.find()) {
      String text =
          switch (slot.group(1)) {
            case "title" -> SvgWriter.escape(title);
            case "report" -> escapeScript(reportJson);
            default -> resource(slot.group(1));
          };
      slot.appendReplacement(page, Matcher.quoteReplacement(text));
    }
    return slot.appendTail(page).toString();
  }

  /**
   * Escapes each {@code <}, which in JSON is always inside a string, so that it can neither end the
   * script nor open a comment.
   */
  private static String escapeScript(String json) {
    return json.replace("<", "\\u003c");
  }

  /**
   * Returns the text of a resource. A name with a leading slash is relative to the root of the
   * class path, any other name to {@code page}.
   */
  private static String resource(String name) throws IOException {
    String path = name.startsWith("/") ? name : "page/" + name;
    try (InputStream in = Page.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new FileNotFoundException("resource '%s' of the page is missing".formatted(path));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
