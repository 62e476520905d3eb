package dev.unseen.site;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this tree, as files; and what becomes of a tree with mistakes. */
final class SiteTest {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]*)\"");
  private static final Pattern ID = Pattern.compile("id=\"([^\"]*)\"");

  @TempDir static Path site;

  @BeforeAll
  static void make() throws IOException {
    Site.of(ROOT).write(site);
  }

  /** Found anew in the finished pages, so that an error of those who made the links shows. */
  @Test
  void no_link_of_any_page_is_dead() throws IOException {
    Map<Path, String> pages = pages();
    Map<Path, Set<String>> ids = new TreeMap<>();
    pages.forEach((file, html) -> ids.put(file, all(ID, html)));
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Map.Entry<Path, String> page : pages.entrySet()) {
      for (String link : all(LINK, page.getValue())) {
        if (link.matches("https?:.*|data:.*|mailto:.*")) {
          continue;
        }
        links++;
        String[] parts = link.split("#", 2);
        Path target =
            parts[0].isEmpty() ? page.getKey() : page.getKey().resolveSibling(parts[0]).normalize();
        boolean good =
            Files.isRegularFile(target)
                && target.startsWith(site)
                && (parts.length == 1 || ids.get(target).contains(parts[1]));
        if (!good) {
          dead.add(site.relativize(page.getKey()) + ": " + link);
        }
      }
    }
    assertThat(dead).isEmpty();
    assertThat(links).isGreaterThan(1000);
  }

  @Test
  void pages_load_nothing_from_elsewhere() throws IOException {
    Pattern loads =
        Pattern.compile("<(?:script|img|link|iframe)[^>]*(?:src|href)=\"(?:https?:)?//");
    pages()
        .forEach((file, html) -> assertThat(loads.matcher(html).find()).as("%s", file).isFalse());
  }

  @Test
  void every_document_is_a_page_and_can_be_reached_from_the_first() throws IOException {
    Set<Path> reached = new TreeSet<>();
    List<Path> next = new ArrayList<>(List.of(site.resolve("index.html")));
    while (!next.isEmpty()) {
      Path page = next.remove(next.size() - 1);
      if (reached.add(page) && page.toString().endsWith(".html")) {
        for (String link : all(LINK, Files.readString(page, UTF_8))) {
          if (!link.contains(":")) {
            next.add(page.resolveSibling(link.split("#", 2)[0]).normalize());
          }
        }
      }
    }
    try (Stream<Path> documents = Files.walk(ROOT.resolve("docs"))) {
      for (Path each : documents.filter(file -> file.toString().endsWith(".md")).toList()) {
        String source = ROOT.relativize(each).toString().replace('\\', '/');
        Path page = site.resolve(new Document(source, "# x").page());
        assertThat(reached).as(source).contains(page);
      }
    }
  }

  @Test
  void every_page_has_a_title_and_a_first_sentence() throws IOException {
    for (Document each : DocumentTree.read(ROOT).all()) {
      assertThat(each.anchors()).as("%s has a title", each).isNotEmpty();
      assertThat(each.anchors().get(0).level()).as("%s starts with its title", each).isEqualTo(1);
      boolean started = each.source().startsWith("docs/") && !each.source().contains("/decisions/");
      if (started && !each.source().endsWith("summary.md")) {
        assertThat(PlainText.firstParagraph(each.tree()).length()).as("%s", each).isGreaterThan(40);
      }
    }
  }

  @Test
  void the_lab_and_the_pictures_are_inside() {
    assertThat(site.resolve("frontier/traces/index.html")).isRegularFile();
    assertThat(site.resolve("reproduction/scale-10/index.html"))
        .content(UTF_8)
        .contains("href=\"../../index.html\"");
    assertThat(site.resolve("sizing/sizing.svg")).isRegularFile();
  }

  @Test
  void the_tables_that_the_labs_pages_link_to_are_beside_them() throws IOException {
    Pattern csv = Pattern.compile("\"csv\":\"([^\"]+)\"");
    Path page = site.resolve("reproduction/scale-10/index.html");
    Set<String> tables = all(csv, Files.readString(page, UTF_8));
    assertThat(tables).hasSize(9);
    assertThat(tables).allSatisfy(each -> assertThat(page.resolveSibling(each)).isRegularFile());
  }

  @Test
  void a_number_and_its_percent_sign_stay_on_one_line() {
    assertThat(site.resolve("frontier/index.html")).content(UTF_8).contains("7.68\u00a0%");
  }

  @Test
  void dead_links_stop_it_and_are_named(@TempDir Path tree) throws IOException {
    write(tree, "README.md", "# Top\n\n[ok](docs/a.md)\n");
    write(tree, "docs/README.md", "# Home\n\n## All pages\n\n### Start\n\n- [A](a.md)\n");
    write(
        tree,
        "docs/a.md",
        "# A\n\n[1](gone.md) [2](README.md#gone) ![3](gone.png) [4](../../etc/passwd)\n");
    assertThatThrownBy(() -> Site.of(tree))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("4 links lead nowhere")
        .hasMessageContaining("docs/a.md: 'gone.md' leads nowhere: there is no such file")
        .hasMessageContaining("docs/README.md has no heading '#gone'")
        .hasMessageContaining("'gone.png'")
        .hasMessageContaining("'../../etc/passwd'");
  }

  @Test
  void a_directory_without_documents_is_named_but_not_linked(@TempDir Path tree)
      throws IOException {
    write(tree, "docs/README.md", "# Home\n\n[the sources](../src) [a script](../src/run)\n");
    write(tree, "src/run", "true\n");
    Site.of(tree).write(tree.resolve("site"));
    assertThat(tree.resolve("site/index.html"))
        .content(UTF_8)
        .contains("the sources <a href=\"tree/src/run\">a script</a>");
    assertThat(tree.resolve("site/tree/src/run")).hasContent("true\n");
  }

  @Test
  void a_document_that_the_front_page_does_not_list_is_shown_all_the_same(@TempDir Path tree)
      throws IOException {
    write(tree, "docs/README.md", "# Home\n\n## All pages\n\n### Start\n\n- [A](a.md)\n");
    write(tree, "docs/a.md", "# A\n");
    write(tree, "docs/forgotten.md", "# Forgotten\n");
    Site.of(tree).write(tree.resolve("site"));
    assertThat(tree.resolve("site/a.html"))
        .content(UTF_8)
        .contains("<h2>More</h2>", "<a href=\"forgotten.html\">Forgotten</a>");
  }

  @Test
  void a_directory_that_is_no_site_is_not_deleted(@TempDir Path directory) throws IOException {
    write(directory, "diary.txt", "dear diary");
    assertThatThrownBy(() -> Site.of(ROOT).write(directory)).hasMessageContaining("is not a site");
    assertThat(directory.resolve("diary.txt")).hasContent("dear diary");
  }

  @Test
  void headings_have_the_names_that_github_gives_them() {
    Document document =
        new Document(
            "docs/x.md", "# A\n## SET NX EX, and its limits\n## `A` & b\n## Same\n## Same\n");
    assertThat(document.anchors().stream().map(Anchor::id))
        .containsExactly("a", "set-nx-ex-and-its-limits", "a--b", "same", "same-1");
  }

  @Test
  void code_is_escaped_and_coloured() {
    assertThat(Highlighter.html("java", "int x = \"a<b\"; // new"))
        .isEqualTo(
            "<span class=\"k\">int</span> x = <span class=\"s\">&quot;a&lt;b&quot;</span>;"
                + " <span class=\"c\">// new</span>");
    assertThat(Highlighter.html("console", "$ echo a\na\n"))
        .isEqualTo(
            "<span class=\"prompt\">$ </span><span class=\"typed\">echo a\n</span>"
                + "<span class=\"printed\">a\n</span>");
  }

  private static Map<Path, String> pages() throws IOException {
    Map<Path, String> pages = new TreeMap<>();
    try (Stream<Path> files = Files.walk(site)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".html")).toList()) {
        String html = Files.readString(file, UTF_8);
        if (html.contains("assets/site.js")) { // the lab's pages have tests of their own
          pages.put(file, html);
        }
      }
    }
    return pages;
  }

  private static Set<String> all(Pattern pattern, String html) {
    return pattern.matcher(html).results().map(SiteTest::group).collect(Collectors.toSet());
  }

  private static String group(MatchResult match) {
    return match.group(1).replace("&amp;", "&");
  }

  private static void write(Path root, String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, UTF_8);
  }
}
