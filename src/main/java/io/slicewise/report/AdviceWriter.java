package io.slicewise.report;

import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.evidence.facts.Knob;
import io.slicewise.evidence.findings.Capacity;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.evidence.runs.Boots;
import io.slicewise.evidence.runs.Cause;
import io.slicewise.evidence.runs.Causes;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Split;
import io.slicewise.report.Advice.Line;
import io.slicewise.report.table.ChangeText;
import io.slicewise.run.Environment;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Crossing;
import io.slicewise.stats.Estimate;
import io.slicewise.sweep.HostApply;
import io.slicewise.sweep.ProfileCommands;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats a recommendation as sentences. */
final class AdviceWriter {
  private static final int MOST_KNOBS = 5;

  private final LoadedRun run;
  private final Experiment experiment;
  private final List<TrialResult> results;
  private final RunEvidence evidence;
  private final Answer answer;
  private final Recommendation facts;
  private final Optional<Environment> found;
  private final GoalSentences aim;
  private final List<Line> lines = new ArrayList<>();

  AdviceWriter(RunEvidence evidence, Answer answer) {
    this.run = evidence.run();
    this.experiment = evidence.experiment();
    this.results = evidence.results();
    this.evidence = evidence;
    this.answer = answer;
    this.facts = evidence.facts();
    this.found = run.environment();
    this.aim = new GoalSentences(experiment, results);
  }

  Advice advice() {
    addUnfinished();
    answer.caveats().forEach(text -> add("But", text));
    answer.wouldChange().forEach(text -> add("Surer by", text));
    evidence
        .effects()
        .ifPresent(effects -> effects.sentences().forEach(text -> add("Factors", text)));
    return answer.choice().map(this::recommended).orElseGet(this::nothing);
  }

  private void addUnfinished() {
    int planned = MeasuredRun.planned(run);
    int finished = new Attempts(results).trials();
    if (finished < planned) {
      add(
          "Trials",
          finished + " of " + planned + " have finished so far; the results below cover those");
    }
  }

  private Advice recommended(String profile) {
    List<Knob> knobs = evidence.knobs(profile);
    AdviceEvidence sentences = new AdviceEvidence(experiment, results, facts);
    sentences.of(profile).forEach(text -> add("Evidence", text));
    List<Cause> causes =
        Cause.of(experiment, results).stream()
            .filter(cause -> cause.profile().equals(profile))
            .toList();
    CauseSentences.of(Causes.of(causes, results, found)).forEach(text -> add("Cause", text));
    sentences.bestSets(profile).forEach(text -> add("Best set", text));
    aim.guards(profile, facts.comparisons()).forEach(text -> add("Guard", text));
    aim.broken(facts.comparisons()).forEach(text -> add("Guard", text));
    sentences.price(profile).forEach(text -> add("Price", text));
    sentences.largestWait(profile).ifPresent(text -> add("Waits", text));
    sentences.whyNot(profile).forEach(text -> add("Why not", text));
    add("Which knob", whichKnob(knobs, evidence.effects().isPresent()));
    addHolds();
    Split.costs(experiment.profiles()).forEach(text -> add("Cost", text));
    aim.capacity(List.of(profile, experiment.baseline())).forEach(text -> add("Capacity", text));
    add("How sure", answer.sure());
    boots(List.of(experiment.baseline(), profile)).ifPresent(text -> add("Boots", text));
    ProfileCommands commands = evidence.commands(profile);
    addCommands(profile, commands);
    add("Host", new HostReceipt(run).sentence());
    return new Advice(answer, lines, commands.apply(), commands.undo());
  }

  private Advice nothing() {
    AdviceEvidence sentences = new AdviceEvidence(experiment, results, facts);
    boolean compared = facts.comparisons().stream().anyMatch(AdviceEvidence::isPrimary);
    if (compared) {
      sentences.whyNot("").forEach(text -> add("Why not", text));
    }
    if (!facts.control().falseAlarms().isEmpty()) {
      add(
          "Control",
          "the baseline measured twice differs from itself, so no other comparison is evidence");
    }
    boots(experiment.profiles().stream().map(SchedulerProfile::name).toList())
        .ifPresent(text -> add("Boots", text));
    aim.broken(facts.comparisons()).forEach(text -> add("Guard", text));
    sentences.bestSets(experiment.baseline()).forEach(text -> add("Best set", text));
    sentences.wouldDecide().forEach(text -> add("Not shown", text));
    addHolds();
    Split.costs(experiment.profiles()).forEach(text -> add("Cost", text));
    aim.capacity(experiment.profiles().stream().map(SchedulerProfile::name).toList())
        .forEach(text -> add("Capacity", text));
    add("Host", new HostReceipt(run).sentence());
    return new Advice(answer, lines, List.of(), List.of());
  }

