package io.slicewise.sweep;

import io.slicewise.base.units.Secret;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.experiment.WorkloadSpec;
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
    spec.refuseWrittenSecrets();
    SecretProperties.read(spec.properties(), System.getenv());
    return Workloads.of(spec.name(), spec.plan(), spec.target(), spec.properties(), spec.options());
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
}
