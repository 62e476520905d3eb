package dev.unseen.lab.output;

import dev.unseen.draw.PageTemplate;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a report as one HTML file that opens from disk and loads nothing: see {@link
 * PageTemplate}.
 */
public final class Page {
  private Page() {}

  /**
   * Writes the page. If it fails, the old page stays.
   *
   * @param name of the page's own text and script, {@code NAME.html} and {@code NAME.js}, which
   *     {@code page.html} contains
   * @param reportJson the report, in the form that the head of the script describes
   */
  public static void write(Path indexHtml, String name, String title, String reportJson)
      throws IOException {
    PageTemplate page =
        new PageTemplate(Page.class).text("title", title).json("report", reportJson);
    page.html("content", page.fill(name + ".html").stripTrailing());
    page.html("script", page.fill(name + ".js").stripTrailing());
    WholeFile.write(indexHtml, page.fill("page.html"));
  }
}
