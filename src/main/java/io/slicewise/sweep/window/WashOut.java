package io.slicewise.sweep.window;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialSamples;
import io.slicewise.run.result.WashOutCheck;
import io.slicewise.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Computes the wait of a session between a change of settings and the measurement. */
public final class WashOut {
  private static final int RESPONSE_TIMES = 3;
  private static final double TAIL = 99;

  /** The period at the end of the warm-up from which response times are used. */
  private static final Duration LOOK_BACK = Duration.ofSeconds(10);

  private WashOut() {}

  /**
   * Returns the wash-out of a session: the one in the file, otherwise the longest of two seconds,
   * three times the 99th percentile of response times, the schedulers' longest period, and the
   * needs of the observers; at least {@code least}.
   *
   * @param p99 of the warm-up; zero if nothing is loaded
   * @param least required by an earlier session's check
   */
  public static Duration of(
      Experiment experiment, Duration p99, Duration leadTime, Duration least) {
    Duration planned = SessionPlan.washOut(experiment);
    return experiment.design().flatMap(SessionDesign::washOut).isPresent()
        ? planned
        : Stream.of(planned, p99.multipliedBy(RESPONSE_TIMES), leadTime, least)
            .max(Duration::compareTo)
            .orElseThrow();
  }

  /**
   * Returns the shortest wash-out of a session, from the earlier sessions of its load: that of the
   * last one, doubled if its measurements show that it was too short. Zero for the first.
   */
  public static Duration least(RunDirectory run, SessionKey session, SweepListener listener) {
    List<JournalEvent.SessionEnded> ended =
        JournalEvent.of(run.events(), JournalEvent.SessionEnded.class)
            .filter(one -> one.session().load().equals(session.load()))
            .filter(one -> one.washOut().isPresent())
            .toList();
    if (ended.isEmpty()) {
      return Duration.ZERO;
    }
    Duration last = ended.get(ended.size() - 1).washOut().orElseThrow();
    Set<SessionKey> alike =
        ended.stream()
            .filter(one -> one.washOut().equals(Optional.of(last)))
            .map(JournalEvent.SessionEnded::session)
            .collect(Collectors.toSet());
    LoadedRun loaded = run.load();
    Experiment experiment = loaded.experiment();
    WashOutCheck check =
        WashOutCheck.of(
            experiment,
            loaded.results().stream()
                .filter(window -> window.trial().session().filter(alike::contains).isPresent())
                .toList());
    Duration next = next(last, experiment.measure(), check.outcome());
    if (check.outcome() == WashOutCheck.Outcome.FOUND) {
      listener.notice(
          "%s; %s"
              .formatted(
                  check.sentence(),
                  experiment.design().flatMap(SessionDesign::washOut).isPresent()
                      ? "the file names the wash-out, so it stays at " + DurationText.of(last)
                      : "the next session waits at least " + DurationText.of(next)));
    }
    return next;
  }

  /** Doubles a wash-out that was too short, up to the length of a window. */
  public static Duration next(Duration last, Duration window, WashOutCheck.Outcome outcome) {
    Duration doubled = last.multipliedBy(2);
    if (outcome != WashOutCheck.Outcome.FOUND || last.compareTo(window) >= 0) {
      return last;
    }
    return doubled.compareTo(window) < 0 ? doubled : window;
  }

  /** Returns the 99th percentile of response times at the end of a warm-up; zero without any. */
  public static Duration tail(FinishedLoad warmUp, Instant from, Instant to, Workload workload) {
    Instant late = to.minus(LOOK_BACK);
    Window window = new Window(late.isAfter(from) ? late : from, to);
    return TrialSamples.load(warmUp, window, workload)
        .result()
        .flatMap(LoadResult::responseTimes)
        .filter(times -> times.getTotalCount() > 0)
        .map(WashOut::tail)
        .orElse(Duration.ZERO);
  }

  private static Duration tail(Histogram times) {
    return Duration.ofMillis(times.getValueAtPercentile(TAIL));
  }
}
