package io.slicewise.cli.commands;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostLimits;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.guest.Scene;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.profile.Scheduler;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The embedded lab of an experiment that asks for one with {@code lab:}, or nothing. From here on
 * the lab is a host like any other: an address, a port, a key.
 *
 * <p>Its address and its target always take the place of written ones: those in a run directory are
 * of the lab that ended with the process that began the run.
 */
public final class EmbeddedHost implements AutoCloseable {
  private final Optional<Lab> lab;
  private final Experiment experiment;

  private EmbeddedHost(Optional<Lab> lab, Experiment experiment) {
    this.lab = lab;
    this.experiment = experiment;
  }

  public static EmbeddedHost forExperiment(Experiment written) {
    return start(written, written.workload().loads());
  }

  /** Without servers: enough to be looked at, and sooner there. */
  static EmbeddedHost toLookAt(Experiment written) {
    return start(written, false);
  }

  private static EmbeddedHost start(Experiment written, boolean loaded) {
    if (written.lab().isEmpty()) {
      return new EmbeddedHost(Optional.empty(), written);
    }
    Lab lab =
        Lab.start(
            LabOptions.from(written.lab().orElseThrow(), scene(written.workload()))
                .withServers(loaded));
    Experiment placed = written.onHost(host(lab));
    WorkloadSpec aimed = written.workload().aimedAt(lab.target(), lab.workloadOptions());
    return new EmbeddedHost(Optional.of(lab), placed.withWorkload(aimed));
  }

  /** A plan of one's own finds the web application. */
  private static Scene scene(WorkloadSpec workload) {
    return Scenes.named(workload.name()).orElse(Scenes.WEB_APP);
  }

  private static HostSpec host(Lab lab) {
    return new HostSpec(
        "127.0.0.1",
        false,
        Optional.of("root"),
        OptionalInt.of(lab.sshPort()),
        Optional.of(lab.privateKey()),
        Optional.of(lab.knownHosts()),
        false,
        Optional.empty(),
        Optional.empty(),
        HostLimits.DEFAULT);
  }

  /** The experiment with the lab's address in it. */
  public Experiment experiment() {
    return experiment;
  }

  /** What people should know of the host before the run. */
  List<String> notes() {
    return lab.map(
            running ->
                List.of(
                    "embedded lab on port "
                        + running.sshPort()
                        + ": simulated schedulers, real HTTP and SQL"))
        .orElse(List.of());
  }

  /** Reboots the lab into one of the schedulers; false when the host is not ours to reboot. */
  boolean rebootInto(Set<Scheduler> schedulers) {
    if (lab.isEmpty() || schedulers.isEmpty()) {
      return false;
    }
    lab.get().reboot(schedulers.iterator().next());
    return true;
  }

  @Override
  public void close() {
    lab.ifPresent(Lab::close);
  }
}
