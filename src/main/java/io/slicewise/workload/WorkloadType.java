package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A workload before anything is known of an experiment: its name, what it needs from an experiment
 * file, and how it is made. One stateless class a workload, listed in {@link Workloads}.
 */
public interface WorkloadType {
  /** Whether a key stands in the experiment file. */
  enum Need {
    /** It has no meaning there. */
    NO,
    /** It may be left out. */
    MAY,
    /** It must be there; a target not on the embedded lab, which brings its own. */
    MUST
  }

  /** The name in experiment files, and of its plan under {@code jmeter-plans/}. */
  String name();

  /** What is loaded, and how, as one sentence. */
  String summary();

  /** Which guests play the role {@code main}, as a phrase; {@code other} are all further ones. */
  String mainDomains();

  /** Whether anything is loaded; if not, an experiment has no users, plan, target or properties. */
  default boolean loads() {
    return true;
  }

  /** Whether the file names a plan. */
  default Need plan() {
    return Need.MAY;
  }

  /** Whether the file names a target. */
  Need target();

  /** The keys of its own. */
  default List<Option> options() {
    return List.of();
  }

  /**
   * What the options say of what is measured, in words by name; two runs of which these words
   * differ measured different things. All options but places are there, whether given or not.
   */
  default Map<String, String> conditions(Options options) {
    return Option.words(options(), options.values());
  }

  /** How many users are at work when a trial has that many: those of all thread groups. */
  default int population(int users, Options options) {
    return users;
  }

  /**
   * The numbers of neighbours that interfere, where an experiment sweeps them; empty where it has
   * one number for all its trials, which the workload then knows by itself.
   */
  default List<Integer> neighbours(Options options) {
    return List.of();
  }

  /**
   * What is counted, found out from the plan, as sentences; empty where that needs no words.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the options do not fit the plan
   */
  default List<String> counts(Path plan, Options options) {
    return List.of();
  }

  /**
   * The workload, ready to be set up.
   *
   * @throws io.slicewise.base.units.SlicewiseException if something needed is missing or cannot be
   *     read
   */
  Workload make(WorkloadRequest request);
}
