package io.slicewise.lab.simulate;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.Accounts;
import io.slicewise.host.Target;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.FairScheduler;
import io.slicewise.lab.sim.FairScheduler.Quota;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Machine.MachineSpec;
import io.slicewise.lab.sim.Runstate.RunstateTimes;
import io.slicewise.lab.sim.SchedulerOptions;
import io.slicewise.lab.sim.WebApplicationModel;
import io.slicewise.lab.sim.WebApplicationModel.Exponential;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleCounter;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.profile.TimeLimit;
import io.slicewise.run.ComputedRun.Computed;
import io.slicewise.run.result.LoadResults;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.workload.Fairness;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

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
  private final Map<String, Map<Place, String>> groups;

  TrialModel(Experiment experiment, Premises premises, Trial trial) {
    this.experiment = experiment;
    this.premises = premises;
    this.trial = trial;
    this.groups = groups(experiment, trial.load());
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
    for (Object part :
        new Object[] {trial.profile(), trial.load().salt(), trial.repetition(), purpose}) {
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
    SampleCounter counter = new SampleCounter(window);
    groups.forEach((label, roles) -> load(label, roles, counter, start.toEpochMilli()));
    OwnLoads own = new OwnLoads(machine, seed("own load"));
    premises
        .ownLoad()
        .forEach(
            (domain, blocked) -> {
              if (domids.containsKey(domain) && !premises.host().burning().contains(domain)) {
                own.start(domids.get(domain), premises.host().vcpus().get(domain), blocked);
              }
            });
    machine.runUntil(experiment.warmUp().toNanos());
    ShareMeter meter = new ShareMeter(machine, domids, premises.host().vcpus(), fair.isPresent());
    meter.watch(experiment.measure());
    return new Computed(trial, warmUp, window, applied, result(counter), meter.result(window));
  }

  /** The roles of each group of users by the label of its requests. */
  private static Map<String, Map<Place, String>> groups(Experiment experiment, Load load) {
    List<Map<Place, String>> all = GuestRoles.of(experiment);
    Map<String, Map<Place, String>> groups = new LinkedHashMap<>();
    all.forEach(roles -> groups.put(all.size() == 1 ? LABEL : roles.get(Place.WEB), roles));
    if (all.size() > 1) {
      groups.keySet().retainAll(experiment.loaded(load));
    }
    return groups;
  }

  private TrialLoad result(SampleCounter counter) {
    if (groups.isEmpty()) {
      return TrialLoad.NONE;
    }
    Reduction reduction = counter.reduction();
    return new TrialLoad(
        Optional.of(LoadResults.of(reduction, reduction.window())),
        List.of(),
        groups.size() == 1 ? List.of() : List.of(Fairness.of(reduction, groups.keySet())));
  }

  /** Starts a group's users; a place without a domain has no demand. */
  private void load(String label, Map<Place, String> roles, SampleCounter counter, long zero) {
    int first = domids.get(roles.getOrDefault(Place.WEB, roles.get(Place.DATABASE)));
    WebApplicationModel.Layout layout =
        new WebApplicationModel.Layout(
            domid(roles, Place.WEB, first),
            domid(roles, Place.DATABASE, first),
            domid(roles, Place.FILE, first),
            fair.isPresent() ? FairScheduler.emulator(first) : domid(roles, Place.DOM0, first));
    int users = experiment.users(trial.load());
    int all = users * groups.size();
    WebApplicationModel model =
        new WebApplicationModel(
            machine,
            layout,
            premises.route(),
            premises.demands(),
            users,
            think(),
            seed(label.equals(LABEL) ? "requests" : label),
            (sent, answered) ->
                counter.add(label, zero + sent / MILLI, zero + answered / MILLI, all));
    if (trial.load().isOpen()) {
      model.arrive(trial.load().size());
    } else {
      model.start(experiment.ramp());
    }
  }

  private int domid(Map<Place, String> roles, Place place, int otherwise) {
    return roles.containsKey(place) ? domids.get(roles.get(place)) : otherwise;
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
    wanted.forEach((target, parameters) -> applied.put(target, set(target, parameters)));
    return applied;
  }

  /** Sets the one pool that the model has. */
  private SchedulerParameters pool(SchedulerParameters parameters) {
    machine.setPoolOptions(Machine.POOL_0, options().with(parameters));
    return parameters;
  }

  private SchedulerParameters set(String target, SchedulerParameters parameters) {
    if (parameters.scheduler().scope() == Scope.POOL) {
      return pool(parameters);
    }
    int domid = domids.get(Target.domainOf(target));
    return parameters.scheduler().scope() == Scope.PLACE
        ? place(domid, parameters)
        : set(domid, parameters);
  }

  /** Gives vCPUs their hard affinity; the model has no soft one. */
  private SchedulerParameters place(int domid, SchedulerParameters parameters) {
    int vcpus = machine.vcpus(domid).size();
    int online = parameters.get(Placement.VCPUS);
    machine.setOnline(
        domid, Placement.VCPUS.kind().isAsFound(online) ? vcpus : Math.min(online, vcpus));
    List<String> each = Pinning.each(parameters.get(Placement.AFFINITY), vcpus);
    for (int vcpu = 0; vcpu < vcpus; vcpu++) {
      if (!each.get(vcpu).isEmpty() && !each.get(vcpu).equals(Pinning.ALL)) {
        pin(machine, premises.host(), domid, vcpu, each.get(vcpu));
      }
    }
    return parameters;
  }

  /** Pins to those of the pCPUs that the model has. */
  private static void pin(Machine machine, HostModel host, int domid, int vcpu, String pcpus) {
    Set<Integer> there =
        Pinning.cpus(pcpus).stream()
            .filter(pcpu -> pcpu < host.pcpus())
            .boxed()
            .collect(Collectors.toSet());
    if (!there.isEmpty()) {
      machine.pin(domid, vcpu, there);
    }
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

  /** Guests of libvirt on a simulated Linux host: each has an emulator beside its vCPUs. */
  private record FairGuests(Machine machine, HostModel host) {
    /** Sets a guest's shares, quotas and pinning. */
    void set(int domid, SchedulerParameters parameters) {
      List<SchedulerParameters> each = parameters.each();
      machine.fair().setWeight(domid, weight(each.get(0)));
      machine.fair().setQuota(domid, quota(each.get(0), Cfs.GLOBAL_QUOTA.key()));
      machine
          .fair()
          .setQuota(FairScheduler.emulator(domid), 0, quota(each.get(0), Cfs.EMULATOR_QUOTA.key()));
      int vcpus = machine.vcpus(domid).size();
      machine.setOnline(domid, Math.min(Cfs.online(each.get(0), vcpus), vcpus));
      for (int vcpu = 0; vcpu < vcpus; vcpu++) {
        SchedulerParameters one = each.get(Math.min(vcpu, each.size() - 1));
        machine.fair().setQuota(domid, vcpu, quota(one, Cfs.VCPU_QUOTA.key()));
        if (!Cfs.leavesPinning(one)) {
          pin(machine, host, domid, vcpu, Pinning.each(one.get(Cfs.PINNING), vcpus).get(vcpu));
        }
      }
    }

    /** Converts shares to the machine's units, in which a guest that nobody changed has 1024. */
    private double weight(SchedulerParameters parameters) {
      double unchanged = FairScheduler.DEFAULT_WEIGHT;
      return Cfs.hasDefaultShares(parameters)
          ? unchanged
          : parameters.get(Cfs.SHARES) * unchanged / host.defaultShares();
    }

    private static Optional<Quota> quota(SchedulerParameters parameters, String key) {
      return Cfs.LIMITS.stream()
          .filter(limit -> limit.quota().key().equals(key) && limit.limits(parameters))
          .map(limit -> quota(parameters, limit))
          .findFirst();
    }

    private static Quota quota(SchedulerParameters parameters, TimeLimit limit) {
      return new Quota(
          micros(parameters.get(limit.quota())), micros(parameters.get(limit.period())));
    }

    private static long micros(Duration time) {
      return time.toNanos() / 1_000;
    }
  }

  /**
   * Advances through the measured window and records each domain's shares: over the whole window
   * and, like a monitor, for each second. Time in which a cap of Xen parks a vCPU counts as
   * blocked, the rest, as in measurements.
   */
  private static final class ShareMeter {
    private static final long SECOND = 1_000_000_000L;

    private final Machine machine;
    private final Map<String, Integer> domids;
    private final Map<String, Integer> vcpus;
    private final boolean fair;
    private final List<MonitorResult.Second> series = new ArrayList<>();
    private Map<String, Spent> whole = Map.of();

    /** The total times of a domain's vCPUs so far, and of its emulator. */
    private record Spent(long running, long runnable, long emulator) {
      Spent since(Spent before) {
        return new Spent(
            running - before.running, runnable - before.runnable, emulator - before.emulator);
      }
    }

    /**
     * @param fair whether the machine is a Linux host, where throttled time counts as waiting
     */
    ShareMeter(
        Machine machine, Map<String, Integer> domids, Map<String, Integer> vcpus, boolean fair) {
      this.machine = machine;
      this.domids = domids;
      this.vcpus = vcpus;
      this.fair = fair;
    }

    /** Advances the time by {@code length}. */
    void watch(Duration length) {
      long start = machine.now();
      long end = start + length.toNanos();
      Map<String, Spent> first = spent();
      Map<String, Spent> before = first;
      for (int second = 0; machine.now() < end; second++) {
        long from = machine.now();
        machine.runUntil(Math.min(end, from + SECOND));
        Map<String, Spent> now = spent();
        addSecond(second, before, now, machine.now() - from);
        before = now;
      }
      whole = difference(first, before);
    }

    private Map<String, Spent> spent() {
      Map<String, Spent> spent = new LinkedHashMap<>();
      domids.forEach((domain, domid) -> spent.put(domain, spent(domid, vcpus.get(domain))));
      return spent;
    }

    private Spent spent(int domid, int count) {
      long running = 0;
      long runnable = 0;
      for (int vcpu = 0; vcpu < count; vcpu++) {
        RunstateTimes times = machine.times(domid, vcpu);
        running += times.runningNanos();
        runnable += fair ? machine.fair().readyNanos(domid, vcpu) : times.runnableNanos();
      }
      return new Spent(running, runnable, fair ? emulator(domid) : 0);
    }

    private long emulator(int domid) {
      return machine.times(FairScheduler.emulator(domid), 0).runningNanos();
    }

    private static Map<String, Spent> difference(
        Map<String, Spent> before, Map<String, Spent> after) {
      Map<String, Spent> difference = new LinkedHashMap<>();
      after.forEach((domain, spent) -> difference.put(domain, spent.since(before.get(domain))));
      return difference;
    }

    private void addSecond(
        int second, Map<String, Spent> before, Map<String, Spent> now, long nanos) {
      difference(before, now)
          .forEach(
              (domain, spent) -> {
                double available = (double) nanos * vcpus.get(domain);
                series.add(
                    new MonitorResult.Second(
                        second, domain, spent.running / available, spent.runnable / available));
              });
    }

    private static Reading emulator(Spent spent, Window window) {
      return Reading.share(
          Accounts.EMULATOR_RUN, (double) spent.emulator / window.length().toNanos());
    }

    /** The shares in the window of {@link #watch}. */
    MonitorResult result(Window window) {
      List<DomainShares> shares = new ArrayList<>();
      whole.forEach(
          (domain, spent) -> {
            double available = (double) window.length().toNanos() * vcpus.get(domain);
            double run = spent.running / available;
            double waiting = spent.runnable / available;
            shares.add(
                new DomainShares(
                        domain,
                        domids.get(domain),
                        vcpus.get(domain),
                        run,
                        waiting,
                        Math.max(0, 1 - run - waiting),
                        "")
                    .with(fair ? List.of(emulator(spent, window)) : List.of()));
          });
      return new MonitorResult("sim", window, shares, series, List.of());
    }
  }

  /**
   * The load of domains that compute without requests of the modelled users: every vCPU alternates
   * exponential bursts of CPU time, with a mean of 5 ms, and exponential times blocked. Counters
   * show how much a domain computes, not in which bursts; the 5 ms are assumed.
   */
  static final class OwnLoads {
    private static final long BURST_NANOS = 5_000_000;

    private final Machine machine;
    private final Exponential chance;

    OwnLoads(Machine machine, long seed) {
      this.machine = machine;
      this.chance = new Exponential(seed);
    }

    /**
     * Starts the load of a domain's vCPUs.
     *
     * @param blocked mean time blocked for each unit of CPU time
     */
    void start(int domid, int vcpus, double blocked) {
      for (int vcpu = 0; vcpu < vcpus; vcpu++) {
        if (blocked == 0) {
          machine.burn(domid, vcpu);
        } else {
          new Task(domid, Math.round(BURST_NANOS * blocked)).accept(machine.now());
        }
      }
    }

    /** Returns the loads as a phrase: {@code own load (web 50 %, db 3 % if alone)}. */
    static String text(Map<String, Double> ownLoad) {
      List<String> words = new ArrayList<>();
      new TreeMap<>(ownLoad)
          .forEach(
              (domain, blocked) -> words.add(Phrase.of("%s %.1f %%", domain, 100 / (1 + blocked))));
      return words.isEmpty() ? "" : "own load (" + String.join(", ", words) + " if alone)";
    }

    /** One vCPU's worth of load: called at the end of each burst and of each time blocked. */
    private final class Task implements LongConsumer {
      private final int domid;
      private final long blockedNanos;
      private boolean computing = true;

      Task(int domid, long blockedNanos) {
        this.domid = domid;
        this.blockedNanos = blockedNanos;
      }

      @Override
      public void accept(long nanos) {
        computing = !computing;
        if (computing) {
          machine.submit(domid, chance.next(BURST_NANOS), this);
        } else {
          machine.at(nanos + chance.next(blockedNanos), this);
        }
      }
    }
  }
}
