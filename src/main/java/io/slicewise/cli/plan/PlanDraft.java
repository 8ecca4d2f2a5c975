package io.slicewise.cli.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Percentile;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.base.yaml.Options;
import io.slicewise.cli.options.StatedToolstack;
import io.slicewise.cli.plan.PlanOutline.Aims;
import io.slicewise.cli.plan.PlanOutline.Arm;
import io.slicewise.cli.plan.PlanOutline.Basis;
import io.slicewise.cli.plan.PlanOutline.Blocks;
import io.slicewise.cli.plan.PlanOutline.Design;
import io.slicewise.cli.plan.PlanOutline.HostFacts;
import io.slicewise.cli.plan.PlanOutline.LoadDesign;
import io.slicewise.cli.plan.PlanOutline.LoadSource;
import io.slicewise.cli.plan.PlanOutline.Phases;
import io.slicewise.cli.plan.PlanOutline.Power;
import io.slicewise.cli.plan.PlanOutline.Remarks;
import io.slicewise.cli.plan.PlanOutline.Step;
import io.slicewise.cli.plan.PlanOutline.SwitchOutline;
import io.slicewise.cli.plan.PlanOutline.Timing;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.findings.SwitchedScatter;
import io.slicewise.experiment.BlockOrders;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.StudyHours;
import io.slicewise.experiment.StudyKind;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.factors.Factors;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.load.generator.AllowedPlans;
import io.slicewise.load.generator.PlanFile;
import io.slicewise.load.generator.PlanNeeds;
import io.slicewise.load.spread.SplitPlan.SplitFindings;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Split;
import io.slicewise.stats.power.DesignPower;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.sweep.Settable;
import io.slicewise.sweep.deadman.SwitchProgram;
import io.slicewise.sweep.preflight.GeneratorShares;
import io.slicewise.sweep.preflight.Preflight;
import io.slicewise.workload.Workloads;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the plan of a sweep from its experiment and the state of its host. */
final class PlanDraft {
  private final Experiment experiment;
  private final HostView host;
  private final Clock clock;
  private final PlannedChanges changes;

  PlanDraft(Experiment experiment, HostView host, Clock clock) {
    this.experiment = experiment;
    this.host = host;
    this.clock = clock;
    this.changes = new PlannedChanges(experiment, host);
  }

  /**
   * @param scatter of a trial within its cell
   */
  PlanOutline outline(Scatter scatter) {
    List<Arm> arms = experiment.profiles().stream().map(changes::arm).toList();
    Map<String, String> needs = new LinkedHashMap<>();
    arms.forEach(arm -> arm.needs().ifPresent(need -> needs.put(arm.profile(), need)));
    List<Step> steps = steps(needs);
    Power power = power(scatter);
    SplitFindings split = LoadGenerators.findings(experiment);
    Optional<PlanNeeds> needed = LoadGenerators.needs(experiment);
    return new PlanOutline(
        new Basis(
            experiment.name(),
            ExperimentFiles.fingerprint(experiment),
            experiment.seed() == Defaults.UNDRAWN
                ? OptionalLong.empty()
                : OptionalLong.of(experiment.seed()),
            experiment.order().toString(),
            hostFacts()),
        design(),
        new LoadSource(
            jmeter(),
            Optional.of(GeneratorShares.of(experiment)).filter(all -> !all.machines().isEmpty())),
        arms,
        timing(steps, needs),
        power,
        steps,
        new PlannedSwitch(experiment, host).outline(),
        new Remarks(
            Stream.of(
                    changes.problems(),
                    split.faults(),
                    needed.map(PlanNeeds::missing).orElse(List.of()),
                    host.stated().isPresent()
                        ? List.<String>of()
                        : Preflight.obstaclesHere(experiment))
                .flatMap(List::stream)
                .toList(),
            Stream.of(
                    changes.refusals(),
                    split.warnings(),
                    Settable.alike(experiment),
                    needed.flatMap(PlanNeeds::endsByItself).stream()
                        .map(ends -> "%s: %s".formatted(ends, PlanNeeds.WAY_OUT))
                        .toList(),
                    new PlanNotes(experiment, power, needs, host.seen().isPresent()).all())
                .flatMap(List::stream)
                .toList()));
  }

  private HostFacts hostFacts() {
    return new HostFacts(
        host.address(),
        host.unseen(),
        host.seen().map(HostView.Seen::description),
        host.stated().map(StatedToolstack::toString),
        host.seen().map(seen -> seen.domains().size()).orElse(0),
        host.seen().map(seen -> seen.answer().toNanos() / 1e6).orElse(Double.NaN));
  }

