package io.slicewise.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.TrialParts;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.run.ComputedRun.Computed;
import io.slicewise.run.result.Measured;
import io.slicewise.stats.capacity.Forecast;
import io.slicewise.stats.capacity.ScalabilityLaw;
import io.slicewise.study.edge.EdgeCourse;
import io.slicewise.study.edge.EdgeCourse.ProfileCurve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How good the search for the most guests that fit is, on hosts drawn at random whose true edge is
 * known from long simulations of each. {@code -Dslicewise.hosts=50 -Dslicewise.seed=1000} runs
 * other ones, and not as many.
 */
@Tag("nightly")
class ConsolidationGoalsTest {
  private static final int GUESTS = 12;
  private static final int HOSTS = 200;

  @TempDir private Path directory;

  @Test
  void findsTheEdgeOfDrawnHosts() throws IOException {
    List<Found> all = new ArrayList<>();
    int hosts = Integer.getInteger("slicewise.hosts", HOSTS);
    for (int seed = Integer.getInteger("slicewise.seed", 1); all.size() < hosts; seed++) {
      new Host(seed, directory).search().ifPresent(all::add);
    }
    print(all);
    assertThat(count(all, one -> Math.abs(one.predicted - one.truth) <= 1) / hosts)
        .as("predicted within one guest")
        .isGreaterThanOrEqualTo(0.9);
    assertThat(count(all, one -> one.fits > one.truth) / hosts)
        .as("false fits")
        .isLessThanOrEqualTo(0.05);
    assertThat(all.stream().mapToInt(one -> one.cells).sum())
        .as("measured cells")
        .isLessThanOrEqualTo(all.size() * GUESTS / 2);
    double error = error(all, one -> one.predicted);
    assertThat(error).isLessThanOrEqualTo(error(all, one -> one.law) / 2);
    assertThat(error).isLessThanOrEqualTo(error(all, one -> one.line) / 2);
    assertThat(error).isLessThanOrEqualTo(error(all, one -> one.ratio) / 2);
  }

  private static double count(List<Found> all, java.util.function.Predicate<Found> which) {
    return all.stream().filter(which).count();
  }

  private static double error(List<Found> all, java.util.function.ToIntFunction<Found> guess) {
    return all.stream()
        .filter(Found::isAnswered)
        .mapToInt(one -> Math.abs(guess.applyAsInt(one) - one.truth))
        .average()
        .orElseThrow();
  }

  private static void print(List<Found> all) {
    if (Boolean.getBoolean("slicewise.each")) {
      all.forEach(one -> System.out.println(one));
    }
    System.out.printf(
        Locale.ROOT,
        "hosts %d, answered %.0f, predicted exact %.0f, within one %.0f, false fits %.0f, confirmed %.0f, missed %.0f, cells %d of %d, trials %d%n",
        all.size(),
        count(all, Found::isAnswered),
        count(all, one -> one.predicted == one.truth),
        count(all, one -> Math.abs(one.predicted - one.truth) <= 1),
        count(all, one -> one.fits > one.truth),
        count(all, one -> one.confirmed),
        count(all, one -> one.fits < one.truth),
        all.stream().mapToInt(one -> one.cells).sum(),
        all.size() * GUESTS,
        all.stream().mapToInt(one -> one.trials).sum());
    System.out.printf(
        Locale.ROOT,
        "error in guests: models %.3f, law %.3f, line %.3f, 4:1 %.3f%n",
        error(all, one -> one.predicted),
        error(all, one -> one.law),
        error(all, one -> one.line),
        error(all, one -> one.ratio));
  }

  /** The true edge of a host and what was found of it. */
  private record Found(
      int seed,
      String host,
      int truth,
      int predicted,
      int fits,
      boolean confirmed,
      int cells,
      int trials,
      int law,
      int line,
      int ratio) {
    private static final int NOTHING = -9;

    /** A host on which the fewest guests have too few requests for their metric. */
    static Found unanswered(int seed, int truth, int cells) {
      return new Found(
          seed, "unanswered", truth, NOTHING, 0, false, cells, 0, NOTHING, NOTHING, NOTHING);
    }

    boolean isAnswered() {
      return predicted != NOTHING;
    }
  }

  private static final class Host {
    private final int seed;
    private final int pcpus;
    private final int vcpus;
    private final String text;
    private final double limit;
    private final Experiment experiment;
    private final Premises premises;

