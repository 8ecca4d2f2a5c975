package io.slicewise.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The utilisation law finds again what a run spent: demands derived from a run of known demands are
 * those, and a run that cannot tell them is refused.
 */
class CalibrationTest {
  @TempDir private Path directory;

  private RunDirectory measured(Demands demands, Route route, String measure) throws IOException {
    Experiment experiment = Premade.experiment(directory, "measure: 8s", "measure: " + measure);
    Premises premises = new Premises(Premade.host(), demands, route, "of a test");
    return Premade.asIfMeasured(Premade.run(experiment, premises, directory.resolve("r"), 2));
  }

  @Test
  void findsTheDemandsAgain() throws IOException {
    Calibration found = Calibration.of(measured(Demands.LAB, Route.PAGE_VIEW, "60s").load());
    assertThat(found.trials()).isEqualTo(4);
    for (Place place : Place.values()) {
      assertThat((double) found.demands().at(place).toNanos())
          .as(place.key())
          .isCloseTo((double) Demands.LAB.at(place).toNanos(), Percentage.withPercentage(2));
    }
    assertThat(found.lines()).hasSize(4).allMatch(words -> words.endsWith(" ms"));
  }

  /** The web server, its files and its database, as the guests of other workloads. */
  private RunDirectory measured(String workload, Premises premises) throws IOException {
    String text =
        Premade.text()
            .replace("{name: web-app, target: \"http://web.example/\"}", workload)
            .replace(
                "[web, files, db]",
                workload.contains("tpcb")
                    ? "[db], other: [web]"
                    : workload.contains("vps") ? "[web, files]" : "[web, db]")
            .replace("users: [20]\n", workload.contains("observe") ? "" : "users: [20]\n")
            .replace("ramp: 1s\n", workload.contains("observe") ? "" : "ramp: 1s\n")
            .replace("measure: 8s", "measure: 60s");
    Experiment experiment = Premade.experiment(directory, Premade.text(), text);
    return Premade.asIfMeasured(Premade.run(experiment, premises, directory.resolve("r"), 2));
  }

  private static Premises premises(Demands demands, Map<String, Double> ownLoad) {
    return new Premises(Premade.host(), demands, Route.PAGE_VIEW, "of a test", ownLoad);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: portal, target: \"http://web.example/\"}",
        "{name: tpcb, database: \"jdbc:postgresql://db.example/bench\"}",
        "{name: vps, guests: [{name: web, target: \"http://web.example/\"},"
            + " {name: files, target: \"http://files.example/\"}]}"
      })
  void findsTheDemandsOfOtherWorkloadsAgain(String workload) throws IOException {
    boolean portal = workload.contains("portal");
    Demands spent =
        new Demands(
            Duration.ofMillis(workload.contains("tpcb") ? 0 : 6),
            Duration.ofMillis(workload.contains("vps") ? 0 : 9),
            Duration.ZERO,
            Duration.ofMillis(3),
            Duration.ZERO);
    RunDirectory run = measured(workload, premises(spent, Map.of()));
    Calibration found = Calibration.of(run.load());
    for (Place place : Place.values()) {
      assertThat(found.demands().at(place).toNanos() / 1e6)
          .as(place.key())
          .isCloseTo(spent.at(place).toNanos() / 1e6, Percentage.withPercentage(2));
    }
    assertThat(found.ownLoad()).isEmpty();
    assertThat(run.results()).allMatch(trial -> trial.load().orElseThrow().throughput() > 20);
    assertThat(found.sentence())
        .matches("a request needs dom0 (2\\.9|3\\.0)\\d ±.*")
        .contains(portal ? ", web " : " ms")
        .endsWith(": derived from 4 trials of " + run.name());
  }

  /** A cap hides how much a guest would run, so only the baseline's trials count. */
  @Test
  void findsTheLoadThatGuestsHaveOfTheirOwn() throws IOException {
    Map<String, Double> own = Map.of("web", 0.25, "db", 3.0, HostModel.DOM0, 19.0);
    Calibration found =
        Calibration.of(measured("{name: observe}", premises(Demands.LAB, own)).load());
    assertThat(found.estimates()).isEmpty();
    assertThat(found.disk()).isZero();
    assertThat(found.ownLoad()).containsOnlyKeys(own.keySet());
    own.forEach(
        (domain, blocked) ->
            assertThat(found.ownLoad().get(domain))
                .as(domain)
                .isCloseTo(blocked, Percentage.withPercentage(6)));
    assertThat(found.sentence()).startsWith("own load (Domain-0 ").contains("db 2", " if alone)");
  }

  /** Neighbours that were busy while the workload was measured are so in the simulation. */
  @Test
  void takesTheLoadOfTheOtherGuestsAlong() throws IOException {
    RunDirectory run =
        measured(
            "{name: portal, target: \"http://web.example/\"}",
            premises(Demands.LAB, Map.of("files", 1.0)));
    assertThat(Calibration.of(run.load()).ownLoad()).containsOnlyKeys("files");
    assertThat(Calibration.of(run.load()).ownLoad().get("files")).isCloseTo(1.0, within(0.1));
  }

  @Test
  void findsWhatServesOffTheCpus() throws IOException {
    Calibration found =
        Calibration.of(measured(Demands.STUDY_2010, Route.STUDY_2010, "60s").load());
    assertThat(found.disk().toNanos() / 1e6).isCloseTo(11.9, within(0.4));
    assertThat(Arrays.stream(Place.values()).mapToLong(p -> found.demands().at(p).toNanos()).sum())
        .isCloseTo(35_089_000L, Percentage.withPercentage(3));
  }

  @Test
  void refusesARunThatWasItselfSimulated() throws IOException {
    RunDirectory run =
        Premade.run(Premade.experiment(directory), Premade.lab(), directory.resolve("r"), 2);
    assertThatThrownBy(() -> Calibration.of(run.load()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("is itself simulated");
  }

  @Test
  void refusesARunWithoutAValidTrial() throws IOException {
    Demands endless = Demands.LAB.scaled(1e6);
    Premises premises = new Premises(Premade.host(), endless, Route.PAGE_VIEW, "of a test");
    RunDirectory run =
        Premade.run(Premade.experiment(directory), premises, directory.resolve("r"), 2);
    assertThatThrownBy(() -> Calibration.of(Premade.asIfMeasured(run).load()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("no valid trial");
  }
}
