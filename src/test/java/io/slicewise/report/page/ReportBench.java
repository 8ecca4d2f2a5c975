package io.slicewise.report.page;

import io.slicewise.report.Reports;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SyntheticRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes a run directory of any size, and times the report of one. Arguments: {@code make DIR
 * WEIGHTS CAPS USERS REPETITIONS SECONDS SAMPLES}, {@code report DIR}, or {@code open DIR}; {@code
 * bench/report.sh large} calls all three.
 */
public final class ReportBench {
  private static final int[] WEIGHTS = {256, 64, 128, 512, 1024, 2048, 4096};
  private static final int[] CAPS = {0, 50, 100, 150, 200, 300};

  private ReportBench() {}

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[1]);
    if (arguments[0].equals("make")) {
      int weights = Integer.parseInt(arguments[2]);
      int caps = Integer.parseInt(arguments[3]);
      SyntheticRun.write(
          root,
          Sweeps.grid(
              "bench",
              arguments[4],
              Integer.parseInt(arguments[5]),
              java.util.Arrays.copyOf(WEIGHTS, weights),
              java.util.Arrays.copyOf(CAPS, caps)),
          Integer.parseInt(arguments[6]),
          Integer.parseInt(arguments[7]),
          List.of("home", "search", "buy"));
      return;
    }
    if (arguments[0].equals("open")) {
      open(root.resolve("report.html"));
      return;
    }
    long began = System.nanoTime();
    RunDirectory run = RunDirectory.open(root);
    Path html = Reports.write(run).html();
    System.out.printf(
        "report of %d trials: %.1f s, page %.2f MB%n",
        run.record().finished().size(), (System.nanoTime() - began) / 1e9, Files.size(html) / 1e6);
  }

  /** From the call to the page's load event, when a reader sees it, and until all is drawn. */
  private static void open(Path page) {
    try (Browser browser = Browser.start()) {
      for (int round = 0; round < 3; round++) {
        browser.open(page);
        Object loaded =
            browser
                .driver()
                .executeScript(
                    "return performance.getEntriesByType('navigation')[0].loadEventEnd;");
        Object drawn = browser.driver().executeScript("return performance.now();");
        System.out.printf(
            "opens in %.0f ms, all charts drawn after %.0f ms%n",
            ((Number) loaded).doubleValue(), ((Number) drawn).doubleValue());
      }
    }
  }
}