    Host(int seed, Path directory) throws IOException {
      this.seed = seed;
      Random random = new Random(seed);
      pcpus = 2 + random.nextInt(7);
      vcpus = 1 + random.nextInt(2);
      int dom0 = 1 + random.nextInt(pcpus);
      double guestMillis = 4 + 26 * random.nextDouble();
      double controlMillis = 1 + 7 * random.nextDouble();
      int users = 3 + random.nextInt(10);
      int think = 50 * (2 + random.nextInt(11));
      // A 95th percentile that is some times that of a request alone, whose mean is a third of it.
      limit = Math.rint(3 * (guestMillis + controlMillis) * (1.3 + 3.7 * random.nextDouble()));
      StringBuilder names = new StringBuilder();
      Map<String, Integer> all = new LinkedHashMap<>();
      all.put(HostModel.DOM0, dom0);
      for (int guest = 1; guest <= GUESTS; guest++) {
        names.append(guest == 1 ? "" : ", ").append("web-").append(guest);
        all.put("web-" + guest, vcpus);
      }
      text =
          """
          name: drawn
          lab: {}
          domains: {main: [%s]}
          profiles: [{name: even, scheduler: credit, main: {weight: 256}}]
          workload: {name: vps, properties: {think-time: %d}}
          users: %d
          guests: 1..%d
          order: edge
          goal: p95 < %.0fms
          repetitions: 3
          ramp: 1s
          warm-up: 3s
          measure: 30s
          seed: %d
          """
              .formatted(names, think, users, GUESTS, limit, seed);
      experiment =
          GuestRoles.named(
              ExperimentFiles.read(Files.writeString(directory.resolve("drawn.yaml"), text)));
      premises =
          new Premises(
              new HostModel(
                  HypervisorVersion.of(4, 17),
                  pcpus,
                  Optional.empty(),
                  all,
                  Set.of(),
                  Map.of(),
                  "drawn"),
              new Demands(
                  nanos(guestMillis),
                  Duration.ZERO,
                  Duration.ZERO,
                  nanos(controlMillis),
                  Duration.ZERO),
              Route.PAGE_VIEW,
              "drawn");
    }

    private static Duration nanos(double millis) {
      return Duration.ofNanos(Math.round(1e6 * millis));
    }

    /** Searches as a run does; empty if the edge is not among the numbers of guests. */
    Optional<Found> search() {
      int truth = truth();
      if (truth == 0 || truth == GUESTS) {
        return Optional.empty();
      }
      List<Measured> measured = new ArrayList<>();
      for (List<Trial> next = new EdgeCourse(experiment, measured).next();
          !next.isEmpty();
          next = new EdgeCourse(experiment, measured).next()) {
        next.forEach(trial -> measured.add(measure(experiment, trial)));
      }
      EdgeCourse course = new EdgeCourse(experiment, measured);
      ProfileCurve curve = course.curves().get(0);
      if (curve.first().isEmpty()) {
        return Optional.of(Found.unanswered(seed, truth, course.cost().cells()));
      }
      Forecast first = curve.first().orElseThrow();
      return Optional.of(
          new Found(
              seed,
              "%d pCPUs, %d vCPUs, dom0 %d, %s"
                  .formatted(
                      pcpus, vcpus, premises.host().vcpus().get(HostModel.DOM0), first.cost()),
              truth,
              curve.predicted().orElseThrow(),
              curve.search().fits().orElse(0),
              curve.search().found(),
              course.cost().cells(),
              course.cost().trials(),
              law(first),
              line(),
              Math.min(GUESTS, 4 * pcpus / vcpus)));
    }

    /** Returns the largest number whose worst guest is inside the limit in a long simulation. */
    private int truth() {
      Experiment longer =
          experiment
              .inParts(
                  new TrialParts(
                      Duration.ofSeconds(1),
                      Duration.ofSeconds(5),
                      Duration.ofSeconds(300),
                      Duration.ZERO))
              .seeded(seed + 100_000L);
      int low = 0;
      int high = GUESTS + 1;
      while (high - low > 1) {
        int middle = (low + high) / 2;
        if (average(measure(longer, trial(middle, 1)), middle) < limit) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** Returns the mean of the guests, which are all alike, so that chance picks no worst one. */
    private static double average(Measured measured, int guests) {
      double sum = 0;
      for (int guest = 1; guest <= guests; guest++) {
        sum += measured.value(Measured.of("p95", "web-" + guest));
      }
      return sum / guests;
    }

    private Trial trial(int guests, int repetition) {
      Load load = experiment.loads().get(0).with(Axis.GUESTS, Level.of(guests));
      return new Trial(guests, repetition, "even", load, repetition);
    }

    private Measured measure(Experiment which, Trial trial) {
      Computed done = new TrialModel(which, premises, trial).run();
      Measured plain =
          Measured.of(
              trial,
              true,
              done.load().result(),
              HypervisorShares.shares(HypervisorShares.observation(done.monitor())),
              1);
      return new Measured(
          trial, true, plain.metrics(), plain.shares(), 1, false, Optional.empty(), pcpus);
    }

    /** The scalability law alone, from one, two and three guests. */
    private int law(Forecast first) {
      double[] sizes = {1, 2, 3};
      double[] rates = new double[3];
      double[] times = new double[3];
      for (int guests = 1; guests <= 3; guests++) {
        Measured one = measure(experiment, trial(guests, 1));
        rates[guests - 1] = one.value("throughput");
        times[guests - 1] = average(one, guests);
      }
      ScalabilityLaw law = ScalabilityLaw.fit(sizes, rates);
      TreeMap<Integer, Forecast.Point> points = new TreeMap<>();
      for (int i = 0; i < 3; i++) {
        points.put(i + 1, new Forecast.Point(times[i] / limit, rates[i]));
      }
      Forecast three =
          new Forecast(first.cost(), first.users(), first.thinkSeconds(), false, points);
      assertThat(three.law()).contains(law);
      return three.edge(new EdgeCourse(experiment, List.of()).levels(), three::scalability);
    }

    /** A line through the response times of one and two guests. */
    private int line() {
      double one = average(measure(experiment, trial(1, 1)), 1);
      double slope = average(measure(experiment, trial(2, 1)), 2) - one;
      int edge = 0;
      while (edge < GUESTS && one + edge * slope < limit) {
        edge++;
      }
      return edge;
    }
  }
}
