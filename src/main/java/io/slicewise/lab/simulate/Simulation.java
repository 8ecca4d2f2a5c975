package io.slicewise.lab.simulate;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisors;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.Scope;
import io.slicewise.run.ComputedRun;
import io.slicewise.run.Environment;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.StopRequest;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.Search;
import io.slicewise.run.result.TrialResult;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs an experiment in virtual time, with its trials in parallel on this machine's cores. */
public final class Simulation {
  private static final String POOL = "Pool-0";

  private final Experiment experiment;
  private final Premises premises;
  private final Clock clock;

  private Simulation(Experiment experiment, Premises premises, Clock clock) {
    this.experiment = experiment;
    this.premises = premises;
    this.clock = clock;
  }

  /**
   * A run and its outcome.
   *
   * @param outcome interrupted if it was stopped; trials that were finished by then count
   */
  public record Done(RunDirectory run, RunOutcome outcome) {}

  /**
   * Creates a simulation of an experiment.
   *
   * @throws SlicewiseException with everything that cannot be simulated, if anything
   */
  public static Simulation of(Experiment experiment, Premises premises, Clock clock) {
    Modelled.refuseTheRest(experiment, premises.host());
    return new Simulation(GuestRoles.named(experiment), premises, clock);
  }

  /**
   * Runs all trials.
   *
   * @param jobs number of trials at a time
   * @param listener receives each finished trial, in any order, one at a time
   * @throws SlicewiseException if the model's hypervisor refuses a profile
   */
  public Done run(Path results, int jobs, StopRequest stop, Consumer<TrialResult> listener) {
    try (ComputedRun run = ComputedRun.begin(experiment, results, environment(), clock)) {
      RunDirectory directory = run.directory();
      directory.writeWhole(directory.root().resolve("simulation.json"), premises);
      compute(run, jobs, stop, listener);
      return new Done(
          directory,
          isSearch() && stop.wish() == StopRequest.Wish.GO_ON ? run.endWhole() : run.end());
    }
  }

  private void compute(
      ComputedRun run, int jobs, StopRequest stop, Consumer<TrialResult> listener) {
    ExecutorService workers = Executors.newFixedThreadPool(jobs);
    List<Measured> measured = new ArrayList<>();
    Consumer<TrialResult> keeper =
        result -> {
          measured.add(Measured.of(result));
          listener.accept(result);
        };
    try {
      List<Trial> next = next(measured);
      while (!next.isEmpty() && stop.wish() == StopRequest.Wish.GO_ON) {
        List<Future<?>> trials = new ArrayList<>();
        for (Trial trial : next) {
          trials.add(workers.submit(() -> compute(run, trial, stop, keeper)));
        }
        for (Future<?> trial : trials) {
          trial.get();
        }
        next = isSearch() ? next(measured) : List.of();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      workers.shutdownNow();
    }
  }

  private boolean isSearch() {
    return experiment.order().searches();
  }

  /** Returns the trials that do not depend on those of each other. */
  private List<Trial> next(List<Measured> measured) {
    return experiment
        .order()
        .study(Search.class)
        .map(search -> search.next(experiment, measured).trials())
        .orElseGet(() -> Plan.of(experiment));
  }

  private void compute(
      ComputedRun run, Trial trial, StopRequest stop, Consumer<TrialResult> listener) {
    if (stop.wish() != StopRequest.Wish.GO_ON) {
      return;
    }
    try {
      TrialResult result = run.keep(new TrialModel(experiment, premises, trial).run());
      synchronized (this) {
        listener.accept(result);
      }
    } catch (HypervisorRefusal refused) {
      throw SlicewiseException.input(
          "profile "
              + trial.profile()
              + " is rejected by the host's rules: "
              + refused.getMessage(),
          "fix the profile; a host would also reject it",
          refused);
    }
  }

  private Environment environment() {
    HostModel host = premises.host();
    List<Domain> domains = new ArrayList<>();
    host.vcpus()
        .forEach((name, vcpus) -> domains.add(new Domain(name, domains.size(), vcpus, 0, POOL)));
    String scheduler = host.bootScheduler().xenName();
    return Environment.computed(
        clock.instant(),
        Origin.simulated(premises.sentence()),
        new HostDescription(
            "none",
            host.version(),
            "",
            host.pcpus(),
            Double.NaN,
            scheduler,
            List.of(new CpuPool(POOL, host.pcpus(), scheduler, domains.size()))),
        domains,
        host.found());
  }

  /** Rejects experiments that cannot be simulated. */
  static final class Modelled {
    private static final String NEIGHBOURS = "interference";
    private static final Set<Object> NONE = Set.of(0L, List.of(0L));

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
          .filter(profile -> profile.booted().filter(s -> !models(host, s)).isPresent())
          .map(profile -> scheduler(host, profile))
          .forEach(faults::add);
      beyondTheModel(experiment, Scope.SPLIT, "the model has one cpupool").ifPresent(faults::add);
      beyondTheModel(experiment, Scope.HOST, "the model has no kernel").ifPresent(faults::add);
      beyondTheModel(experiment, Scope.DISK, "the model has no disks").ifPresent(faults::add);
      if (!faults.isEmpty()) {
        throw SlicewiseException.input(
            String.join("\n", faults),
            "'slicewise run' measures it on a host or on the lab; docs/lab.md lists what is"
                + " modelled");
      }
    }

    private static Optional<String> beyondTheModel(
        Experiment experiment, Scope scope, String reason) {
      List<String> names =
          experiment.profiles().stream()
              .filter(profile -> !profile.of(scope).isEmpty())
              .map(SchedulerProfile::name)
              .toList();
      return names.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "%s of %s %s cannot be simulated: %s"
                  .formatted(
                      scope.key(),
                      names.size() == 1 ? "profile" : "profiles",
                      String.join(", ", names),
                      reason));
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
            NEIGHBOURS
                + " of workload "
                + workload.name()
                + " cannot be simulated: no model has it");
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
      return host.isLinux()
          ? scheduler.equals(Scheduler.CFS)
          : Schedulers.KNOWN.ofXen().containsValue(scheduler);
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
}