  private Optional<String> boots(List<String> profiles) {
    return run.origin().isSimulated() ? Optional.empty() : Boots.sentence(results, profiles);
  }

  private void add(String label, String text) {
    boolean again = lines.stream().anyMatch(line -> line.label().equals(label));
    lines.add(new Line(again ? "" : label, text));
  }

  private static String knob(Knob knob) {
    return knob.parameter() + "(" + knob.domain() + ") " + knob.from() + " -> " + knob.to();
  }

  /**
   * Returns the settings in which the recommended profile differs.
   *
   * @param separated whether the effects of factors are known
   */
  private static String whichKnob(List<Knob> knobs, boolean separated) {
    if (knobs.isEmpty()) {
      return "none differs from the baseline, as far as the host is known";
    }
    if (knobs.size() == 1) {
      return knob(knobs.get(0)) + ", the only difference from the baseline";
    }
    String shown =
        knobs.stream().limit(MOST_KNOBS).map(AdviceWriter::knob).collect(Collectors.joining(", "));
    String more =
        knobs.size() > MOST_KNOBS ? " and %d more".formatted(knobs.size() - MOST_KNOBS) : "";
    return "%s%s: %d settings differ; %s"
        .formatted(
            shown,
            more,
            knobs.size(),
            separated
                ? "the effects of the factors show what each of them does"
                : "to find the cause, add a profile that changes only one of them");
  }

  private void addHolds() {
    String guests =
        found
            .map(
                one ->
                    Phrase.of(
                        ", %s, %s, %s",
                        one.host().hypervisor(),
                        one.identity().scheduler(),
                        Plural.of(one.identity().guests(), "guest")))
            .orElse("");
    Origin origin = run.origin();
    String where =
        origin.kind() == Origin.Kind.HOST
            ? "this host"
            : origin.sentence().replaceFirst("^measured on ", "");
    String loads =
        experiment.workload().loads()
            ? ", %s at %s%s"
                .formatted(
                    experiment.workload().name(),
                    Load.span(experiment.askedLoads()),
                    options(experiment.workload()))
            : "";
    add("Holds for", where + guests + loads + "; nothing else was tested");
  }

  /**
   * Returns the workload's options with defaults; its properties may be confidential and are
   * omitted.
   */
  private static String options(WorkloadSpec workload) {
    String words =
        workload.optionWords().entrySet().stream()
            .filter(option -> !option.getValue().equals("none"))
            .map(option -> option.getKey() + " " + option.getValue())
            .collect(Collectors.joining(", "));
    return words.isEmpty() ? "" : " (" + words + ")";
  }

  private void addCommands(String profile, ProfileCommands commands) {
    if (commands.apply().isEmpty() && commands.notes().isEmpty()) {
      add(
          "Apply",
          found.isPresent()
              ? "nothing: the host already had these settings"
              : "unknown: the run never reached its host");
    } else if (experiment.lab().isPresent()) {
      add("Apply", "the lab ended with its run; on a host with the same settings:");
    } else {
      add(
          "Apply",
          "slicewise apply %s --profile %s   (shows commands, keeps undo)"
              .formatted(run.root(), profile));
    }
    commands.apply().forEach(command -> add("Apply", command));
    commands.undo().forEach(command -> add("Undo", command));
    commands.notes().forEach(note -> add("Apply", note));
  }

  /** Reports from the journal whether a run left the host as it found it. */
  private record HostReceipt(LoadedRun run) {
    /** Returns the newest profile that was applied from the run and not undone. */
    private Optional<RunDirectory> applied() {
      return HostApply.inForce(run.root()).stream().reduce((earlier, later) -> later);
    }

    String sentence() {
      if (run.directory().isWorkedOn()) {
        return "the run is in progress; the host is restored at its end";
      }
      RunRecord record = run.record();
      if (!record.touched().isEmpty() && run.experiment().lab().isEmpty()) {
        return "NOT RESTORED: %s still changed by the run; slicewise restore %s"
            .formatted(String.join(", ", record.touched()), run.root());
      }
      Optional<RunDirectory> applied = applied();
      if (applied.isPresent()) {
        return applied
            .get()
            .record()
            .last()
            .map(JournalEvent.RunEnded::sentence)
            .orElse("an apply was interrupted: slicewise restore " + applied.get().root());
      }
      return run.events().stream()
          .filter(JournalEvent.Restored.class::isInstance)
          .map(JournalEvent.Restored.class::cast)
          .reduce((earlier, later) -> later)
          .map(HostReceipt::putBack)
          .orElse("no changes left");
    }

    private static String putBack(JournalEvent.Restored last) {
      int all = last.settings().size() + last.complaints().size();
      return last.complaints().isEmpty()
          ? (all == 1 ? "1 setting" : "all %d settings".formatted(all)) + " restored and verified"
          : "%d of %d settings restored and verified".formatted(last.settings().size(), all);
    }
  }

