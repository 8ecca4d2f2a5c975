package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.workload.Options;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;

/** The workload an experiment asks for. */
public final class ExperimentWorkload {
  private ExperimentWorkload() {}

  /** The workload, ready to be set up; faults of the description come as one sentence. */
  public static Workload of(Experiment experiment) {
    WorkloadSpec spec = experiment.workload();
    return Workloads.of(spec.name(), spec.plan(), spec.target(), spec.properties(), spec.options());
  }

  /** The workload as a trial under that load needs it. */
  static Workload under(Workload workload, Load load) {
    return load.neighbours().isPresent() ? workload.beside(load.neighbours().getAsInt()) : workload;
  }

  /** How many users are at work, in all thread groups of the plan, when a trial has that many. */
  static int population(Experiment experiment, int users) {
    WorkloadSpec spec = experiment.workload();
    return Workloads.type(spec.name())
        .map(type -> type.population(users, new Options(spec.options())))
        .orElse(users);
  }
}
