package dev.unseen.lab.output;

import dev.unseen.draw.PageTemplate;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes the report as one HTML file that opens from disk and loads nothing: see {@link
 * PageTemplate}. The slots of the lab's templates are <code>{{title}}</code> and <code>{{report}}
 * </code>.
 */
public final class Page {
  private Page() {}

  /**
   * Writes the page with the default template. If it fails, the old page stays: the new one is
   * written to another file, which is then renamed.
   *
   * @param reportJson the report, in the form that the head of {@code page.js} describes
   */
  public static void write(Path indexHtml, String title, String reportJson) throws IOException {
    write(indexHtml, "index.html", title, reportJson);
  }

  /** Writes the page with another template of {@code page}, whose script reads the report. */
  public static void write(Path indexHtml, String template, String title, String reportJson)
      throws IOException {
    WholeFile.write(
        indexHtml,
        new PageTemplate(Page.class)
            .text("title", title)
            .json("report", reportJson)
            .fill(template));
  }
}
