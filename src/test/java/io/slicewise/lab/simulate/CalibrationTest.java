package io.slicewise.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Place;
import io.slicewise.lab.sim.Route;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    Calibration found = Calibration.of(measured(Demands.LAB, Route.PAGE_VIEW, "60s"));
    assertThat(found.trials()).isEqualTo(4);
    for (Place place : Place.values()) {
      assertThat((double) found.demands().at(place).toNanos())
          .as(place.key())
          .isCloseTo((double) Demands.LAB.at(place).toNanos(), Percentage.withPercentage(2));
    }
    assertThat(found.lines()).hasSize(4).allMatch(words -> words.endsWith(" ms"));
  }

  @Test
  void findsWhatServesOffTheCpus() throws IOException {
    Calibration found = Calibration.of(measured(Demands.STUDY_2010, Route.STUDY_2010, "60s"));
    assertThat(found.disk().toNanos() / 1e6).isCloseTo(11.9, within(0.4));
    assertThat(Arrays.stream(Place.values()).mapToLong(p -> found.demands().at(p).toNanos()).sum())
        .isCloseTo(35_089_000L, Percentage.withPercentage(3));
  }

  @Test
  void refusesARunThatWasItselfSimulated() throws IOException {
    RunDirectory run =
        Premade.run(Premade.experiment(directory), Premade.lab(), directory.resolve("r"), 2);
    assertThatThrownBy(() -> Calibration.of(run))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("is itself simulated");
  }

  @Test
  void refusesARunWithoutAValidTrial() throws IOException {
    Demands endless = Demands.LAB.scaled(1e6);
    Premises premises = new Premises(Premade.host(), endless, Route.PAGE_VIEW, "of a test");
    RunDirectory run =
        Premade.run(Premade.experiment(directory), premises, directory.resolve("r"), 2);
    assertThatThrownBy(() -> Calibration.of(Premade.asIfMeasured(run)))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("no valid trial");
  }
}
