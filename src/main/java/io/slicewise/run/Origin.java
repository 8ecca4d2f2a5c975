package io.slicewise.run;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;

/**
 * The origin of a run's numbers, in {@code environment.json} and {@code summary.json}. Every page
 * and table shows it, so that computed numbers are not mistaken for measured ones.
 *
 * @param sentence one line for people
 */
public record Origin(Kind kind, String sentence) {
  /** Whether the numbers were measured, and where. */
  public enum Kind {
    /** Measured on a host. */
    HOST("measured"),
    /** Measured on the embedded lab: real requests, simulated schedulers. */
    LAB("lab"),
    /** Computed by a model. */
    SIMULATED("simulated"),
    /** Measured earlier and elsewhere: only the files are known. */
    IMPORTED("imported");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The name in tables and on pages. */
    public String word() {
      return word;
    }
  }

  /** The vendor in the DMI table of a lab's machine. */
  public static final String LAB_VENDOR = "Slicewise";

  /** The name of the host of a run on a lab, which has another port each time. */
  public static final String LAB_NAME = "the embedded lab";

  /**
   * Returns the origin of a run of this experiment.
   *
   * @param vendor the vendor in the DMI table of the host; empty if there is none
   */
  public static Origin of(Experiment experiment, String vendor) {
    return experiment.lab().isEmpty() && vendor.strip().equals(LAB_VENDOR)
        ? new Origin(
            Kind.LAB,
            "measured on a slicewise lab reached as %s: simulated schedulers"
                .formatted(experiment.host().map(HostSpec::address).orElse("a host")))
        : of(experiment);
  }

  /** Returns the origin of a run of this experiment, as far as the experiment determines it. */
  public static Origin of(Experiment experiment) {
    return experiment.lab().isPresent()
        ? new Origin(
            Kind.LAB, "measured on the embedded lab: simulated schedulers, real HTTP and SQL")
        : new Origin(
            Kind.HOST,
            "measured on " + experiment.host().map(HostSpec::address).orElse("an unnamed host"));
  }

  /** Returns the origin of simulated numbers; {@code how} describes the computation. */
  public static Origin simulated(String how) {
    return new Origin(Kind.SIMULATED, "simulated, not measured: " + how);
  }

  /** Returns the origin of imported numbers; {@code what} describes what is known about them. */
  public static Origin imported(String what) {
    return new Origin(Kind.IMPORTED, "imported, not measured by Slicewise: " + what);
  }

  public boolean isSimulated() {
    return kind == Kind.SIMULATED;
  }

  /** Whether the run worked on a host or on the lab. */
  public boolean workedOnHost() {
    return kind == Kind.HOST || kind == Kind.LAB;
  }
}