  /** Sentences on goals, capacity and guards of an experiment. */
  record GoalSentences(Experiment experiment, List<TrialResult> results) {
    /** Returns the capacity of each profile; empty without a bound on response times. */
    List<String> capacity(List<String> profiles) {
      Optional<Goal> goal =
          Goal.of(experiment).filter(Goal::below).filter(any -> experiment.workload().loads());
      return goal.map(
              bound ->
                  profiles.stream()
                      .distinct()
                      .flatMap(name -> Capacity.of(experiment, results, bound, name).stream())
                      .map(GoalSentences::sentence)
                      .toList())
          .orElse(List.of());
    }

    private static String sentence(Capacity capacity) {
      Crossing size = capacity.size();
      List<Load> loads = capacity.loads();
      String what = capacity.goal() + ": ";
      return "%s%s, %s".formatted(capacity.profile(), capacity.beside().text(), what)
          + switch (size.outcome()) {
            case CROSSED ->
                "%s %s, interpolated between loads of %s"
                    .formatted(
                        interval(size.estimate(), loads.get(0).driver()),
                        loads.get(0).driver().unit(),
                        Axis.list(loads.get(0).driver().levels(loads)));
            case BELOW ->
                "not bracketed by the loads measured: met up to the highest, "
                    + size(loads.get(loads.size() - 1));
            case ABOVE ->
                "not bracketed by the loads measured: missed at the lowest, " + size(loads.get(0));
            case MIXED ->
                "not bracketed by the loads measured in %s of %s blocks"
                    .formatted(size.curves() - size.crossed(), size.curves());
            case UNKNOWN -> "no block has a valid trial at every load";
          };
    }

    private static String size(Load load) {
      return load.driver().text(load.level(load.driver()).orElseThrow());
    }

    private static String interval(Estimate size, Axis axis) {
      return Double.isNaN(size.low())
          ? "%s [%s, %s]".formatted(most(size.mean(), axis), NumberText.UNKNOWN, NumberText.UNKNOWN)
          : "%s [%s, %s]"
              .formatted(most(size.mean(), axis), most(size.low(), axis), most(size.high(), axis));
    }

    /**
     * Returns the largest size on an axis that meets the bound: 5.87 users give 5, as a rate 5.8.
     */
    static String most(double size, Axis axis) {
      // Adds a small step so that 6 computed as 5.999… stays 6.
      return BigDecimal.valueOf(size + 1e-6)
          .setScale(axis.decimals(), RoundingMode.FLOOR)
          .toPlainString();
    }

    /** Returns the profiles that break a guard; they are never recommended. */
    List<String> broken(List<Comparison> comparisons) {
      return experiment.profiles().stream()
          .map(SchedulerProfile::name)
          .flatMap(
              profile ->
                  judged(profile, comparisons)
                      .filter(guard -> guard.outcome() == Guard.Outcome.BROKEN)
                      .map(guard -> profile + ", " + guard.sentence()))
          .toList();
    }

    /** Returns the outcome of every guard for a profile at each load. */
    List<String> guards(String profile, List<Comparison> comparisons) {
      return judged(profile, comparisons).map(Judged::sentence).toList();
    }

    /** Returns the outcome of a guard for a profile at a load. */
    private record Judged(String what, Guard.Outcome outcome, String allowed) {
      String sentence() {
        return what + ": " + ChangeText.guard(outcome) + " (" + allowed + " allowed)";
      }
    }

    private Stream<Judged> judged(String profile, List<Comparison> comparisons) {
      Stream<Judged> changes =
          Guard.of(experiment).stream()
              .flatMap(
                  guard ->
                      comparisons.stream()
                          .filter(guard::concerns)
                          .filter(comparison -> comparison.profile().equals(profile))
                          .map(comparison -> judged(guard, comparison)));
      Stream<Judged> errors =
          ErrorGuard.of(experiment).stream()
              .flatMap(
                  guard -> experiment.loads().stream().map(load -> judged(guard, profile, load)));
      return Stream.concat(changes, errors);
    }

    private static Judged judged(Guard guard, Comparison comparison) {
      return new Judged(
          comparison.load().text() + ": " + ChangeText.sentence(comparison),
          guard.judge(comparison),
          NumberText.plain(100 * guard.allowed()) + " % worse");
    }

    private Judged judged(ErrorGuard guard, String profile, Load load) {
      Estimate errors = ErrorGuard.errors(experiment, results, profile, load);
      return new Judged(
          load.text() + ": errors " + ChangeText.value(Metric.ERRORS, errors.mean()),
          guard.judge(errors),
          NumberText.plain(100 * guard.limit()) + " %");
    }
  }
}
