package io.slicewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.cli.CommandLines;
import io.slicewise.report.Reports;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the drawings of both studies in a real browser: in the page of a run and in that of
 * published tables; on wide and narrow screens no label covers another and nothing is wider.
 */
@KeepsTheMachineBusy
@Tag("thorough")
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

  /** The page of the published study of 2007. */
  static Path overhead(Path directory) {
    Path page = directory.resolve("overhead.html");
    CommandLines.Said said =
        CommandLines.run(
            "study", "overhead", "--tables", published().toString(), "--page", page.toString());
    assertThat(said.exit()).as(said.err()).isZero();
    return page;
  }

  @Test
  void figuresOfBothStudiesAreReadableOnWideAndNarrowScreens() {
    Path run = Reports.write(StudyRuns.interference(directory.resolve("run"))).html();
    Path tables = overhead(directory);
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
      assertThat(browser.console()).isEmpty();
      assertThat(browser.count("#study-time, #study-time-2")).isEqualTo(2);
      assertThat(browser.count("#study-faults circle")).isEqualTo(22);
      assertThat(browser.count("#study-disk circle")).isEqualTo(22);
    }
  }
}
