package io.slicewise.sweep.preflight;

import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.load.access.AccessLog;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.run.result.LoadResult;
import io.slicewise.sweep.outcome.TrafficResult;
import io.slicewise.sweep.window.WindowGuard;
import io.slicewise.workload.Traffic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Reads ten seconds of an access log, and shows what it understood. */
final class TrafficCheck {
  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final String LOG = "log";

  private TrafficCheck() {}

  static List<CheckResult> check(Traffic traffic, Experiment experiment) {
    try (AccessLog log = traffic.follow()) {
      log.awaitBegun();
      Instant began = Instant.now();
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
      Window window = new Window(began, Instant.now());
      LoggedWindow seen = log.read(window);
      List<CheckResult> results =
          results(
              traffic, seen, new TrafficResult(seen, window, log.labels(), log.resolutionMicros()));
      WindowGuard.lateBy(seen.lateness(), experiment)
          .ifPresent(
              late ->
                  results.add(
                      CheckResult.warning(
                          "guard", late, "a candidate may do harm until its window ends")));
      return results;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return List.of();
    } catch (HintedException fault) {
      return List.of(CheckResult.blocking(LOG, fault.getMessage(), fault.hint()));
    }
  }

  private static List<CheckResult> results(
      Traffic traffic, LoggedWindow seen, TrafficResult result) {
    List<CheckResult> results = new ArrayList<>();
    if (!seen.requests().isEmpty()) {
      results.add(CheckResult.ok(LOG, understood(traffic, seen, result)));
    }
    seen.faults()
        .forEach(
            fault ->
                results.add(
                    seen.requests().isEmpty() && seen.unread() > 0
                        ? CheckResult.blocking(LOG, fault, "fix 'log' or the server's format")
                        : CheckResult.warning(
                            LOG, fault, "a window of a run in which this happens does not count")));
    results.add(
        CheckResult.ok(
            "clock",
            Phrase.of(
                "the clock of the log's machine is %+.1f ms from this one's (known to %.1f ms);"
                    + " lines come %d ms after their requests at most",
                seen.ahead().toNanos() / 1e6,
                seen.bound().toNanos() / 1e6,
                seen.lateness().toMillis())));
    return results;
  }

  private static String understood(Traffic traffic, LoggedWindow seen, TrafficResult result) {
    LoadResult load = result.load();
    double aborts =
        result.measures().stream()
            .filter(measure -> measure.name().equals(Traffic.ABORTS))
            .mapToDouble(Measure::value)
            .findFirst()
            .orElse(Double.NaN);
    return Phrase.of(
        "%s: %.1f requests/s, mean %.1f ms, p95 %s, %d failed, %.1f %% aborted; %d left out, %d"
            + " lines not understood",
        traffic.path(),
        load.throughput(),
        load.meanMillis(),
        Double.isNaN(load.p95Millis())
            ? "unknown (of fewer than 200)"
            : Phrase.of("%.1f ms", load.p95Millis()),
        load.failed(),
        aborts,
        seen.leftOut(),
        seen.unread());
  }
}
