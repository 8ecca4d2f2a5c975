package io.slicewise.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.experiment.Experiment;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: a host with libvirt is simulated by shares, quotas and pinning. */
class LinuxSimulationTest {
  private static final Premises PREMISES =
      new Premises(Premade.linux(), Demands.LAB, Route.PAGE_VIEW, "of a test");

  @TempDir private Path directory;
  private RunDirectory run;

  @BeforeEach
  void simulate() throws IOException {
    String profiles =
        """
          - {name: default, scheduler: cfs, domains: {web: {shares: 100}}}
          - {name: heavy, scheduler: cfs, domains: {web: {shares: 900}}}
          - {name: capped, scheduler: cfs, domains: {web: {shares: 900, cap: 10%}}}
        """;
    String old = Premade.text();
    String xen = old.substring(old.indexOf("  - {name: even"), old.indexOf("workload:"));
    Experiment experiment = Premade.experiment(directory, xen, profiles + "baseline: default\n");
    run = Premade.run(experiment, PREMISES, directory.resolve("r"), 2);
  }

  @Test
  void sharesAndQuotasMoveTimeAndRate() {
    Map<String, TrialResult> trials = new HashMap<>();
    run.results().forEach(one -> trials.put(one.trial().profile(), one));
    assertThat(trials.values()).allMatch(TrialResult::valid);
    assertThat(trials.get("default").shares())
        .extracting(DomainShares::domain)
        .containsExactly("web", "files", "db", "batch");
    assertThat(rate(trials, "heavy")).isGreaterThan(1.1 * rate(trials, "default"));
    assertThat(web(trials, "capped").run()).isCloseTo(0.1, within(0.01));
    assertThat(web(trials, "capped").waiting()).isGreaterThan(0.8);
    assertThat(run.root().resolve("simulation.json")).content().contains("cgroup v2");
    assertThat(PREMISES.sentence()).endsWith("host of a test: libvirt 9.0, 1 pCPU");
  }

  private static double rate(Map<String, TrialResult> trials, String profile) {
    return trials.get(profile).load().orElseThrow().throughput();
  }

  private static DomainShares web(Map<String, TrialResult> trials, String profile) {
    return trials.get(profile).shares().get(0);
  }

  @Test
  void refusesSettingsOfXen() throws IOException {
    Experiment credit = Premade.experiment(directory);
    assertThatThrownBy(() -> Premade.run(credit, PREMISES, directory.resolve("x"), 1))
        .hasMessageContaining(
            "profile even needs scheduler credit, which is not modelled on host of a test:"
                + " libvirt 9.0");
  }

  @Test
  void calibratesFromTheGuestsAndTheirEmulators() {
    Calibration found = Calibration.of(Premade.asIfMeasured(run).load());
    for (Place place : List.of(Place.WEB, Place.DATABASE, Place.FILE, Place.DOM0)) {
      assertThat((double) found.demands().at(place).toNanos())
          .as(place.key())
          .isCloseTo((double) Demands.LAB.at(place).toNanos(), Percentage.withPercentage(5));
    }
  }
}
