package io.slicewise.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A headless Chromium that reads pages from disk and tells everything they try. */
public final class Browser implements AutoCloseable {
  private static final String HOW_TO_INSTALL =
      "needs Chromium and its driver: apt-get install chromium chromium-driver";

  private static Browser shared;

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts one; the test is skipped, saying how to install it, where there is none. */
  public static Browser start() {
    Optional<Path> chromium = program("chromium", "chromium-browser", "google-chrome");
    Optional<Path> chromeDriver = program("chromedriver");
    Assumptions.assumeTrue(chromium.isPresent() && chromeDriver.isPresent(), HOW_TO_INSTALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.orElseThrow().toString());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--window-size=1280,900");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromeDriver.orElseThrow().toFile())
            .usingAnyFreePort()
            .withSilent(true)
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(Duration.ofSeconds(60));
    return new Browser(driver);
  }

  /**
   * The one that the classes {@link InBrowser} take turns with, of which each look sets all that
   * may differ; it ends with this process.
   */
  public static synchronized Browser shared() {
    if (shared == null) {
      shared = start();
      Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
    }
    return shared;
  }

  private static Optional<Path> program(String... names) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(directory -> Stream.of(names).map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public ChromeDriver driver() {
    return driver;
  }

  /** Opens a page and waits until all its charts are drawn. */
  public Browser open(Path page) {
    driver.manage().logs().get(LogType.BROWSER);
    driver.manage().logs().get(LogType.PERFORMANCE);
    driver.get(page.toUri().toString());
    waitForCharts();
    return this;
  }

  /** Waits until every chart on the page is drawn, as wide as its place is now. */
  public void waitForCharts() {
    driver.executeAsyncScript(
        "const done = arguments[arguments.length - 1];const fits = c => c.dataset.drawn &&"
            + " (c.clientWidth === 0 || Math.abs(c.clientWidth -"
            + " c.querySelector('svg').getAttribute('width')) < 2);const look = () =>"
            + " [...document.querySelectorAll('.canvas')].every(fits) ? done() : setTimeout(look,"
            + " 30); look();");
  }

  /** What the page said on its console since it was opened. */
  public List<String> console() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Every address the page asked for since it was opened, its own among them. */
  public List<String> requests() {
    List<String> addresses = new ArrayList<>();
    for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
      JsonNode message = json(entry.getMessage()).path("message");
      if (message.path("method").asText().equals("Network.requestWillBeSent")) {
        addresses.add(message.at("/params/request/url").asText());
      }
    }
    return addresses;
  }

  /** The rows of a table as text, its head first; unfolds what hides it. */
  public List<List<String>> table(String selector) {
    String text =
        (String)
            driver.executeAsyncScript(
                "const done = arguments[arguments.length - 1];"
                    + "const box = document.querySelector(arguments[0]);"
                    + "box.querySelectorAll('details').forEach(d => { d.open = true; });"
                    + "if (box.tagName === 'DETAILS') { box.open = true; }"
                    + "const read = () => { const t = box.querySelector('table');"
                    + " if (!t) { setTimeout(read, 20); return; }"
                    + " done(JSON.stringify([...t.rows].filter(r => !r.hidden)"
                    + ".map(r => [...r.cells].map(c => c.textContent)))); }; setTimeout(read, 0);",
                selector);
    List<List<String>> rows = new ArrayList<>();
    json(text)
        .forEach(
            row -> {
              List<String> cells = new ArrayList<>();
              row.forEach(cell -> cells.add(cell.asText()));
              rows.add(cells);
            });
    return rows;
  }

  /** Picks a choice of a chart by its label and the value of the option. */
  public void choose(String selector, String label, String value) {
    driver.executeScript(
        "const s = [...document.querySelectorAll(arguments[0] + ' label')].find(l =>"
            + " l.firstChild.textContent.trim() === arguments[1]).querySelector('select');s.value ="
            + " arguments[2]; s.dispatchEvent(new Event('change'));",
        selector,
        label,
        value);
  }

  public WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  /** How many elements match. */
  public int count(String selector) {
    return driver.findElements(By.cssSelector(selector)).size();
  }

  /** As wide as that, in those colours ({@code light} or {@code dark}), on that medium. */
  public void look(int width, String scheme, String medium) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            medium,
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    driver.executeAsyncScript(
        "const done = arguments[arguments.length - 1];"
            + "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));");
    waitForCharts();
  }

  /** The number of A4 sheets that the browser prints. */
  public int sheets() {
    Map<String, Object> print =
        driver.executeCdpCommand("Page.printToPDF", Map.of("preferCSSPageSize", true));
    String pdf =
        new String(
            Base64.getDecoder().decode((String) print.get("data")), StandardCharsets.ISO_8859_1);
    return (int) Pattern.compile("/Type /Page\\b").matcher(pdf).results().count();
  }

  /** The whole page as a PNG file. */
  public byte[] picture() {
    Map<String, Object> shot =
        driver.executeCdpCommand(
            "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
    return Base64.getDecoder().decode((String) shot.get("data"));
  }

  /**
   * Violations that axe-core calls serious or critical, a line each with the first place. Drawings
   * are left out: they are images with a label, and a table of their numbers is judged with the
   * rest.
   *
   * @param where the part of the page to judge
   * @param rule the one rule to judge by, or nothing for all
   */
  public List<String> seriousViolations(String where, String... rule) {
    driver.executeScript(axe());
    String text =
        (String)
            driver.executeAsyncScript(
                "const done = arguments[arguments.length - 1];const options = { resultTypes:"
                    + " ['violations'] };if (arguments[1].length) { options.runOnly = arguments[1];"
                    + " }axe.run({ include: [arguments[0]], exclude: ['.canvas svg'] },"
                    + " options).then(r => done(JSON.stringify(r.violations.filter(v => v.impact"
                    + " === 'serious' || v.impact === 'critical').map(v => v.id + ': ' + v.help +"
                    + " ': ' + v.nodes.length + ' places, first ' + v.nodes[0].html))));",
                where,
                List.of(rule));
    List<String> found = new ArrayList<>();
    json(text).forEach(line -> found.add(line.asText()));
    return found;
  }

  private static String axe() {
    try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode json(String text) {
    try {
      return Json.mapper().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