  private Optional<PlanOutline.JMeterPlan> jmeter() {
    WorkloadSpec workload = experiment.workload();
    return LoadGenerators.plan(experiment)
        .map(PlanFile::read)
        .map(
            plan ->
                new PlanOutline.JMeterPlan(
                    plan.path().getFileName().toString(),
                    plan.properties().keySet().stream().sorted().toList(),
                    counts(plan.path()),
                    plan.ignored(workload.properties().keySet())));
  }

  private List<String> counts(Path plan) {
    WorkloadSpec workload = experiment.workload();
    return Workloads.type(workload.name())
        .map(type -> type.counts(plan, new Options(workload.options())))
        .orElse(List.of());
  }

  private Map<String, List<Object>> levels() {
    Map<String, List<Object>> levels = new LinkedHashMap<>();
    Stream.of(Axis.values())
        .filter(Axis::isNumeric)
        .forEach(
            axis ->
                levels.put(
                    axis.key(),
                    axis.levels(experiment.askedLoads()).stream().map(Level::value).toList()));
    return levels;
  }

  private Design design() {
    Map<String, List<String>> domains = new LinkedHashMap<>();
    for (Role role : Role.values()) {
      domains.put(role.key(), experiment.domains().get(role));
    }
    return new Design(
        domains,
        new LoadDesign(
            experiment.workload().name(),
            target(),
            levels(),
            experiment.workload().parts(),
            List.copyOf(experiment.workload().lone().keySet()),
            experiment.loads().size()),
        experiment.profiles().size(),
        experiment.controls(),
        new Blocks(experiment.repetitions(), Plan.mostBlocks(experiment)),
        new PlannedSessions(experiment).outline(),
        new Aims(
            experiment.stop(),
            experiment.aim().goal().map(Aim.Goal::toString),
            experiment.aim().guardTexts()),
        experiment.baseline(),
        experiment.factors().map(Factors::sentences).orElse(List.of()));
  }

  /** Returns the target; the lab's servers have an address only while it runs. */
  private Optional<String> target() {
    return experiment.lab().isPresent() && experiment.workload().loads()
        ? Optional.of("the embedded lab")
        : experiment.workload().target().map(URI::toString);
  }

  private List<Step> steps(Map<String, String> needs) {
    OffsetDateTime start = OffsetDateTime.now(clock);
    Duration each = Plan.trialTime(experiment);
    List<Step> steps = new ArrayList<>();
    PlannedSessions sessions = new PlannedSessions(experiment);
    for (Trial trial : Plan.of(experiment)) {
      boolean waits = sessions.waits(trial, needs.keySet());
      start = waits ? start : start.plus(sessions.before(trial));
      steps.add(
          new Step(
              trial.number(),
              trial.block(),
              trial.profile(),
              trial.load(),
              waits ? Optional.empty() : Optional.of(start)));
      start = waits ? start : start.plus(each);
    }
    return steps;
  }

  private Timing timing(List<Step> steps, Map<String, String> needs) {
    Duration each = Plan.trialTime(experiment);
    int runnable = (int) steps.stream().filter(step -> step.earliestStart().isPresent()).count();
    Map<String, Duration> later =
        steps.stream()
            .filter(step -> step.earliestStart().isEmpty())
            .collect(
                Collectors.toMap(
                    step -> needs.getOrDefault(step.profile(), needs.values().iterator().next()),
                    step -> each,
                    Duration::plus,
                    LinkedHashMap::new));
    Duration now =
        each.multipliedBy(runnable).plus(new PlannedSessions(experiment).overhead(needs.keySet()));
    return new Timing(
        new Phases(
            experiment.warmUp(),
            experiment.ramp(),
            experiment.measure(),
            experiment.coolDown(),
            each),
        runnable,
        now,
        OffsetDateTime.now(clock).plus(now),
        longest(now),
        OffsetDateTime.now(clock).plus(longest(now)),
        later,
        experiment.measuresWork());
  }

  /**
   * Returns the time with every block that {@code stop} allows; its time limit never cuts the first
   * stage.
   */
  private Duration longest(Duration firstStage) {
    Duration all =
        firstStage.multipliedBy(Plan.mostBlocks(experiment)).dividedBy(experiment.repetitions());
    return experiment
        .stop()
        .map(Stop::time)
        .filter(bound -> bound.compareTo(all) < 0)
        .map(bound -> bound.compareTo(firstStage) < 0 ? firstStage : bound)
        .orElse(all);
  }

  private Power power(Scatter scatter) {
    int comparisons = Comparisons.familySize(experiment);
    int most = Plan.mostBlocks(experiment);
    int family = Math.max(1, comparisons);
    DesignPower first = new DesignPower(experiment.repetitions(), scatter.cv(), family);
    DesignPower all = new DesignPower(most, scatter.cv(), family);
    return new Power(
        scatter,
        experiment.repetitions(),
        comparisons,
        comparisons == 0 ? Double.NaN : first.smallestEffect(),
        most,
        comparisons == 0 ? Double.NaN : all.smallestEffect(),
        first.restsOnNormality(),
        PowerOfSessions.of(experiment, scatter, comparisons),
        PowerOfSessions.ofPairs(experiment, scatter, comparisons));
  }

