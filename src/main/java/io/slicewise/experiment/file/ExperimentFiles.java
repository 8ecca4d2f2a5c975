package io.slicewise.experiment.file;

import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.YamlDocument;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Reads experiment files and writes the resolved one of a run directory. */
public final class ExperimentFiles {
  /** The keys of a file. */
  public static final List<String> KEYS =
      List.of(
          "name",
          "host",
          "lab",
          "domains",
          "logins",
          "watch",
          "profiles",
          "baseline",
          "controls",
          "workload",
          "users",
          "rate",
          "scale",
          "most-users",
          "guests",
          "generators",
          "repetitions",
          "stop",
          "design",
          "ramp",
          "warm-up",
          "measure",
          "cool-down",
          "order",
          "seed",
          "limits",
          "goal",
          "guard",
          "simulation",
          "tune");

  private static final String HINT = "docs/experiment.md describes the format";

  private ExperimentFiles() {}

  /**
   * Returns the experiment of a file, with all defaults and the contents of its profile files.
   * Relative paths in the file are relative to the file.
   *
   * @throws SlicewiseException of the kind {@code INPUT} with one line per fault, all of them at
   *     once
   */
  public static Experiment read(Path file) {
    return read(file, List.of());
  }

  /**
   * Reads a file written by a user, whose {@code lab:} part may contain only those options.
   *
   * @throws SlicewiseException of the kind {@code INPUT} with one line per fault, all of them at
   *     once
   */
  public static Experiment read(Path file, List<Option> lab) {
    Faults faults = new Faults();
    Optional<Experiment> experiment =
        YamlDocument.read(file, faults)
            .flatMap(root -> root.map(KEYS, ""))
            .map(top -> new ExperimentReader(file, top, lab, faults).read());
    faults.throwIfAny(HINT);
    return experiment.orElseThrow();
  }

  /** Returns the experiment as YAML that {@link #read} converts back to an equal one. */
  public static String toYaml(Experiment experiment) {
    boolean tunes = experiment.tuning().isPresent();
    YamlWriter top =
        new YamlWriter()
            .put("name", experiment.name())
            .put("host", experiment.host().map(HostSection::write))
            .put("lab", experiment.lab())
            .put("domains", DomainsSection.write(experiment.domains()));
    WatchingSection.write(experiment.watching(), top);
    top.put(
            "profiles",
            experiment.profiles().stream()
                .filter(profile -> !experiment.controls().contains(profile.name()))
                .map(profile -> ProfilesSection.write(profile, experiment.factors()))
                .distinct()
                .toList())
        .put("baseline", experiment.baseline())
        .put("controls", Optional.of(experiment.controls()).filter(any -> !tunes))
        .put("workload", WorkloadSection.write(experiment.workload()));
    if (experiment.workload().loads()) {
      Axis driver = Load.driver(experiment.loads());
      top.put(driver.key(), values(driver.levels(experiment.askedLoads())))
          .put(Axis.GUESTS.key(), values(experiment.levels(Axis.GUESTS)))
          .put("most-users", experiment.course().parts().mostUsers());
    }
    if (!experiment.generators().isHere()) {
      top.put("generators", GeneratorsSection.write(experiment.generators()));
    }
    writeCourse(experiment, top);
    top.put("limits", LimitsSection.write(experiment.limits()));
    if (!tunes) {
      AimSection.write(experiment.aim(), top);
    }
    return top.put("simulation", experiment.simulation().map(SimulationSection::write))
        .put("tune", experiment.tuning().map(TuningSection::write))
        .text();
  }

  private static List<Object> values(List<Level> levels) {
    return levels.stream().map(Level::value).toList();
  }

  private static void writeCourse(Experiment experiment, YamlWriter top) {
    boolean trials = experiment.design().isEmpty();
    top.put("design", experiment.design().map(DesignSection::write));
    if (trials && experiment.tuning().isPresent()) {
      top.put("design", new YamlWriter().put("kind", DesignSection.TRIALS));
    }
    if (trials) {
      top.put("repetitions", experiment.repetitions());
    }
    top.put("stop", experiment.stop().map(StopSection::write))
        .put("ramp", experiment.ramp())
        .put("warm-up", experiment.warmUp());
    if (trials && !experiment.measuresWork()) {
      top.put("measure", experiment.measure());
    }
    top.put("cool-down", experiment.coolDown())
        .put("order", experiment.order())
        .put("seed", Optional.of(experiment.seed()).filter(seed -> seed != Defaults.UNDRAWN));
  }

  /** Returns eight hexadecimal digits that identify a resolved experiment (SHA-256). */
  public static String fingerprint(Experiment experiment) {
    return HexFormat.of().formatHex(Sha256.of(toYaml(experiment)), 0, 4);
  }
}
