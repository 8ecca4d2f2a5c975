package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.load.Load;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.UncountedLoad;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Mser5;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Windows of switchback sessions with numbers that a test sets. */
final class Sessions {
  static final int SECONDS = 10;
  private static final Instant BEGIN = Instant.parse("2026-11-20T21:00:00Z");

  private Sessions() {}

  /** The experiment with sessions of so many blocks; the first profile is the baseline. */
  static Experiment experiment(int sessions, int blocks, String... profiles) {
    return design(Trials.experiment(List.of(25), sessions * blocks, profiles), sessions, blocks);
  }

  /** The same with the baseline found twice. */
  static Experiment withControl(Experiment experiment, String control) {
    List<SchedulerProfile> profiles = new ArrayList<>(experiment.profiles());
    SchedulerProfile baseline = experiment.profile(experiment.baseline());
    profiles.add(
        new SchedulerProfile(
            control, baseline.scheduler(), baseline.byRole(), baseline.byDomain()));
    SessionDesign design = experiment.design().orElseThrow();
    return design(
        Trials.experiment(List.of(25), experiment.repetitions(), profiles),
        design.sessions(),
        design.blocks());
  }

  private static Experiment design(Experiment e, int sessions, int blocks) {
    return Trials.withDesign(
        e,
        new SwitchbackDesign(
            sessions, blocks, Duration.ofSeconds(SECONDS), Optional.of(Duration.ofSeconds(2))));
  }

  /** What a window has by session, block and profile. */
  interface Rates {
    double of(int session, int block, String profile, String previous, boolean secondHalf);
  }

  /** All windows of the design in random blocks; a mean response time follows from its rate. */
  static List<TrialResult> run(Experiment experiment, Rates rates) {
    SessionDesign design = experiment.design().orElseThrow();
    Random random = new Random(1);
    List<TrialResult> results = new ArrayList<>();
    for (int session = 1; session <= design.sessions(); session++) {
      String previous = "";
      for (int block = 1; block <= design.blocks(); block++) {
        List<String> order = new ArrayList<>(Summaries.profileNames(experiment));
        Collections.shuffle(order, random);
        for (int position = 1; position <= order.size(); position++) {
          String profile = order.get(position - 1);
          Trial trial =
              new Trial(
                      results.size() + 1,
                      (session - 1) * design.blocks() + block,
                      profile,
                      Load.of(25),
                      block)
                  .at(new WindowPlace(session, block, position));
          results.add(
              window(
                  trial,
                  rates.of(session, block, profile, previous, false),
                  rates.of(session, block, profile, previous, true)));
          previous = profile;
        }
      }
    }
    return results;
  }

  private static TrialResult window(Trial trial, double first, double second) {
    Instant start = BEGIN.plusSeconds(trial.number() * (SECONDS + 2L));
    List<Reduction.Second> series =
        IntStream.range(0, SECONDS)
            .mapToObj(i -> second(i, i < SECONDS / 2 ? first : second))
            .toList();
    double rate = (first + second) / 2;
    double mean = 25_000 / rate;
    LoadResult load =
        UncountedLoad.of(
            "total",
            Math.round(rate * SECONDS),
            0,
            Map.of(),
            rate,
            mean,
            mean,
            mean,
            2 * mean,
            Double.NaN,
            0,
            histogram(mean, 500),
            List.of(),
            series,
            Mser5.of());
    return new TrialResult(
        trial,
        new TrialTimes(
            new Window(start.minusSeconds(2), start),
            new Window(start, start.plusSeconds(SECONDS)),
            Map.of()),
        TrialHost.of(4, Map.of()),
        new TrialLoad(Optional.of(load), List.of(), List.of()),
        List.of());
  }

  private static Reduction.Second second(int second, double rate) {
    return new Reduction.Second(
        second, Math.round(1000 * rate), 0, 25_000 / rate, 50_000 / rate, 25);
  }

  /** A histogram of that many samples, the last one in fifty of them at three times the mean. */
  private static String histogram(double mean, int samples) {
    Histogram histogram = new Histogram(2);
    histogram.recordValueWithCount(Math.round(mean), samples - samples / 50);
    histogram.recordValueWithCount(Math.round(3 * mean), samples / 50);
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** The same window, excluded by a rule. */
  static TrialResult excluded(TrialResult window) {
    return new TrialResult(
        window.trial(),
        List.of(new Finding(Rule.ERRORS, true, "errors 3 %", "")),
        List.of(),
        window.times(),
        window.host(),
        window.loaded(),
        window.observations());
  }
}