  /** The coefficient of variation of the trials in a cell, as a share, and its source. */
  record Scatter(double cv, String source, @JsonIgnore Optional<SwitchedScatter> switched) {
    Scatter(double cv, String source) {
      this(cv, source, Optional.empty());
    }

    /** The typical scatter of a quiet host, assumed if nothing is known of this one. */
    static final Scatter ASSUMED = new Scatter(0.05, "assumed; set it with --cv or --like");

    static Scatter given(double cv) {
      return new Scatter(cv, "given");
    }
  }

  /** The dead man's switch that a run would start on its host. */
  private record PlannedSwitch(Experiment experiment, HostView host) {
    /** Returns the switch; empty if the experiment asks for none. */
    Optional<SwitchOutline> outline() {
      return experiment.host().flatMap(HostSpec::deadMan).map(this::outline);
    }

    private SwitchOutline outline(Duration limit) {
      String sentence =
          "after %s without a heartbeat, the host restores itself"
              .formatted(DurationText.of(limit));
      Map<String, Undo> undos = new LinkedHashMap<>();
      try {
        host.seen()
            .ifPresent(
                seen -> experiment.profiles().forEach(profile -> collect(seen, profile, undos)));
      } catch (HypervisorException inexpressible) {
        return new SwitchOutline(inexpressible.getMessage(), List.of());
      }
      return new SwitchOutline(
          sentence,
          undos.isEmpty()
              ? List.of()
              : new SwitchProgram(limit, "the run's lock", List.copyOf(undos.values()))
                  .text()
                  .lines()
                  .toList());
    }

    private void collect(HostView.Seen seen, SchedulerProfile profile, Map<String, Undo> undos) {
      experiment
          .settings(profile)
          .forEach(
              (name, wanted) -> {
                Optional<Target> target = seen.target(name);
                SchedulerParameters found = seen.current().get(name);
                if (target.isPresent()
                    && found != null
                    && !found.equals(wanted)
                    && seen.hypervisor().switchesLive(found, wanted)) {
                  seen.hypervisor()
                      .undo(
                          target.get(),
                          new Undo.Change(found, wanted.changedFrom(found), List.of(found, wanted)))
                      .ifPresent(undo -> undos.merge(name, undo, Undo::and));
                }
              });
    }
  }

  /** The sessions of an experiment's plan; none where its design is of trials. */
  private static final class PlannedSessions {
    private final Experiment experiment;
    private final Map<SessionKey, Set<String>> profiles = new HashMap<>();
    private final Map<SessionKey, Trial> first = new HashMap<>();
    private int windows;

    PlannedSessions(Experiment experiment) {
      this.experiment = experiment;
      if (experiment.design().isPresent()) {
        Plan.of(experiment).forEach(this::take);
      }
    }

    private void take(Trial window) {
      SessionKey session = window.session().orElseThrow();
      first.putIfAbsent(session, window);
      profiles.computeIfAbsent(session, any -> new HashSet<>()).add(window.profile());
      windows = Math.max(windows, profiles.get(session).size());
    }

    Optional<PlanOutline.Sessions> outline() {
      return experiment.design().map(this::outline);
    }

    private PlanOutline.Sessions outline(SessionDesign design) {
      return new PlanOutline.Sessions(
          design.sessions(),
          profiles.size(),
          design.blocks(),
          design.window(),
          SessionPlan.washOut(experiment),
          design.washOut().isEmpty(),
          experiment
              .warmUp()
              .plus(
                  Plan.trialTime(experiment)
                      .multipliedBy(
                          (long) design.blocks() * (design.pairs().isPresent() ? 2 : windows))),
          design.pairs().isPresent());
    }

    /** Returns whether the trial waits for a reboot; with it, its whole session does. */
    boolean waits(Trial trial, Set<String> needing) {
      return trial
          .session()
          .map(session -> profiles.get(session).stream().anyMatch(needing::contains))
          .orElseGet(() -> needing.contains(trial.profile()));
    }

    /** Returns what passes before a window that is its session's first. */
    Duration before(Trial trial) {
      return first.containsValue(trial)
          ? experiment.warmUp().plus(experiment.coolDown())
          : Duration.ZERO;
    }

    /** Returns what the sessions that can run now take beside their windows. */
    Duration overhead(Set<String> needing) {
      List<Trial> begins =
          first.values().stream().filter(window -> !waits(window, needing)).toList();
      return experiment.warmUp().plus(experiment.coolDown()).multipliedBy(begins.size());
    }
  }

