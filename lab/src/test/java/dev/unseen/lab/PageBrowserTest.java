package dev.unseen.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.lab.output.Page;
import dev.unseen.lab.paper.PublishedCell;
import dev.unseen.lab.rival.ContestantFamily;
import dev.unseen.testing.Browser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
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

/** The page in headless Chromium, opened from disk as a reader opens it. */
final class PageBrowserTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS =
      Duration.ofMillis(25); // Selenium's is half a second
  private static final String CHART = "return echarts.getInstanceByDom(arguments[0]).getOption()";

  private static ChromeDriver browser;

  @TempDir static Path directory;

  @BeforeAll
  static void start() {
    browser = Browser.start(directory.resolve("profile"));
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
  void shows_every_table_and_figure_of_the_report() throws IOException {
    open(ReproducedPage.all(directory), 1440, 900, false, 20);

    assertThat(attributes("[data-table]", "data-table")).isEqualTo(PublishedCell.tables());
    assertThat(attributes("[data-figure]", "data-figure"))
        .hasSize(11)
        .startsWith("rates-1B-15distinct-128")
        .endsWith("load-1B-15distinct-512");
    assertThat(text("#headline")).startsWith("All 165 cells lie within 2 %");
    assertThat(all("#findings article")).hasSize(7);
    assertThat(all("#deviations tbody tr")).hasSize(20);
    one("#deviations button").click();
    eventually(() -> assertThat(all("#deviations tbody tr")).hasSize(330));
    eventually(
        () ->
            assertThat(script("return performance.getEntriesByType('resource').length"))
                .isEqualTo(0L));
  }

  @Test
  void shows_a_report_of_one_table() throws IOException {
    openOneTable();

    assertThat(attributes("[data-table]", "data-table")).containsExactly("1B:60distinct");
    assertThat(attributes("[data-figure]", "data-figure"))
        .containsExactly(
            "rates-1B-60distinct-128", "rates-1B-60distinct-256", "rates-1B-60distinct-512");
    assertThat(attributes("[data-table] thead tr:last-child th", "textContent"))
        .endsWith("RLBSBF", "RSBF as printed", "SBF without the 31-bit limit");
  }

  @Test
  void leaves_out_what_the_report_does_not_have() throws IOException {
    Path index = Files.createTempDirectory(directory, "report").resolve("index.html");
    Page.write(index, "reproduction", "Nothing", "{\"scale\": 100, \"seed\": 1}");
    open(index, 1440, 900, false, 0);

    assertThat(attributes("main section", "id")).containsExactly("summary", "method");
    assertThat(attributes(".side a", "textContent")).containsExactly("Summary", "Method");
  }

  @Test
  void hides_and_shows_a_series() throws IOException {
    openOneTable();
    WebElement button = one("[data-figure] [data-series='RLBSBF']");

    assertThat(selected("RLBSBF")).containsOnly(true);
    button.click();
    eventually(() -> assertThat(selected("RLBSBF")).containsOnly(false));
    eventually(() -> assertThat(selected("SBF")).containsOnly(true));
    eventually(() -> assertThat(button.getDomAttribute("aria-pressed")).isEqualTo("false"));
    button.click();
    eventually(() -> assertThat(selected("RLBSBF")).containsOnly(true));
  }

  @Test
  void switches_between_log_and_linear() throws IOException {
    openOneTable();

    assertThat(axisOf("fnr").get("type")).isEqualTo("log");
    assertThat(text("[data-measure='fnr'] .panel-note")).contains("Plain Bloom");
    one("[data-figure] [data-scale='linear']").click();
    eventually(() -> assertThat(axisOf("fpr").get("type")).isEqualTo("value"));
    eventually(() -> assertThat(axisOf("fnr").get("type")).isEqualTo("value"));
    eventually(() -> assertThat(axisOf("fnr").get("min")).isEqualTo(0L));
    eventually(() -> assertThat(text("[data-measure='fnr'] .panel-note")).isEmpty());
  }

  @Test
  void zooms_both_panels_of_a_figure_and_fits_the_rates() throws IOException {
    openOneTable();
    Object whole = axisOf("fpr").get("min");

    script(
        "echarts.getInstanceByDom(document.querySelector('[data-figure] .chart'))"
            + ".dispatchAction({type: 'dataZoom', start: 50, end: 100})");
    until(() -> !axisOf("fpr").get("min").equals(whole));
    assertThat(zoomOf("fpr")).isEqualTo(50L);
    assertThat(zoomOf("fnr")).isEqualTo(50L);

    one("[data-figure] .controls .plain-button").click();
    eventually(() -> assertThat(zoomOf("fnr")).isEqualTo(0L));
    eventually(() -> assertThat(axisOf("fpr").get("min")).isEqualTo(whole));
  }

  @Test
  void changes_colours_with_the_theme() throws IOException {
    openOneTable();
    Object before = lineColour("Plain Bloom");

    one("button.theme").click();
    eventually(() -> assertThat(one("html").getDomAttribute("data-theme")).isEqualTo("dark"));
    eventually(() -> assertThat(lineColour("Plain Bloom")).isNotEqualTo(before));
    one("button.theme").click();
    eventually(() -> assertThat(lineColour("Plain Bloom")).isEqualTo(before));
  }

  @Test
  void tells_the_exact_deviation_of_a_cell() throws IOException {
    openOneTable();
    Pattern exact =
        Pattern.compile(
            "(?s)SBF k = 2, 64 MB, FPR.*published.*7\\.8507 %.*±.*deviation.*[+−]\\d+\\.\\d\\d %.*standard errors.*");
    WebElement first = one(".grid tbody td");
    WebElement tip = one("#cell-tip");

    script("arguments[0].scrollIntoView({block: 'center'})", first);
    eventually(
        () -> { // again and again: scrolling, which ends when it likes, hides the tip
          new Actions(browser).moveToElement(one("h2")).moveToElement(first).perform();
          assertThat(plain(tip.getText())).matches(exact);
        });
    new Actions(browser).moveToElement(one("h2")).perform();
    eventually(() -> assertThat(tip.isDisplayed()).isFalse());

    eventually(
        () -> {
          script("document.activeElement.blur(); arguments[0].focus()", first);
          assertThat(plain(tip.getText())).matches(exact);
        });
    new Actions(browser).sendKeys(Keys.ARROW_DOWN).perform();
    eventually(() -> assertThat(plain(tip.getText())).startsWith("SBF k = 2, 64 MB, FNR"));
    new Actions(browser).sendKeys(Keys.ARROW_RIGHT).perform();
    eventually(() -> assertThat(plain(tip.getText())).startsWith("RSBF k = 2, 64 MB, FNR"));
    new Actions(browser).sendKeys(Keys.ESCAPE).perform();
    eventually(() -> assertThat(tip.isDisplayed()).isFalse());
  }

  @Test
  void fits_a_phone() throws IOException {
    open(ReproducedPage.all(directory), 390, 844, true, 20);

    // A phone that has to show more than its width zooms out: then innerWidth is more, too.
    assertThat(script("return window.innerWidth")).isEqualTo(390L);
    assertThat((long) script("return document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(390);
    assertThat(
            (boolean)
                script(
                    "const s = document.querySelector('.scroller'); return s.scrollWidth > s.clientWidth"))
        .as("a table scrolls in its own frame")
        .isTrue();
  }

  @Test
  void shows_the_frontier_of_each_stream_and_memory() throws IOException {
    Path index = frontier();
    visit(index, 1440, 900, false, "[data-ground]", 2);

    assertThat(attributes("[data-ground]", "data-ground").stream().map(PageBrowserTest::plain))
        .containsExactly(
            "shuffled:4K:60, 4.05 bits per key", "recency:4K:50:500, 4.04 bits per key");
    List<String> structures = ContestantFamily.all().stream().map(ContestantFamily::label).toList();
    List<String> families = new ArrayList<>(structures);
    families.add(families.indexOf("RECENCY") + 1, "RECENCY default");
    assertThat(attributes("#ground-1 [data-series]", "data-series"))
        .startsWith(families.toArray(String[]::new))
        .endsWith("Information bound");
    assertThat(attributes("#ground-2 [data-series]", "data-series")).isEqualTo(families);
    assertThat(all("#ground-1 tbody tr")).hasSameSizeAs(families);
    assertThat(text("#headline"))
        .matches("(?s)[\\d,]+ runs of %d structures.*".formatted(structures.size()));
    for (String axis : List.of("xAxis", "yAxis")) {
      assertThat(script(CHART + "[arguments[1]][0].type", one("#ground-1 .chart"), axis))
          .isEqualTo("log");
    }
    assertThat(
            (Long)
                script(
                    CHART
                        + ".series.flatMap(s => s.data).filter(d => !(d.value ?? d)"
                        + ".every(v => v > 0)).length",
                    one("#ground-1 .chart")))
        .as("rates of zero have a place, too")
        .isZero();

    one("#ground-1 [data-series='A2']").click();
    String shown = CHART + ".legend[0].selected[arguments[1]]";
    eventually(() -> assertThat(script(shown, one("#ground-1 .chart"), "A2")).isEqualTo(false));
    assertThat(script(shown, one("#ground-1 .chart"), "RLBSBF")).isEqualTo(true);

    Object before = colourOf("A2");
    one("button.theme").click();
    eventually(() -> assertThat(colourOf("A2")).isNotEqualTo(before));
    one("button.theme").click();
    eventually(() -> assertThat(colourOf("A2")).isEqualTo(before));

    visit(index, 390, 844, true, "[data-ground]", 2);
    assertThat((long) script("return document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(390);
  }

  /** A page as the command makes it. */
  private static Path frontier() throws IOException {
    Path output = Files.createTempDirectory(directory, "frontier");
    StringWriter err = new StringWriter();
    int code =
        LabCommand.execute(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            "frontier",
            "--synthetic",
            "shuffled:4K:60",
            "--synthetic",
            "recency:4K:50:500",
            "--bits-per-key",
            "4",
            "--repeats",
            "1",
            "-o",
            output.toString());
    assertThat(code).as(err.toString()).isZero();
    return output.resolve("index.html");
  }

  private static Object colourOf(String family) {
    return script(
        CHART + ".series.find(s => s.name === arguments[1]).lineStyle.color",
        one("#ground-1 .chart"),
        family);
  }

  private static void openOneTable() throws IOException {
    open(ReproducedPage.of(directory, "1B:60distinct"), 1440, 900, false, 6);
  }

  private static void open(Path index, int width, int height, boolean phone, long panels) {
    visit(index, width, height, phone, "[data-figure]", panels);
  }

  private static void visit(
      Path index, int width, int height, boolean phone, String figure, long charts) {
    Browser.resize(browser, width, height, phone);
    browser.get(index.toUri().toString());
    until(
        () ->
            script(
                    "return [...document.querySelectorAll(arguments[0] + ' .chart')]"
                        + ".filter(chart => chart.querySelectorAll('svg path').length > 10).length",
                    figure)
                .equals(charts));
  }

  private static void until(BooleanSupplier condition) {
    new WebDriverWait(browser, PATIENCE, BETWEEN_LOOKS).until(any -> condition.getAsBoolean());
  }

  /** A page reacts when it finds the time: what is asserted may take a moment to hold. */
  private void eventually(Runnable assertion) {
    new WebDriverWait(browser, PATIENCE, BETWEEN_LOOKS)
        .ignoring(AssertionError.class)
        .until(
            any -> {
              assertion.run();
              return true;
            });
  }

  /** Whether the two panels of the first figure show the series. */
  private static List<Object> selected(String series) {
    return all("[data-figure]:first-child .chart").stream()
        .map(chart -> script(CHART + ".legend[0].selected[arguments[1]]", chart, series))
        .toList();
  }

  private static Map<?, ?> axisOf(String measure) {
    return (Map<?, ?>)
        script(
            "const {type, min, max} = echarts.getInstanceByDom(arguments[0]).getOption().yAxis[0];"
                + "return {type, min, max}",
            one("[data-measure='" + measure + "'] .chart"));
  }

  private static Object zoomOf(String measure) {
    return script(CHART + ".dataZoom[0].start", one("[data-measure='" + measure + "'] .chart"));
  }

  private static Object lineColour(String series) {
    return script(
        CHART + ".series.find(s => s.name === arguments[1]).lineStyle.color",
        one("[data-figure] .chart"),
        series);
  }

  private static Object script(String script, Object... arguments) {
    return browser.executeScript(script, arguments);
  }

  private static WebElement one(String selector) {
    return browser.findElement(By.cssSelector(selector));
  }

  private static List<WebElement> all(String selector) {
    return browser.findElements(By.cssSelector(selector));
  }

  private static String text(String selector) {
    return plain(one(selector).getText());
  }

  private static List<String> attributes(String selector, String name) {
    return all(selector).stream()
        .map(
            element ->
                name.equals("textContent")
                    ? element.getDomProperty(name)
                    : element.getDomAttribute(name))
        .toList();
  }

  private static String plain(String text) {
    return text.replace('\u00a0', ' ');
  }
}
