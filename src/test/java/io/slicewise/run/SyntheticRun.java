package io.slicewise.run;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Axis;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.stats.Mser5;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * A run directory of any size with distributions, series and shares, written by the program's own
 * writer. Response times are lognormal and slow down as the main domain's weight falls, its cap
 * bites, users come or neighbours interfere; every number follows from the experiment's seed.
 */
public final class SyntheticRun {
  private static final Instant NIGHT = Instant.parse("2026-11-20T21:00:00Z");

  private final Experiment experiment;
  private final int seconds;
  private final int samples;
  private final List<String> labels;

  private SyntheticRun(Experiment experiment, int seconds, int samples, List<String> labels) {
    this.experiment = experiment;
    this.seconds = seconds;
    this.samples = samples;
    this.labels = labels;
  }

  /**
   * Writes it.
   *
   * @param seconds measured in a trial
   * @param samples of a trial at the lowest load
   * @param labels of the requests, each with an equal part
   */
  public static RunDirectory write(
      Path root, String experiment, int seconds, int samples, List<String> labels) {
    RecordedRun run = RecordedRun.begin(root, experiment).restored();
    Experiment read = ExperimentFiles.read(root.resolve("experiment.yaml"));
    SyntheticRun synthetic = new SyntheticRun(read, seconds, samples, labels);
    Plan.of(read).forEach(trial -> run.trial(synthetic.result(trial)));
    return run.end();
  }

  private TrialResult result(Trial trial) {
    Random random = new Random(experiment.seed() * 31 + trial.number());
    double pressure = pressure(trial);
    double typical = 60 * pressure * Math.exp(0.03 * random.nextGaussian());
    double rate = trial.users() * 1000.0 / (typical * 1.3 + 400);
    boolean broken = trial.number() % 41 == 7;
    Instant start = NIGHT.plusSeconds(trial.number() * (seconds + 30L));
    Window window = new Window(start, start.plusSeconds(seconds));
    return new TrialResult(
        trial,
        broken
            ? List.of(
                new Finding(Rule.ERRORS, true, "errors 3.10 % > 0.50 %", "the target refused"))
            : List.of(),
        trial.number() % 17 == 3 ? List.of("a monitor's record was lost") : List.of(),
        new TrialTimes(
            new Window(start.minusSeconds(20), start),
            window,
            Map.of("warm up", 20.0, "measure", (double) seconds)),
        TrialHost.of(16, experiment.settings(experiment.profile(trial.profile()))),
        TrialLoad.of(load(random, typical, rate, broken)),
        List.of(HypervisorShares.observation(monitor(random, window, pressure))));
  }

  /** How much slower than an idle host: by users, the main domain's weight and its cap. */
  private double pressure(Trial trial) {
    String main = "web";
    SchedulerParameters set = experiment.settings(experiment.profile(trial.profile())).get(main);
    double weight = 256;
    double cap = 400;
    if (set != null && set.scheduler() == Scheduler.CREDIT) {
      weight = set.get(Credit.WEIGHT);
      cap = set.get(Credit.CAP) == 0 ? 400 : set.get(Credit.CAP);
    } else if (set != null && set.scheduler() == Scheduler.SEDF) {
      cap = 400.0 * set.get(Sedf.SLICE).toMillis() / set.get(Sedf.PERIOD).toMillis();
      weight = 256 + 20_000.0 / set.get(Sedf.PERIOD).toMillis();
    }
    double load = trial.users() / 400.0 + 0.2 * trial.load().count(Axis.NEIGHBOURS).orElse(0);
    return 1 + 2 * load + 0.5 * load * Math.sqrt(256 / weight) + 60 * load / cap;
  }

  private LoadResult load(Random random, double typical, double rate, boolean broken) {
    Histogram times = new Histogram(3);
    for (int i = 0; i < 20_000; i++) {
      times.recordValueWithCount(
          Math.round(typical * Math.exp(0.45 * random.nextGaussian())),
          Math.max(1, samples / 20_000));
    }
    List<Reduction.Second> series = new ArrayList<>();
    for (int second = 0; second < seconds; second++) {
      long count = Math.max(0, Math.round(rate + Math.sqrt(rate) * random.nextGaussian()));
      series.add(
          new Reduction.Second(
              second,
              count,
              broken && second % 9 == 4 ? count / 4 : 0,
              typical,
              typical * (2 + 0.3 * random.nextGaussian()),
              10));
    }
    List<LoadResult> parts =
        labels.stream().map(label -> one(label, times, rate / labels.size(), List.of())).toList();
    LoadResult total = one("total", times, rate, parts);
    return UncountedLoad.of(
        total.label(),
        total.samples(),
        broken ? total.samples() / 32 : 0,
        Map.of(),
        total.throughput(),
        total.meanMillis(),
        total.deviationMillis(),
        total.p50Millis(),
        total.p95Millis(),
        total.p99Millis(),
        total.receivedBytes(),
        total.histogram(),
        parts,
        series,
        Mser5.of());
  }

  private static LoadResult one(
      String label, Histogram times, double rate, List<LoadResult> parts) {
    ByteBuffer buffer = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
    int length = times.encodeIntoCompressedByteBuffer(buffer);
    return UncountedLoad.of(
        label,
        times.getTotalCount(),
        0,
        Map.of(),
        rate,
        times.getMean(),
        times.getStdDeviation(),
        (double) times.getValueAtPercentile(50),
        (double) times.getValueAtPercentile(95),
        (double) times.getValueAtPercentile(99),
        1_000_000,
        Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length)),
        parts,
        List.of(),
        Mser5.of());
  }

  private MonitorResult monitor(Random random, Window window, double pressure) {
    List<String> names = new ArrayList<>();
    experiment.domains().values().forEach(names::addAll);
    names.sort(null);
    List<DomainShares> shares = new ArrayList<>();
    List<MonitorResult.Second> series = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      double run =
          Math.min(0.8, 0.18 * pressure / (i + 1) * Math.exp(0.04 * random.nextGaussian()));
      double waiting =
          Math.min(0.95 - run, 0.05 * pressure * Math.exp(0.1 * random.nextGaussian()));
      shares.add(new DomainShares(names.get(i), i, 2, run, waiting, 1 - run - waiting, ""));
      for (int second = 0; second < seconds; second++) {
        series.add(
            new MonitorResult.Second(
                second,
                names.get(i),
                run * (1 + 0.1 * random.nextGaussian()),
                waiting * (1 + 0.2 * random.nextGaussian())));
      }
    }
    return new MonitorResult("xenmon", window, shares, series, List.of());
  }
}