  /**
   * The limitations of a planned sweep, reported before it runs.
   *
   * @param needs by profile, the scheduler it waits for
   */
  private record PlanNotes(
      Experiment experiment, PlanOutline.Power power, Map<String, String> needs, boolean hostSeen) {
    /** From as many on, sessions are the replicates. */
    private static final int FEWEST_SESSIONS = 3;

    List<String> all() {
      List<String> notes = new ArrayList<>();
      ofTheDesign(notes);
      ofTheHost(notes);
      LoadGenerators.code(experiment).flatMap(AllowedPlans::note).ifPresent(notes::add);
      if (experiment.workload().loads() && !experiment.isOpen()) {
        notes.add(
            "closed load: each user waits for a response before the next request, so delays to users"
                + " who could not arrive are not measured");
      }
      return List.copyOf(notes);
    }

    private void ofTheDesign(List<String> notes) {
      if (experiment.profiles().size() < 2) {
        notes.add("only one profile: nothing is compared");
      } else if (experiment.repetitions() < 2) {
        notes.add(
            "one repetition gives no interval and no comparison; use at least 2, preferably 5");
      } else if (power.restsOnNormality() && experiment.pairs().isEmpty()) {
        notes.add(
            ("with %s blocks significance assumes normally distributed trials; more blocks"
                    + " weaken that assumption")
                .formatted(power.blocks()));
      }
      if (experiment.stop().filter(stop -> stop.time().compareTo(firstStage()) < 0).isPresent()) {
        notes.add(
            "the first stage takes longer than 'within: time' allows; it runs in full and no block is"
                + " added");
      }
      experiment.design().ifPresent(design -> ofTheSessions(design, notes));
      experiment.order().study().map(StudyKind::note).ifPresent(notes::add);
      if (!experiment.order().hasBlocks()) {
        notes.add(
            "order as written: drift of the host cannot be distinguished from a difference between"
                + " profiles");
      }
    }

    private void ofTheSessions(SessionDesign design, List<String> notes) {
      if (design.pairs().isPresent()) {
        if (design.pairs().get().observe()) {
          notes.add(
              "it only observes: what 'Sets' and 'Send' show is sent without 'observe: true'");
        }
        StudyHours hours = design.pairs().get().hours();
        if (!hours.equals(StudyHours.ALWAYS)) {
          notes.add(
              "pairs run %s; the times are without what passes until then, which at-most counts"
                  .formatted(hours));
        }
        ofTheWindow(design, notes);
        return;
      }
      if (design.sessions() < FEWEST_SESSIONS) {
        notes.add(
            "%s of a load: what a restart changes is not in the intervals; use at least %d"
                .formatted(Plural.of(design.sessions(), "session"), FEWEST_SESSIONS));
      }
      if (SessionPlan.boots(experiment).size() > 1) {
        notes.add(
            "profiles of different schedulers are in sessions of their own boot: their comparison"
                + " includes what differs between boots");
      }
      SessionPlan.boots(experiment).stream()
          .mapToInt(List::size)
          .filter(profiles -> design.blocks() % BlockOrders.square(profiles) != 0)
          .distinct()
          .forEach(
              profiles ->
                  notes.add(
                      ("%d blocks of %d profiles are not balanced for carry-over; multiples of %d"
                              + " are")
                          .formatted(design.blocks(), profiles, BlockOrders.square(profiles))));
      ofTheWindow(design, notes);
    }

    private void ofTheWindow(SessionDesign design, List<String> notes) {
      if (experiment.workload().loads()) {
        double seconds = design.window().toNanos() / 1e9;
        long p95 = new Percentile(95).samples();
        long p99 = new Percentile(99).samples();
        notes.add(
            Phrase.of(
                "a window has a p95 from %.0f requests/s on (%d samples), a p99 from %.0f/s (%d)",
                Math.ceil(p95 / seconds), p95, Math.ceil(p99 / seconds), p99));
      }
    }

    private void ofTheHost(List<String> notes) {
      if (!hostSeen && schedulers() > 1) {
        notes.add(
            "profiles of %s schedulers: those that the host does not run wait for a reboot"
                .formatted(schedulers()));
      }
      if (!needs.isEmpty() && needs.size() < experiment.profiles().size()) {
        notes.add(
            "profiles that need another scheduler run after a reboot: differences between boots are"
                + " included in their comparison");
      }
      notes.addAll(Split.costs(experiment.profiles()));
      if (experiment.lab().isPresent()) {
        notes.add("results from the embedded lab do not apply to real hosts");
      }
    }

    private Duration firstStage() {
      return Plan.trialTime(experiment).multipliedBy(Plan.of(experiment).size());
    }

    private long schedulers() {
      return experiment.profiles().stream()
          .flatMap(profile -> profile.booted().stream())
          .distinct()
          .count();
    }
  }
}
