package io.slicewise.experiment.file;

import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Faults;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.YamlDocument;
import io.slicewise.experiment.Experiment;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Reads experiment files and writes the resolved one of a run directory. */
public final class ExperimentFiles {
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
            .flatMap(root -> root.map(ExperimentKeys.TOP, ""))
            .map(top -> new ExperimentReader(file, top, lab, faults).read());
    faults.throwIfAny(HINT);
    return experiment.orElseThrow();
  }

  /** Returns the experiment as YAML that {@link #read} converts back to an equal one. */
  public static String toYaml(Experiment experiment) {
    return ExperimentYaml.of(experiment);
  }

  /** Returns eight hexadecimal digits that identify a resolved experiment (SHA-256). */
  public static String fingerprint(Experiment experiment) {
    return HexFormat.of().formatHex(Sha256.of(toYaml(experiment)), 0, 4);
  }
}
