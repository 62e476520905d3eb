package dev.unseen.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Headless Chromium, for tests that open a page as a reader opens it. */
public final class Browser {
  /**
   * Says that it knows no Chromium this new; what is used here it need not know. Held, or it is
   * collected.
   */
  private static final Logger DEVTOOLS = Logger.getLogger("org.openqa.selenium.devtools");

  private Browser() {}

  /**
   * Starts a browser; skips the tests with a message where there is none.
   *
   * @param profile a directory for what it keeps
   */
  public static ChromeDriver start(Path profile) {
    Optional<File> chromium =
        Stream.of("chromium", "chromium-browser", "google-chrome")
            .flatMap(Browser::onPath)
            .findFirst();
    Optional<File> driver = onPath("chromedriver").findFirst();
    assumeTrue(
        chromium.isPresent() && driver.isPresent(),
        "the page was not opened in a browser: install chromium and chromedriver"
            + " (Debian: apt-get install chromium chromium-driver)");
    DEVTOOLS.setLevel(Level.SEVERE);
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.get());
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--user-data-dir=" + profile);
    // With both programs named Selenium has nothing to look for, and nothing to download.
    return new ChromeDriver(
        new ChromeDriverService.Builder().usingDriverExecutable(driver.get()).build(), options);
  }

  /** Sets the size of the screen, light colors, and no motion. */
  public static void resize(ChromeDriver browser, int width, int height, boolean phone) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", phone));
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", "light"),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  /** Returns what pages have complained about since the last time. */
  public static List<String> complaints(ChromeDriver browser) {
    return browser.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(Object::toString)
        .toList();
  }

  private static Stream<File> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(path)
        .map(each -> new File(each, program))
        .filter(File::canExecute);
  }
}
