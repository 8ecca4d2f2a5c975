package io.slicewise.sweep.source;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.profile.Credit;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.Measured;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.KnobSpace;
import io.slicewise.tune.course.Outcome;
import io.slicewise.tune.course.PoolMaker;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.Screening;
import io.slicewise.tune.course.Situation;
import io.slicewise.tune.course.TuneCourse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** A tune in memory: asks the source as the runner does, and measures with some noise. */
public final class TuneBench {
  static final Map<String, SchedulerParameters> FOUND =
      Map.of("web", Credit.of(256, 0), "db", Credit.of(256, 0), "Domain-0", Credit.of(256, 0));

  private final Experiment experiment;
  private final CandidatePool pool;
  private final TuneSource source;
  private final ToDoubleFunction<PlannedTrial> p95;
  private final Map<String, PlannedTrial> planned = new LinkedHashMap<>();
  private final List<Measured> measured = new ArrayList<>();
  private final Set<SessionKey> sessions = new HashSet<>();
  private Optional<SessionKey> running = Optional.empty();
  private final Map<SessionKey, Duration> sessionTimes = new HashMap<>();
  private Predicate<Trial> invalid = trial -> false;
  private double besideWindows;
  private String end = "";

  public TuneBench(
      Experiment experiment, Screening screening, int nights, ToDoubleFunction<PlannedTrial> p95) {
    this.experiment = experiment;
    this.p95 = p95;
    this.pool =
        new PoolMaker(
                experiment,
                Optional.of(
                    new KnobSpace(
                        experiment.tuning().orElseThrow().search(),
                        FOUND,
                        Map.of("web", 1, "db", 1, "Domain-0", 4),
                        4)),
                FOUND,
                profile -> Optional.empty())
            .pool(screening, OptionalDouble.empty());
    this.source = source(nights);
  }

  public TuneSource source(int nights) {
    return new TuneSource(
        experiment,
        new TuneSource.Candidates() {
          @Override
          public boolean needCalibration() {
            return true;
          }

          @Override
          public Optional<CandidatePool> pool() {
            return Optional.of(pool);
          }
        },
        nights);
  }

  /** Returns the name of a candidate; the settings found are number 0. */
  public String candidate(int number) {
    return pool.candidates().get(number).name();
  }

  /** Lets trials be invalid. */
  public TuneBench invalid(Predicate<Trial> which) {
    invalid = which;
    return this;
  }

  /** Lets each session take that many seconds beside its windows. */
  TuneBench besideWindows(double seconds) {
    besideWindows = seconds;
    return this;
  }

  TrialHistory history() {
    return new TrialHistory(
        List.copyOf(planned.values()),
        measured,
        Set.of(),
        0,
        Duration.ZERO,
        sessions,
        running,
        sessionTimes);
  }

  public TuneBench run(int most) {
    return run(source, most);
  }

  public TuneBench run(TuneSource asked, int most) {
    for (int i = 0; i < most; i++) {
      TrialSource.Answer answer = asked.next(history());
      answer.open().forEach(one -> planned.put(one.trial().slug(), one));
      Optional<SessionKey> next =
          answer.open().stream().findFirst().flatMap(one -> one.trial().session());
      if (!running.equals(next)) {
        endSession();
        running = next;
        running.ifPresent(sessions::add);
      }
      if (answer.open().isEmpty()) {
        end = answer.reason();
        return this;
      }
      measured.add(result(answer.open().get(0)));
    }
    return this;
  }

  private void endSession() {
    running.ifPresent(
        session -> {
          double windows =
              measured.stream()
                  .filter(one -> one.trial().session().equals(running))
                  .mapToDouble(Measured::seconds)
                  .sum();
          sessionTimes.put(session, Duration.ofMillis(Math.round(1e3 * (windows + besideWindows))));
        });
  }

  private Measured result(PlannedTrial one) {
    Trial trial = one.trial();
    double noise = 1 + 0.02 * new SplittableRandom(trial.number()).nextGaussian();
    double value = p95.applyAsDouble(one) * noise;
    return new Measured(
        trial,
        !invalid.test(trial),
        Map.of(
            "p50",
            value / 2,
            "p95",
            value,
            "p99",
            value,
            "mean",
            value / 2,
            "throughput",
            1000 / value,
            "errors",
            0.0),
        List.of(new DomainShares("db", 2, 1, 0.3, 0.1, 0.6, "")),
        60);
  }

  TuneCourse course() {
    return new TuneCourse(
        experiment,
        pool,
        new Situation(
            Outcome.of(List.copyOf(planned.values()), measured),
            history().nextNumber(),
            history()::nextSession,
            running,
            1,
            sessionTimes));
  }

  public RaceCourse race() {
    return course().races().get(0);
  }

  CandidatePool pool() {
    return pool;
  }

  Map<String, PlannedTrial> planned() {
    return planned;
  }

  List<Measured> measured() {
    return measured;
  }

  Set<SessionKey> sessions() {
    return sessions;
  }

  Map<SessionKey, Duration> sessionTimes() {
    return sessionTimes;
  }

  /** Returns why the last run ended. */
  String end() {
    return end;
  }

  List<String> path() {
    return planned.values().stream().map(one -> one.purpose() + " " + one.trial().slug()).toList();
  }

  /** A host whose p95 is lowest near weights of 1024 and 512, 30 % below that of 256 and 256. */
  public static double truth(SchedulerProfile profile) {
    double web = Math.log(weight(profile, "web") / 1024.0) / Math.log(2);
    double db = Math.log(weight(profile, "db") / 512.0) / Math.log(2);
    return 100 * (1 + 0.06 * web * web + 0.06 * db * db);
  }

  public static double weight(SchedulerProfile profile, String domain) {
    return profile.byDomain().getOrDefault(domain, FOUND.get(domain)).get(Credit.WEIGHT);
  }
}
