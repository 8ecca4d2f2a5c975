package io.slicewise.sweep.window;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.run.result.TrialFault;
import io.slicewise.workload.MachineOptions;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Creates the workload of an experiment. */
public final class ExperimentWorkload {
  private ExperimentWorkload() {}

  /** Returns the workload, ready to be set up; errors in its description are one sentence. */
  public static Workload of(Experiment experiment) {
    WorkloadSpec spec = experiment.workload();
    spec.refuseWrittenSecrets();
    SecretProperties.read(spec.properties(), System.getenv());
    return Workloads.of(
        spec.name(), spec.plan(), spec.target(), spec.properties(), options(experiment));
  }

  /** What is read may be on the host, which is reached as the experiment describes. */
  private static Map<String, Object> options(Experiment experiment) {
    Map<String, Object> written = experiment.workload().options();
    return experiment
        .host()
        .map(
            host ->
                MachineOptions.onHost(
                    written,
                    Optional.of(host.address()).filter(any -> !host.local()),
                    host.login()))
        .orElse(written);
  }

  /** Returns the properties that the generator receives without a file. */
  public static Map<String, Secret> secrets(Workload workload, Map<String, String> properties) {
    Map<String, Secret> secrets =
        new LinkedHashMap<>(SecretProperties.read(properties, System.getenv()));
    secrets.putAll(workload.secrets());
    return secrets;
  }

  /** Sets a workload up; a failure is the trial's. */
  public static void setUp(Workload workload) {
    try {
      workload.setUp();
    } catch (SlicewiseException fault) {
      throw new TrialFault("setting the workload up failed: " + fault.getMessage(), fault);
    }
  }
}
