package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.unseen.lab.output.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PageTest {
  /** An address that a browser would load by itself. */
  private static final Pattern LOADS =
      Pattern.compile(
          "(?:src|srcset|href)\\s*=\\s*[\"']?(?:https?:)?//"
              + "|url\\(\\s*[\"']?(?:https?:)?//"
              + "|@import|fetch\\(|XMLHttpRequest|new WebSocket|importScripts|sendBeacon",
          Pattern.CASE_INSENSITIVE);

  @TempDir Path directory;

  @Test
  void text_that_looks_like_markup_stays_text() throws IOException {
    String json = "{\"title\": \"</script><script>alert(1)</script><!--<script>\"}";

    String page = write("Bits & <b>bytes</b>", json);

    assertThat(page)
        .contains("<title>Bits &amp; &lt;b&gt;bytes&lt;/b&gt;</title>")
        .contains(
            "\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--\\u003cscript>\"")
        .doesNotContain("alert(1)</script>");
    // As many scripts begin as the template has, and each ends once: no text of ours or of the
    // chart library ends one early.
    assertThat(Pattern.compile("<script[ >]").matcher(page).results().count()).isEqualTo(5);
    assertThat(Pattern.compile("</script").matcher(page).results().count()).isEqualTo(5);
  }

  @Test
  void slots_in_the_report_are_not_filled() throws IOException {
    assertThat(write("{{page.css}}", "{\"title\": \"{{title}} $1 \\\\ {{report}}\"}"))
        .contains("<title>{{page.css}}</title>")
        .contains("{\"title\": \"{{title}} $1 \\\\ {{report}}\"}");
  }

  @Test
  void everything_is_inside_and_nothing_is_loaded() throws IOException {
    String page = Files.readString(ReproducedPage.all(directory));

    assertThat(page)
        .contains("Licensed to the Apache Software Foundation", "The Apache Software Foundation")
        .contains("default-src 'none'")
        .doesNotContain("${echarts", "{{page", "{{charts")
        .doesNotContainPattern("<script[^>]+src");
    assertThat(LOADS.matcher(page).results().map(hit -> hit.group())).isEmpty();
  }

  @Test
  void a_page_is_replaced_and_nothing_is_left_beside_it() throws IOException {
    write("First", "{}");
    assertThat(write("Second", "{}")).contains("<title>Second</title>");

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("index.html"));
    }
  }

  @Test
  void a_page_that_cannot_be_put_in_place_leaves_what_was_there() throws IOException {
    Path occupied = Files.createDirectories(directory.resolve("index.html/kept"));

    assertThatIOException().isThrownBy(() -> write("Report", "{}"));

    assertThat(occupied).exists();
    assertThat(directory.resolve("index.html.part")).doesNotExist();
  }

  private String write(String title, String json) throws IOException {
    Path index = directory.resolve("index.html");
    Page.write(index, "reproduction", title, json);
    return Files.readString(index);
  }
}
