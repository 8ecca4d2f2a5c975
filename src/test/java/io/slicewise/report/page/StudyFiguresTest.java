package io.slicewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.cli.CommandLines;
import io.slicewise.report.Reports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the drawings of both studies in a real browser: of a run in its page, of published
 * tables as files; on wide and narrow screens no label covers another and nothing is wider.
 */
@KeepsTheMachineBusy
class StudyFiguresTest {
  private static final String OVERLAPS =
      "return [...document.querySelectorAll('figure svg')].flatMap(svg => {"
          + " const t = [...svg.querySelectorAll('text')].filter(x => x.textContent.trim())"
          + ".map(x => [x.closest('figure').id + ' ' + x.textContent, x.getBoundingClientRect()]);"
          + " return t.flatMap(([a, p], i) => t.slice(i + 1).filter(([, q]) =>"
          + " Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 &&"
          + " Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 4)"
          + ".map(([b]) => a + ' / ' + b)); })";

  private static final String OUTSIDE =
      "return [...document.querySelectorAll('figure.drawn svg')].flatMap(svg => {"
          + " const s = svg.getBoundingClientRect();"
          + " return [...svg.querySelectorAll('text, rect, circle')].filter(x => {"
          + " const r = x.getBoundingClientRect(); return r.left < s.left - 1 || r.right >"
          + " s.right + 1 || r.top < s.top - 1 || r.bottom > s.bottom + 1; })"
          + ".map(x => x.closest('figure').id + ' ' + x.outerHTML); })";

  @TempDir Path directory;

  private static Path published() {
    try {
      return Path.of(StudyFiguresTest.class.getResource("/published").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String drawn(String name) {
    CommandLines.Said said =
        CommandLines.run("study", "overhead", "--tables", published().toString(), "--figure", name);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  /** The published figures, one below the other in the page's own style. */
  private Path overhead() {
    String figures =
        List.of("time", "time-2", "faults", "disk").stream()
            .map(
                name ->
                    "<figure class=\"drawn\" id=\"%s\">%s</figure>".formatted(name, drawn(name)))
            .collect(Collectors.joining());
    try {
      return Files.writeString(
          directory.resolve("overhead.html"),
          "<!doctype html><html lang=\"en\"><title>overhead</title><style>"
              + Assets.style()
              + "</style><main><div class=\"figures\">"
              + figures
              + "</div></main></html>");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void figuresOfBothStudiesAreReadableOnWideAndNarrowScreens() {
    Path run = Reports.write(StudyRuns.interference(directory.resolve("run"))).html();
    Path tables = overhead();
    try (Browser browser = Browser.start()) {
      for (int width : new int[] {1400, 420}) {
        for (Path page : List.of(run, tables)) {
          browser.look(width, "light", "screen");
          browser.open(page);
          assertThat((List<?>) browser.driver().executeScript(OVERLAPS)).isEmpty();
          assertThat((List<?>) browser.driver().executeScript(OUTSIDE)).isEmpty();
          assertThat(
                  ((Number)
                          browser
                              .driver()
                              .executeScript("return document.documentElement.scrollWidth"))
                      .intValue())
              .isLessThanOrEqualTo(width);
        }
      }
      browser.open(run);
      assertThat(browser.console()).isEmpty();
      assertThat(browser.count("#study figure.drawn")).isEqualTo(3);
      assertThat(browser.count("#study-regression circle")).isEqualTo(18);
      assertThat(browser.find("#study p").getText())
          .contains("EXTERNAL: as-found, 4 users with 1 neighbour (db")
          .contains("with 2 neighbours (db");
      assertThat(browser.table("#study .wide:has([data-table=traffic])")).hasSize(1 + 9);
      browser.open(tables);
      assertThat(browser.count("#faults circle")).isEqualTo(22);
      assertThat(browser.count("#disk circle")).isEqualTo(22);
    }
  }
}
