package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.units.Secret;
import io.slicewise.workload.Options;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import java.util.LinkedHashMap;
import java.util.Map;

/** The workload an experiment asks for. */
public final class ExperimentWorkload {
  private ExperimentWorkload() {}

  /** The workload, ready to be set up; faults of the description come as one sentence. */
  public static Workload of(Experiment experiment) {
    WorkloadSpec spec = experiment.workload();
    refuseWrittenSecrets(experiment);
    SecretProperties.read(spec.properties(), System.getenv());
    return Workloads.of(spec.name(), spec.plan(), spec.target(), spec.properties(), spec.options());
  }

  /** Refuses passwords among the properties, before anything of the experiment is written. */
  public static void refuseWrittenSecrets(Experiment experiment) {
    SecretProperties.refuseValues(experiment.workload().properties());
  }

  /** What the generator is given so that it stands in no file. */
  static Map<String, Secret> secrets(Workload workload, Map<String, String> properties) {
    Map<String, Secret> secrets =
        new LinkedHashMap<>(SecretProperties.read(properties, System.getenv()));
    secrets.putAll(workload.secrets());
    return secrets;
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
