package dev.unseen.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The site in headless Chromium, opened from disk as a reader opens it. */
final class SiteBrowserTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir static Path directory;

  private static ChromeDriver browser;

  @BeforeAll
  static void start() throws IOException {
    browser = Browser.start(directory.resolve("profile"));
    Site.of(SiteTest.ROOT).write(directory.resolve("site"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.quit();
    }
  }

  @AfterEach
  void finds_nothing_to_complain_about() {
    assertThat(Browser.complaints(browser)).isEmpty();
  }

  @Test
  void the_first_page_has_the_problem_the_picture_and_three_ways_to_use_it() {
    open("index.html", 1440, false);
    assertThat(one("h1 + p").getText()).contains("once");
    assertThat(one("svg.themed").getSize().getWidth()).isGreaterThan(600);
    assertThat(all(".ways-to-use-it .card h3")).hasSize(3);
    assertThat(
            browser.executeScript(
                "return performance.getEntriesByType('resource')"
                    + ".filter(entry => !entry.name.startsWith('file:')).length"))
        .isEqualTo(0L);
    all(".ways-to-use-it .card p a").get(0).click();
    until(() -> browser.getTitle().startsWith("Tutorial"));
  }

  @Test
  void all_code_on_the_first_page_is_seen_without_scrolling() {
    for (int width : List.of(390, 1024, 1280, 1440)) {
      open("index.html", width, width == 390);
      assertThat(
              browser.executeScript(
                  "return [...document.querySelectorAll('.ways-to-use-it pre')]"
                      + ".filter(pre => pre.scrollWidth > pre.clientWidth)"
                      + ".map(pre => pre.innerText)"))
          .as("at a width of %d pixels", width)
          .isEqualTo(List.of());
    }
  }

  @Test
  void the_search_finds_the_window_by_keyboard() {
    open("decisions/index.html", 1440, false); // from below, so that links have to come up first
    new Actions(browser).sendKeys("/").perform();
    until(() -> one(".search input").isDisplayed());
    new Actions(browser).sendKeys("window").perform();
    until(() -> all("#finds li").size() > 5);
    List<String> finds =
        all("#finds li").stream()
            .limit(3)
            .map(find -> find.findElement(By.tagName("b")).getText())
            .toList();
    assertThat(finds)
        .as("headings come first")
        .allMatch(name -> name.toLowerCase(Locale.ROOT).contains("window"));
    new Actions(browser).sendKeys(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER).perform();
    until(() -> browser.getCurrentUrl().contains("#"));
    String anchor = browser.getCurrentUrl().replaceFirst(".*#", "");
    assertThat(anchor).contains("window");
    assertThat(one("[id='" + anchor + "']").isDisplayed()).isTrue();
  }

  @Test
  void the_search_puts_titles_first_and_wants_all_words() {
    open("shell.html", 1440, false);
    assertThat(firstFind("planner")).isEqualTo("The planner");
    assertThat(firstFind("glossary")).isEqualTo("Glossary");
    assertThat(firstFind("exit code fail-on-duplicate")).isNotEmpty();
    search("zzzz");
    until(() -> one("#finds").getText().contains("Nothing was found"));
  }

  @Test
  void dark_and_light_are_the_readers_choice() {
    open("shell.html", 1440, false);
    String light = one("body").getCssValue("background-color");
    one("button.theme").click();
    until(() -> !one("body").getCssValue("background-color").equals(light));
    assertThat(one("html").getDomAttribute("data-theme")).isEqualTo("dark");
    open("index.html", 1440, false);
    assertThat(one("html").getDomAttribute("data-theme"))
        .as("is kept from page to page")
        .isEqualTo("dark");
    one("button.theme").click();
    until(() -> one("body").getCssValue("background-color").equals(light));
  }

  @Test
  void no_page_is_wider_than_a_phone() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("site"))) {
      for (Path page : files.filter(SiteBrowserTest::isOurs).toList()) {
        String name = directory.resolve("site").relativize(page).toString();
        open(name, 390, true);
        // A phone that has to show more than its width zooms out: then innerWidth is more, too.
        assertThat(
                browser.executeScript("return [innerWidth, document.documentElement.scrollWidth]"))
            .as(name)
            .isEqualTo(List.of(390L, 390L));
      }
    }
    open("shell.html", 390, true);
    assertThat(one(".pages").isDisplayed()).isFalse();
    one(".menu").click();
    until(() -> one(".pages").isDisplayed());
    one(".pages").findElement(By.linkText("Glossary")).click();
    until(() -> browser.getTitle().startsWith("Glossary"));
  }

  private static boolean isOurs(Path file) {
    // The lab's pages are large and have tests of their own; of the decisions one stands for all.
    String name = file.toString();
    return name.endsWith(".html")
        && !name.matches(".*/(full-scale|scale-10|traces|paper)/index\\.html")
        && !name.matches(".*/decisions/00(?!22).*");
  }

  private static String firstFind(String query) {
    search(query);
    until(() -> !all("#finds li mark").isEmpty());
    return all("#finds li b").get(0).getText();
  }

  private static void search(String query) {
    browser.executeScript(
        "const dialog = document.querySelector('dialog.search');"
            + "if (!dialog.open) document.querySelector('.open-search').click();"
            + "document.querySelector('#finds').replaceChildren();"
            + "const input = dialog.querySelector('input'); input.value = arguments[0];"
            + "input.dispatchEvent(new Event('input'))",
        query);
  }

  private static void open(String page, int width, boolean phone) {
    Browser.resize(browser, width, 900, phone);
    browser.get(directory.resolve("site").resolve(page).toUri().toString());
  }

  private static WebElement one(String selector) {
    return browser.findElement(By.cssSelector(selector));
  }

  private static List<WebElement> all(String selector) {
    return browser.findElements(By.cssSelector(selector));
  }

  private static void until(BooleanSupplier holds) {
    new WebDriverWait(browser, PATIENCE, Duration.ofMillis(20))
        .until(driver -> holds.getAsBoolean());
  }
}
