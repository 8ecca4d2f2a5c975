import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairPlan;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.load.access.LogReplay;
import io.slicewise.load.access.Seen;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialTimes.CutShort;
import io.slicewise.stats.SlowdownAlarm;
import io.slicewise.stats.SlowdownAlarm.Second;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * What studies of pairs conclude about harm on a real log: its requests are those of both arms,
 * under a candidate that changes nothing, or one that doubles each duration. The log is repeated;
 * each study begins somewhere in it, with coins of its own.
 */
final class HarmOnLogs {
  private static final int STUDIES = Integer.getInteger("studies", 300);
  private static final int PAIRS = 100;
  private static final int WASH_OUT = 2;
  private static final int WARM_UP = 45;
  private static final long LEAST = 20;
  private static final int MICROS = 1_000_000;

  private final LogReplay log;
  private final Random random = new Random(20261129);
  private final double moreErrors;
  private final int length;
  private final Second[] seconds;
  private final List<List<Double>> millis = new ArrayList<>();

  private HarmOnLogs(LogReplay log, double moreErrors) {
    this.log = log;
    this.moreErrors = moreErrors;
    Window span = log.span().orElseThrow();
    long begin = Seen.micros(span.start());
    length = (int) span.seconds();
    long[] requests = new long[length];
    long[] errors = new long[length];
    double[] logs = new double[length];
    seconds = new Second[length];
    for (int s = 0; s < length; s++) {
      millis.add(new ArrayList<>());
    }
    for (Seen seen : log.requests()) {
      boolean fails = seen.failed() || random.nextDouble() < moreErrors;
      int start = (int) ((seen.startMicros() - begin) / MICROS);
      int end = (int) ((seen.startMicros() + seen.durationMicros() - begin) / MICROS);
      double duration = Math.max(seen.durationMicros(), log.resolutionMicros() / 2.0) / 1000;
      if (start < length) {
        millis.get(start).add(seen.aborted() ? Double.NaN : duration);
      }
      if (end < length && !seen.aborted()) {
        requests[end]++;
        errors[end] += fails ? 1 : 0;
        logs[end] += Math.log(duration);
      }
    }
    for (int s = 0; s < length; s++) {
      seconds[s] = new Second(requests[s], errors[s], logs[s]);
    }
  }

  static void print(String format, LogReplay log) throws Exception {
    for (int candidates : new int[] {1, 3}) {
      new HarmOnLogs(log, 0).print(format, candidates, 1, 0.005);
      new HarmOnLogs(log, 0.011).print(format, candidates, 1, 0.005);
      new HarmOnLogs(log, 0.011).print(format, candidates, 1, 0.02);
    }
    new HarmOnLogs(log, 0).print(format, 1, 2, 0.02);
  }

  private void print(String name, int candidates, double factor, double limit) throws Exception {
    int harmful = 0;
    int left = 0;
    int worse = 0;
    int better = 0;
    int[] pairs = new int[STUDIES];
    for (int study = 0; study < STUDIES; study++) {
      PairedStudy end = study(study, candidates, factor, limit);
      harmful += any(end, PairedStudy.State.HARMFUL) ? 1 : 0;
      left += any(end, PairedStudy.State.LEFT) ? 1 : 0;
      worse += any(end, PairedStudy.State.WORSE) ? 1 : 0;
      better += any(end, PairedStudy.State.BETTER) ? 1 : 0;
      pairs[study] =
          any(end, PairedStudy.State.HARMFUL) || any(end, PairedStudy.State.WORSE) ? last : PAIRS;
    }
    Arrays.sort(pairs);
    System.out.printf(
        Locale.ROOT,
        "%s, %d candidates, durations x %.0f, %.1f %% more errors, limit %.1f %%: of %d studies"
            + " harmful %d, worse %d, better %d, left %d; pairs to harm or worse: median %d, 90 %%"
            + " %d%n",
        name,
        candidates,
        factor,
        100 * moreErrors,
        100 * limit,
        STUDIES,
        harmful,
        worse,
        better,
        left,
        pairs[STUDIES / 2],
        pairs[STUDIES * 9 / 10]);
  }

