package io.slicewise.lab.simulate;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.sim.FairScheduler;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.MachineSpec;
import io.slicewise.lab.sim.Place;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.lab.sim.WebApplicationModel;
import io.slicewise.load.jtl.SampleCounter;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.ComputedRun.Computed;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One trial in virtual time. Each trial has a new machine, as after a reboot into the profile's
 * scheduler. Virtual time begins at the epoch and continues from trial to trial, so that the same
 * experiment and seed give identical files.
 */
final class TrialModel {
  private static final String LABEL = "page";
  private static final long MILLI = 1_000_000;

  private final Experiment experiment;
  private final Premises premises;
  private final Trial trial;
  private final Map<String, Integer> domids = new LinkedHashMap<>();
  private final Machine machine;
  private final Optional<FairGuests> fair;

  TrialModel(Experiment experiment, Premises premises, Trial trial) {
    this.experiment = experiment;
    this.premises = premises;
    this.trial = trial;
    HostModel host = premises.host();
    machine = new Machine(new MachineSpec(host.pcpus(), options(), seed("machine")));
    fair = host.isLinux() ? Optional.of(new FairGuests(machine, host)) : Optional.empty();
    int first = fair.isPresent() ? 1 : 0;
    host.vcpus()
        .forEach(
            (domain, vcpus) -> {
              int domid = first + domids.size();
              domids.put(domain, domid);
              if (fair.isPresent()) {
                machine.addGuest(domain, domid, vcpus);
              } else {
                machine.addDomain(domain, domid, vcpus, Machine.POOL_0);
              }
            });
    host.burning().forEach(this::burn);
  }

  private SchedulerOptions options() {
    HostModel host = premises.host();
    return SchedulerOptions.of(
        experiment.profile(trial.profile()).scheduler().orElse(host.bootScheduler()),
        host.version().major(),
        host.version().minor());
  }

  /**
   * The seed depends only on the cell and repetition, so that another order of trials gives the
   * same results.
   */
  private long seed(String purpose) {
    long seed = experiment.seed();
    for (Object part : new Object[] {trial.profile(), trial.users(), trial.repetition(), purpose}) {
      seed = (seed ^ Objects.hash(part)) * 0x9E37_79B9_7F4A_7C15L;
      seed ^= seed >>> 29;
    }
    return seed;
  }

  private void burn(String domain) {
    for (int vcpu = 0; vcpu < premises.host().vcpus().get(domain); vcpu++) {
      machine.burn(domids.get(domain), vcpu);
    }
  }

  /** Runs the trial to its end. */
  Computed run() {
    Instant start =
        Instant.EPOCH.plus(Plan.trialTime(experiment).multipliedBy(trial.number() - 1L));
    Window warmUp = new Window(start, start.plus(experiment.warmUp()));
    Window window = new Window(warmUp.end(), warmUp.end().plus(experiment.measure()));
    Map<String, SchedulerParameters> applied = apply();
    SampleCounter counter = new SampleCounter(LABEL, window);
    long zero = start.toEpochMilli();
    model(
            (sent, answered) ->
                counter.add(zero + sent / MILLI, zero + answered / MILLI, trial.users()))
        .start(experiment.ramp());
    machine.runUntil(experiment.warmUp().toNanos());
    ShareMeter meter = new ShareMeter(machine, domids, premises.host().vcpus(), fair.isPresent());
    meter.watch(experiment.measure());
    return new Computed(trial, warmUp, window, applied, counter.reduction(), meter.result(window));
  }

  private WebApplicationModel model(WebApplicationModel.PageListener listener) {
    Map<Place, String> parts = GuestRoles.of(experiment);
    WebApplicationModel.Layout layout =
        new WebApplicationModel.Layout(
            domids.get(parts.get(Place.WEB)),
            domids.get(parts.get(Place.DATABASE)),
            domids.get(parts.get(Place.FILE)),
            fair.isPresent()
                ? FairScheduler.emulator(domids.get(parts.get(Place.WEB)))
                : domids.get(parts.get(Place.DOM0)));
    return new WebApplicationModel(
        machine,
        layout,
        premises.route(),
        premises.demands(),
        trial.users(),
        think(),
        seed("requests"),
        listener);
  }

  private Duration think() {
    double millis =
        Double.parseDouble(experiment.workload().properties().getOrDefault("think-time", "0"));
    return Duration.ofNanos(Math.round(millis * MILLI));
  }

  /**
   * Sets the profile's parameters and, for domains that it does not change, those found; reads all
   * back.
   */
  private Map<String, SchedulerParameters> apply() {
    Map<String, SchedulerParameters> wanted =
        new LinkedHashMap<>(experiment.settings(experiment.profile(trial.profile())));
    premises
        .host()
        .found()
        .forEach(
            (domain, found) -> {
              if (domids.containsKey(domain) && found.scheduler() == options().scheduler()) {
                wanted.putIfAbsent(domain, found);
              }
            });
    Map<String, SchedulerParameters> applied = new LinkedHashMap<>();
    wanted.forEach(
        (domain, parameters) -> {
          applied.put(domain, set(domids.get(domain), parameters));
        });
    return applied;
  }

  /** Returns the parameters as read back. */
  private SchedulerParameters set(int domid, SchedulerParameters parameters) {
    if (fair.isPresent()) {
      fair.get().set(domid, parameters);
      return parameters;
    }
    if (parameters.isByVcpu()) {
      for (int vcpu = 0; vcpu < parameters.each().size(); vcpu++) {
        machine.set(domid, vcpu, parameters.each().get(vcpu));
      }
    } else {
      machine.set(domid, parameters);
    }
    return machine.parameters(domid);
  }
}
