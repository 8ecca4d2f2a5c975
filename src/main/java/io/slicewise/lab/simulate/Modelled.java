package io.slicewise.lab.simulate;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Rejects experiments that cannot be simulated. */
final class Modelled {
  private static final String NEIGHBOURS = "interference";
  private static final Set<Object> NONE = Set.of(0L, List.of(0L));
  private static final Set<Scheduler> XEN =
      Set.of(Scheduler.CREDIT, Scheduler.CREDIT2, Scheduler.SEDF, Scheduler.RTDS);

  private Modelled() {}

  static void refuseTheRest(Experiment experiment, HostModel host) {
    List<String> faults = new ArrayList<>();
    workload(experiment.workload()).ifPresent(faults::add);
    if (Hypervisors.isBare(experiment.testbed().statedToolstack())) {
      faults.add("a machine without a hypervisor cannot be simulated: it has no settings");
    } else {
      domains(experiment, host, faults);
    }
    experiment.profiles().stream()
        .filter(profile -> profile.scheduler().filter(s -> !models(host, s)).isPresent())
        .map(profile -> scheduler(host, profile))
        .forEach(faults::add);
    if (!faults.isEmpty()) {
      throw SlicewiseException.input(
          String.join("\n", faults),
          "'slicewise run' measures it on a host or on the lab; docs/lab.md lists what is"
              + " modelled");
    }
  }

  static Optional<String> workload(WorkloadSpec workload) {
    if (!GuestRoles.WORKLOADS.contains(workload.name())) {
      return Optional.of(
          "workload "
              + workload.name()
              + " cannot be simulated: there are models of "
              + String.join(", ", new TreeSet<>(GuestRoles.WORKLOADS)));
    }
    if (!NONE.contains(workload.options().getOrDefault(NEIGHBOURS, 0L))) {
      return Optional.of(
          NEIGHBOURS + " of workload " + workload.name() + " cannot be simulated: no model has it");
    }
    if (workload.plan().isPresent()) {
      return Optional.of(
          "a user's own plan ("
              + workload.plan().get().getFileName()
              + ") cannot be simulated: there are only models of the workloads' own requests");
    }
    if (workload.isOpen()) {
      return Optional.of(
          "an open load (rate "
              + workload.properties().get("rate")
              + ") cannot be simulated: the users of the model wait for their answers");
    }
    return Optional.empty();
  }

  private static void domains(Experiment experiment, HostModel host, List<String> faults) {
    for (Role role : List.of(Role.MAIN, Role.OTHER)) {
      for (String domain : experiment.domains().getOrDefault(role, List.of())) {
        if (!host.vcpus().containsKey(domain)) {
          faults.add(
              "host "
                  + host.source()
                  + " has no domain "
                  + domain
                  + ": set its vCPUs under simulation: vcpus:");
        }
      }
    }
  }

  private static boolean models(HostModel host, Scheduler scheduler) {
    return host.isLinux() ? scheduler.equals(Scheduler.CFS) : XEN.contains(scheduler);
  }

  private static String scheduler(HostModel host, SchedulerProfile profile) {
    return "profile %s needs scheduler %s, which is not modelled on host %s: %s"
        .formatted(
            profile.name(),
            profile.scheduler().orElseThrow().xenName(),
            host.source(),
            host.hypervisor());
  }
}