  private int last;

  private static boolean any(PairedStudy study, PairedStudy.State state) {
    return study.candidates().stream().anyMatch(one -> one.state() == state);
  }

  private PairedStudy study(int seed, int candidates, double factor, double limit)
      throws Exception {
    StringBuilder profiles = new StringBuilder();
    for (int c = 1; c <= candidates; c++) {
      profiles.append(
          "  - {name: c%d, scheduler: credit2, main: {weight: %d}}%n".formatted(c, 300 + c));
    }
    Path file = Files.createTempFile("study", ".yaml");
    Files.writeString(
        file,
        """
        name: study
        seed: %d
        host: {address: nowhere.invalid, dead-man: 1m}
        domains: {main: [web]}
        profiles:
          - as-found
        %sworkload:
          name: traffic
          log: {path: /none, format: nginx}
        design: {kind: pairs, window: 10s, wash-out: 2s, at-most: {pairs: %d}}
        goal: lowest outcome geometric-mean
        """
            .formatted(seed + 1, profiles, PAIRS));
    Experiment experiment = ExperimentFiles.read(file);
    Files.delete(file);
    SlowdownAlarm alarm = new SlowdownAlarm(limit);
    int at = random.nextInt(length);
    for (int s = 0; s < WARM_UP; s++) {
      alarm.learn(seconds[at++ % length]);
    }
    PairPlan plan = new PairPlan(experiment);
    List<Trial> windows = new ArrayList<>();
    List<Measured> measured = new ArrayList<>();
    PairedStudy study = PairedStudy.of(experiment, measured);
    SessionKey session = new SessionKey(experiment.loads().get(0), 1);
    while (!study.in().isEmpty() && windows.size() < 2 * PAIRS * candidates) {
      List<Trial> two = plan.next(windows, study.in(), windows.size() + 1, session);
      for (Trial trial : two) {
        windows.add(trial);
        boolean found = trial.profile().equals("as-found");
        int measure = (int) Math.round(experiment.measure(trial).toMillis() / 1e3);
        at += window(trial, at, measure, found ? 1 : factor, alarm, measured);
      }
      study = PairedStudy.of(experiment, measured);
      last = windows.size() / 2;
    }
    return study;
  }

  private int window(
      Trial trial,
      int at,
      int measure,
      double factor,
      SlowdownAlarm alarm,
      List<Measured> measured) {
    alarm.begin();
    Optional<CutShort> cut = Optional.empty();
    int took = 0;
    while (took < WASH_OUT + measure && cut.isEmpty()) {
      Second second = seconds[(at + took) % length];
      if (factor == 1 && trial.profile().equals("as-found") && took >= WASH_OUT) {
        alarm.learn(second);
      }
      cut =
          alarm
              .watch(
                  new Second(
                      second.requests(),
                      second.errors(),
                      second.sumOfLogs() + second.requests() * Math.log(factor)))
              .map(given -> new CutShort(given.kind(), given.sentence(), 0.5));
      took++;
    }
    double logs = 0;
    long n = 0;
    long all = 0;
    for (int s = WASH_OUT; s < took; s++) {
      all += millis.get((at + s) % length).size();
      for (double one : millis.get((at + s) % length)) {
        if (!Double.isNaN(one)) {
          logs += Math.log(one * factor);
          n++;
        }
      }
    }
    boolean valid = took > WASH_OUT && all >= LEAST;
    measured.add(
        new Measured(
            trial,
            valid,
            valid
                ? Map.of(
                    "outcome geometric-mean",
                    Math.exp(logs / n),
                    "throughput",
                    (double) all / (took - WASH_OUT))
                : Map.of(),
            List.of(),
            took,
            false,
            cut));
    return took;
  }
}
