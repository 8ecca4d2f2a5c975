package io.slicewise.run;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;

/**
 * Where a run's numbers come from. Stands in {@code environment.json} and {@code summary.json};
 * every page and table shows it, so that nobody takes a computed number for a measured one.
 *
 * @param sentence one line for people
 */
public record Origin(Kind kind, String sentence) {
  /** Whether anything was measured, and on what. */
  public enum Kind {
    /** On a host of its own. */
    HOST("measured"),
    /** On the embedded lab: real requests, simulated schedulers. */
    LAB("lab"),
    /** Nowhere: a model computed everything. */
    SIMULATED("simulated"),
    /** Elsewhere and earlier, by others: only the files are known. */
    IMPORTED("imported");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As tables and pages write it. */
    public String word() {
      return word;
    }
  }

  /** What a DMI table names as the maker of a lab's machine; real machines name their own. */
  public static final String LAB_VENDOR = "Slicewise";

  /**
   * What a run of this experiment is measured on.
   *
   * @param vendor the maker of the host's machine, as its DMI table names it; empty if it has none
   */
  public static Origin of(Experiment experiment, String vendor) {
    return experiment.lab().isEmpty() && vendor.strip().equals(LAB_VENDOR)
        ? new Origin(
            Kind.LAB,
            "measured on a slicewise lab reached as %s: simulated schedulers"
                .formatted(experiment.host().map(HostSpec::address).orElse("a host")))
        : of(experiment);
  }

  /** What a run of this experiment is measured on, as far as the experiment says it. */
  public static Origin of(Experiment experiment) {
    return experiment.lab().isPresent()
        ? new Origin(
            Kind.LAB, "measured on the embedded lab: simulated schedulers, real HTTP and SQL")
        : new Origin(
            Kind.HOST,
            "measured on " + experiment.host().map(HostSpec::address).orElse("a host not named"));
  }

  /** Nothing was measured; {@code how} tells what was computed from what. */
  public static Origin simulated(String how) {
    return new Origin(Kind.SIMULATED, "simulated, not measured: " + how);
  }

  /** Measured elsewhere and earlier; {@code what} tells what is known of that. */
  public static Origin imported(String what) {
    return new Origin(Kind.IMPORTED, "imported, not measured by Slicewise: " + what);
  }

  public boolean isSimulated() {
    return kind == Kind.SIMULATED;
  }

  /** Whether the run itself worked on a host, be it the lab's. */
  public boolean workedOnHost() {
    return kind == Kind.HOST || kind == Kind.LAB;
  }
}
