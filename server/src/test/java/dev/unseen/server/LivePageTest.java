package dev.unseen.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.testing.Browser;
import dev.unseen.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The live page in headless Chromium, under load. */
class LivePageTest {
  private static final Duration PATIENCE = Patience.LIMIT;
  private static final Duration BETWEEN_LOOKS =
      Duration.ofMillis(25); // Selenium's is half a second

  private static ChromeDriver browser;
  private static TestServer server;
  private static Load load;

  @TempDir static Path directory;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start(directory.resolve("profile"));
    server = new TestServer("--http", "0", "--dir", directory.resolve("data").toString());
    try (RawClient client = server.client()) {
      client.say("BF.RESERVE clicks 0.001 20000");
      client.say("BF.RESERVE orders 0.0001 100000 WINDOW 1h");
      client.say("BF.ADD orders order-1");
    }
    load = new Load();
    load.start();
  }

  @AfterAll
  static void stop() throws Exception {
    if (load != null) {
      load.interrupt();
      load.join();
    }
    if (browser != null) {
      browser.quit();
    }
    if (server != null) {
      server.close();
    }
  }

  @AfterEach
  void the_browser_complains_of_nothing() {
    assertThat(Browser.complaints(browser)).isEmpty();
  }

  /** Adds new items and duplicates, until it is interrupted. */
  private static final class Load extends Thread {
    @Override
    public void run() {
      try (RawClient client = server.client()) {
        for (int i = 0; !isInterrupted(); i++) {
          client.say("BF.MADD clicks a%d b%d a%d".formatted(i, i, i / 2));
          client.say("SET event:%d 1 NX EX 86400".formatted(i));
          Thread.sleep(1);
        }
      } catch (InterruptedException e) {
        // the test is over
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  private static String address(String path) {
    return "http://localhost:" + server.server().httpPort().getAsInt() + path;
  }

  private static void open(int width, int height, boolean phone) {
    Browser.resize(browser, width, height, phone);
    browser.get(address("/"));
    until(() -> text("#link").equals("live") && number("#tiles div:nth-child(2) .big") > 0);
  }

  private static void until(BooleanSupplier holds) {
    new WebDriverWait(browser, PATIENCE, BETWEEN_LOOKS).until(any -> holds.getAsBoolean());
  }

  private static String text(String selector) {
    return (String)
        browser.executeScript(
            "return document.querySelector(arguments[0])?.textContent ?? ''", selector);
  }

  private static long number(String selector) {
    String digits = text(selector).replace(",", "");
    return digits.matches("\\d+") ? Long.parseLong(digits) : 0;
  }

  private static String row(String filter, int cell) {
    return (String)
        browser.executeScript(
            "return [...document.querySelectorAll('#filters tbody tr')]"
                + ".find(row => row.cells[0].textContent === arguments[0])"
                + "?.cells[arguments[1]].textContent ?? ''",
            filter,
            cell);
  }

  /** Keeps a picture in target, to look at. */
  private static void picture(String name) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    Files.write(pictures.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
  }

  @Test
  void numbers_move_under_load() throws Exception {
    open(1280, 1500, false);
    String before = row("clicks", 6);
    until(() -> !row("clicks", 6).equals(before));
    assertThat(row("SET EX 24h", 3)).isNotEmpty();
    assertThat(row("orders", 8)).as("the share of the window that is kept").contains("100");
    until(
        () ->
            Boolean.TRUE.equals(
                browser.executeScript(
                    "const data = echarts.getInstanceByDom(document.getElementById('traffic'))"
                        + ".getOption().series.map(each => each.data.map(point => point[1]));"
                        + "return data[0].some(value => value > 0)"
                        + " && data[1].some(value => value > 0)")));
    assertThat(text("#traffic-title")).isEqualTo("Items per second (the upper line is the sum)");
    picture("live-wide");
  }

  @Test
  void a_server_without_filters_shows_a_command_that_reaches_it() throws Exception {
    try (TestServer empty = new TestServer("--http", "0")) {
      browser.get("http://localhost:" + empty.server().httpPort().getAsInt() + "/");
      until(() -> browser.findElement(By.id("nothing")).isDisplayed());
      assertThat(text("#nothing code"))
          .isEqualTo("redis-cli -p %d BF.RESERVE clicks 0.001 1000000".formatted(empty.port()));
      browser.get(address("/")); // its script would complain that the other server is gone
    }
  }

  @Test
  void a_filter_can_be_chosen_and_left_again() throws Exception {
    open(1280, 1500, false);
    browser.findElement(By.xpath("//table[@id='filters']//button[.='clicks']")).click();
    until(() -> text("#chosen").equals("clicks") && text("#detail").contains("Made as"));
    assertThat(text("#detail")).contains("recency").contains("New lost, measured");
    picture("live-chosen");
    browser.findElement(By.id("all")).click();
    until(() -> text("#chosen").equals("all filters"));
    assertThat(browser.findElement(By.id("detail")).isDisplayed()).isFalse();
  }

  @Test
  void a_key_can_be_tried_without_being_remembered() {
    open(1280, 1500, false);
    browser.executeScript(
        "document.querySelector('#try').elements.filter.value = 'orders';"
            + "document.querySelector('#try').elements.key.value = ''");
    browser.findElement(By.name("key")).sendKeys("order-1\n");
    until(() -> text("#answer").contains("was seen before"));
    for (int i = 0; i < 2; i++) {
      browser.findElement(By.name("key")).clear();
      browser.findElement(By.name("key")).sendKeys("order-2\n");
      until(() -> text("#answer").equals("“order-2” was not seen, or was evicted or has expired."));
    }
  }

  @Test
  void names_that_cannot_be_seen_are_shown_and_can_be_used() throws Exception {
    try (RawClient client = server.client()) {
      client.ask("BF.ADD", "", "nameless");
      client.ask("BF.ADD", "tab\tbed", "a");
      client.ask("BF.ADD", "tab bed", "a");
      open(1280, 1500, false);
      until(() -> text("#filters").contains("\\(empty)"));
      assertThat(text("#filters")).contains("tab\\x09bed").contains("tab bed");
      browser.findElement(By.xpath("//table[@id='filters']//button[.='\\(empty)']")).click();
      until(() -> text("#chosen").equals("\\(empty)") && text("#detail").contains("Made as"));
      browser
          .findElement(By.xpath("//form[@id='try']//option[.='\\(empty)']"))
          .click(); // as a person does
      browser.findElement(By.name("key")).sendKeys("nameless\n");
      until(() -> text("#answer").contains("was seen before"));
      picture("live-names");
      client.ask("DEL", "", "tab\tbed", "tab bed");
    }
  }

  @Test
  void it_fits_a_phone_and_has_a_dark_mode() throws Exception {
    open(390, 844, true);
    assertThat(browser.executeScript("return document.documentElement.scrollWidth"))
        .isEqualTo(390L);
    try (RawClient client = server.client()) {
      String longName = "n".repeat(120);
      client.ask("BF.RESERVE", longName, "0.01", "10");
      until(() -> text("#filters").contains(longName) && text("#try select").contains(longName));
      assertThat(browser.executeScript("return document.documentElement.scrollWidth"))
          .as("with a long name")
          .isEqualTo(390L);
      client.ask("DEL", longName);
    }
    browser.findElement(By.cssSelector(".theme")).click();
    assertThat(browser.executeScript("return getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(17, 20, 25)");
    Browser.resize(browser, 390, 2600, true);
    until(() -> text("#link").equals("live"));
    picture("live-phone");
    browser.findElement(By.cssSelector(".theme")).click();
  }

  private static String firstRow() {
    return text("#filters tbody tr:first-child th");
  }

  @Test
  void the_verdict_names_the_worst_filter_and_the_remedy() throws Exception {
    try (TestServer small = new TestServer("--http", "0", "--set-memory", "64K");
        RawClient client = small.client()) {
      client.say("BF.RESERVE aaa 0.001 100000");
      client.say("BF.ADD aaa item");
      Browser.resize(browser, 1400, 1300, false);
      browser.get("http://localhost:" + small.server().httpPort().getAsInt() + "/");
      until(() -> text("#verdict").equals("All is well: 1 filter has room"));
      for (int from = 0; from < 60_000; from += 1000) {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = from; i < from + 1000; i++) {
          requests.writeBytes(RawClient.request("SET", "key" + i, "1", "NX", "EX", "86400"));
        }
        client.send(requests.toByteArray());
        for (int i = 0; i < 1000; i++) {
          client.reply();
        }
      }
      until(
          () ->
              text("#verdict")
                  .matches("SET EX 24h evicts early: raise --set-memory to (256|512)K"));
      until(() -> firstRow().equals("SET EX 24h"));
      assertThat(row("SET EX 24h", 1)).matches("[\\d,]+k? of [\\d,]+k?");
      assertThat(row("SET EX 24h", 2)).isEqualTo("full");
      assertThat(row("aaa", 2)).isEqualTo("never");
      assertThat(text("#tiles")).contains("Process memory").contains("Journal").contains("99 %");
      picture("live-verdict");
      Browser.resize(browser, 390, 844, true);
      assertThat(
              browser.executeScript(
                  "const box = document.getElementById('verdict').getBoundingClientRect();"
                      + "return box.top >= 0 && box.bottom < 300 && box.left >= 0"
                      + " && box.right <= 390"))
          .as("the verdict is on the first screen of a phone")
          .isEqualTo(true);
      Browser.resize(browser, 390, 1700, true);
      assertThat(
              browser.executeScript(
                  "return [...document.querySelectorAll('#filters thead th')]"
                      + ".filter(head => head.getBoundingClientRect().width > 0"
                      + " && head.getBoundingClientRect().right <= 390)"
                      + ".map(head => head.textContent).join('; ')"))
          .isEqualTo("filter; keys held of those that fit; full in; new / s; evicted early");
      picture("live-verdict-phone");
      browser.get(address("/")); // its script would complain that the other server is gone
    }
  }

  @Test
  void a_page_of_another_site_gets_no_data() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(address("/history"))).build();
    HttpResponse<String> reply =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().map()).doesNotContainKey("access-control-allow-origin");
    // A site whose name leads to this machine is known by the name that the browser asked for.
    assertThat(statusFor("evil.example")).isEqualTo("HTTP/1.1 403");
    assertThat(statusFor("127.evil.example")).isEqualTo("HTTP/1.1 403");
    assertThat(statusFor("127.0.0.1:80")).isEqualTo("HTTP/1.1 200");
    assertThat(statusFor("[::1]")).isEqualTo("HTTP/1.1 200");
  }

  private static String statusFor(String host) throws Exception {
    try (var socket = new java.net.Socket("localhost", server.server().httpPort().getAsInt())) {
      OutputStream out = socket.getOutputStream();
      out.write("GET /history HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host).getBytes(UTF_8));
      return new String(socket.getInputStream().readNBytes(12), UTF_8);
    }
  }
}
