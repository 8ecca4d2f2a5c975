package io.slicewise.lab.simulate;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.TrialParts;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.load.Load;
import io.slicewise.lab.sim.HypervisorRefusal;
import io.slicewise.lab.simulate.Simulation.Modelled;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.ComputedRun.Computed;
import io.slicewise.run.result.Measured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many profiles in virtual time, each once at every load for a short while, without a run of their
 * own: what a tune looks at before it measures.
 */
public final class Rehearsal {
  private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(2);
  private static final Duration LONGEST_MEASURE = Duration.ofSeconds(8);

  private final Experiment experiment;
  private final Premises premises;
  private final List<SchedulerProfile> profiles;

  private Rehearsal(Experiment experiment, Premises premises, List<SchedulerProfile> profiles) {
    this.experiment = experiment;
    this.premises = premises;
    this.profiles = List.copyOf(profiles);
  }

  /**
   * A rehearsal of profiles.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the experiment cannot be simulated
   */
  public static Rehearsal of(
      Experiment experiment, Premises premises, List<SchedulerProfile> profiles) {
    Experiment all = experiment.withProfiles(profiles);
    Modelled.refuseTheRest(all, premises.host());
    Duration warmUp = shorter(experiment.warmUp(), LONGEST_WARM_UP);
    Duration ramp = shorter(experiment.ramp(), warmUp);
    return new Rehearsal(
        all.inParts(new TrialParts(ramp, warmUp, LONGEST_MEASURE, Duration.ZERO)),
        premises,
        profiles);
  }

  /** Returns why a workload cannot be simulated at all; empty if it can. */
  public static Optional<String> unmodelled(WorkloadSpec workload) {
    return Modelled.workload(workload);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Returns the results of each profile at each load of the experiment; empty where the model's
   * hypervisor refuses the profile.
   */
  public List<List<Optional<Measured>>> run(int jobs) {
    ExecutorService workers = Executors.newFixedThreadPool(jobs);
    try {
      List<List<Future<Optional<Measured>>>> futures = new ArrayList<>();
      int number = 0;
      for (SchedulerProfile profile : profiles) {
        List<Future<Optional<Measured>>> row = new ArrayList<>();
        for (Load load : experiment.loads()) {
          Trial trial = new Trial(++number, 1, profile.name(), load, 1);
          row.add(workers.submit(() -> simulated(trial)));
        }
        futures.add(row);
      }
      List<List<Optional<Measured>>> results = new ArrayList<>();
      for (List<Future<Optional<Measured>>> row : futures) {
        List<Optional<Measured>> done = new ArrayList<>();
        for (Future<Optional<Measured>> one : row) {
          done.add(one.get());
        }
        results.add(done);
      }
      return results;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while candidates were simulated", e);
    } finally {
      workers.shutdownNow();
    }
  }

  private Optional<Measured> simulated(Trial trial) {
    try {
      Computed computed = new TrialModel(experiment, premises, trial).run();
      return Optional.of(
          Measured.of(trial, true, computed.load().result(), computed.monitor().shares(), 0));
    } catch (HypervisorRefusal refused) {
      return Optional.empty();
    }
  }
}
