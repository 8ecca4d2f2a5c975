package io.slicewise.cli.lab;

import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SimulationSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.lab.LabGuest;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.lab.simulate.Calibration;
import io.slicewise.lab.simulate.HostModel;
import io.slicewise.lab.simulate.Premises;
import io.slicewise.lab.simulate.Rehearsal;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.Environment;
import io.slicewise.run.LoadedRun;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The assumptions of a simulation. Sources for the host, in order: {@code simulation} in the file,
 * the calibration run, the file's lab, the 2010 study. Sources for the demands: the calibration
 * run, the file, the lab, the study.
 */
public final class SimulationPremises {
  private static final HypervisorVersion STUDY_XEN = HypervisorVersion.of(3, 3);
  private static final int STUDY_PCPUS = 4;
  private static final List<Integer> STUDY_VCPUS = List.of(1, 2, 2);

  private static final Demands NONE = demands(Map.of());

  private final Experiment experiment;
  private final Optional<LoadedRun> measured;
  private final Optional<Calibration> calibration;
  private final Optional<LabOptions> lab;

  public SimulationPremises(Experiment experiment, Optional<LoadedRun> measured) {
    this.experiment = experiment;
    this.measured = measured;
    this.calibration = measured.map(Calibration::of);
    calibration
        .filter(derived -> !derived.workload().equals(experiment.workload().name()))
        .ifPresent(
            derived -> {
              throw SlicewiseException.input(
                  "%s ran workload %s, and the experiment has %s"
                      .formatted(derived.run(), derived.workload(), experiment.workload().name()),
                  "calibrate from a run of the same workload");
            });
    this.lab = experiment.lab().map(LabOptions::from);
  }

  /** Returns the demands derived from the calibration run; empty without one. */
  public Optional<Calibration> calibration() {
    return calibration;
  }

  public Premises all() {
    HostModel host =
        measured.map(this::hostOf).or(() -> lab.map(this::hostOf)).orElseGet(this::study);
    HostModel said = experiment.simulation().map(spec -> overruled(host, spec)).orElse(host);
    Optional<Map<String, Duration>> written =
        experiment.simulation().map(SimulationSpec::demands).filter(given -> !given.isEmpty());
    if (calibration.isPresent()) {
      Calibration derived = calibration.get();
      return new Premises(
          said,
          derived.demands(),
          Route.PAGE_VIEW,
          "derived from %s of %s".formatted(Plural.of(derived.trials(), "trial"), derived.run()),
          derived.ownLoad());
    }
    if (written.isPresent()) {
      return new Premises(said, demands(written.get()), Route.PAGE_VIEW, "as the experiment says");
    }
    if (!experiment.workload().name().equals("web-app")
        && Rehearsal.unmodelled(experiment.workload()).isEmpty()) {
      return withoutDemands(said);
    }
    if (lab.isPresent()) {
      return new Premises(said, lab.get().site().demands(), Route.PAGE_VIEW, "of the embedded lab");
    }
    return new Premises(said, Demands.STUDY_2010, Route.STUDY_2010, "of the 2010 study");
  }

  /** Only the web application's demands are known without a measurement. */
  private Premises withoutDemands(HostModel host) {
    String workload = experiment.workload().name();
    if (experiment.workload().loads()) {
      throw SlicewiseException.input(
          "the CPU time of a request of workload " + workload + " is not known",
          "give a measured run with --calibrate DIR, or simulation: demands in the file");
    }
    if (host.burning().isEmpty()) {
      throw SlicewiseException.input(
          "the guests' own load is not known, and workload " + workload + " adds none",
          "give a measured run with --calibrate DIR, or a lab with guests that burn");
    }
    return new Premises(host, NONE, Route.PAGE_VIEW, "no load but that of guests that burn");
  }

  private static Demands demands(Map<String, Duration> written) {
    return new Demands(
        at(written, Place.WEB),
        at(written, Place.DATABASE),
        at(written, Place.FILE),
        at(written, Place.DOM0),
        at(written, Place.DISK));
  }

  private static Duration at(Map<String, Duration> written, Place place) {
    return written.getOrDefault(place.key(), Duration.ZERO);
  }

  private HostModel hostOf(LoadedRun run) {
    Environment environment =
        run.environment()
            .orElseThrow(
                () ->
                    SlicewiseException.input(
                        run.root() + " has no environment.json, which describes the host",
                        "calibrate from a run that reached its host"));
    Set<String> pools = new LinkedHashSet<>();
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    for (Domain domain : environment.domains()) {
      pools.add(domain.cpupool());
      vcpus.put(domain.name(), domain.vcpus());
    }
    if (pools.size() > 1) {
      throw SlicewiseException.input(
          "the domains of %s are in cpupools %s, but the model has a single pool of all pCPUs"
              .formatted(run.root(), String.join(", ", pools)),
          "run it on the host, or calibrate from a run with all domains in one pool");
    }
    return new HostModel(
        environment.host().version(),
        environment.host().pcpus(),
        Scheduler.ofXenName(environment.host().bootScheduler()),
        vcpus,
        burning(),
        environment.settings(),
        "of " + run.name());
  }

  private HostModel hostOf(LabOptions options) {
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    if (options.bootScheduler() != Scheduler.CFS) {
      vcpus.put(HostModel.DOM0, options.hardware().dom0Vcpus());
    }
    options.guests().forEach(guest -> vcpus.put(guest.name(), guest.vcpus()));
    return new HostModel(
        options.version(),
        options.hardware().pcpus(),
        Optional.of(options.bootScheduler()),
        vcpus,
        burning(),
        Map.of(),
        "of the experiment's lab");
  }

  private Set<String> burning() {
    Set<String> burning = new LinkedHashSet<>();
    lab.ifPresent(
        options ->
            options.guests().stream()
                .filter(LabGuest::burns)
                .forEach(guest -> burning.add(guest.name())));
    return burning;
  }

  /** Returns the study's guests by their roles, under the experiment's names. */
  private HostModel study() {
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    vcpus.put(HostModel.DOM0, STUDY_PCPUS);
    List<String> main = experiment.domains().getOrDefault(Role.MAIN, List.of());
    for (int i = 0; i < main.size(); i++) {
      vcpus.put(main.get(i), STUDY_VCPUS.get(Math.min(i, STUDY_VCPUS.size() - 1)));
    }
    for (String domain : experiment.domains().getOrDefault(Role.OTHER, List.of())) {
      vcpus.put(domain, 1);
    }
    return new HostModel(
        STUDY_XEN, STUDY_PCPUS, Optional.empty(), vcpus, Set.of(), Map.of(), "of the 2010 study");
  }

  /** Returns the guests in starting order: those named in the file first. */
  private static HostModel overruled(HostModel host, SimulationSpec spec) {
    Map<String, Integer> vcpus = new LinkedHashMap<>();
    if (host.vcpus().containsKey(HostModel.DOM0)) {
      vcpus.put(HostModel.DOM0, host.vcpus().get(HostModel.DOM0));
    }
    vcpus.putAll(spec.vcpus());
    host.vcpus().forEach(vcpus::putIfAbsent);
    return new HostModel(
        spec.xen().map(SimulationPremises::version).orElse(host.version()),
        spec.pcpus().orElse(host.pcpus()),
        host.boot(),
        vcpus,
        host.burning(),
        host.found(),
        host.source()
            + (spec.pcpus().isPresent() || spec.xen().isPresent() || !spec.vcpus().isEmpty()
                ? ", changed by the experiment"
                : ""));
  }

  private static HypervisorVersion version(String text) {
    String[] parts = text.split("\\.", -1);
    return HypervisorVersion.of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }
}
