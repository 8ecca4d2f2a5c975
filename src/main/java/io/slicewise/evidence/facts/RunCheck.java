package io.slicewise.evidence.facts;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.run.RunRecord;
import io.slicewise.run.TrialRules;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunDamage;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Validates a run on disk, measured or imported: each trial against physics and the experiment's
 * current limits, and the run against its plan.
 */
public final class RunCheck {
  private static final String MISSING = "run-missing";
  private static final String NOT_RUN =
      "the run was interrupted, or the host failed: run it with 'slicewise resume'";
  private static final String NOT_IMPORTED =
      "the study lacks it, or its file has another name: see 'slicewise import --dry-run'";
  private static final String EVERY_CELL = "every cell has a valid trial in every block";

  private RunCheck() {}

  /** Returns all violations, by rule and trial. */
  public static List<Violation> violations(LoadedRun run) {
    Experiment experiment = run.experiment();
    List<TrialResult> results =
        run.results().stream()
            .map(result -> result.judged(TrialRules.judge(experiment, result)))
            .toList();
    Attempts attempts = new Attempts(results);
    List<Violation> violations = new ArrayList<>();
    run.damages().forEach(damage -> violations.add(violation(damage)));
    for (TrialResult result : results) {
      String instead = attempts.instead(result).map(other -> other.trial().slug()).orElse("");
      result
          .findings()
          .forEach(finding -> violations.add(violation(result.trial(), finding, instead)));
    }
    violations.sort(Comparator.comparing((Violation one) -> one.rule()));
    violations.addAll(missing(experiment, run, results));
    return List.copyOf(violations);
  }

  private static Violation violation(RunDamage damage) {
    return new Violation(
        "run-damaged",
        "a run directory is unchanged",
        damage.place(),
        damage.what(),
        "a faulty disk, a manual edit, or an incomplete copy: 'slicewise check --repair' rebuilds"
            + " what it can",
        true,
        "");
  }

  /** Marks violations of attempts that were repeated, which affect no result. */
  private static Violation violation(Trial trial, Finding finding, String instead) {
    return new Violation(
        finding.rule().key(),
        finding.rule().statement(),
        trial.slug(),
        finding.message(),
        finding.likelyCause(),
        finding.excludes() && instead.isEmpty(),
        instead);
  }

  private static List<Violation> missing(
      Experiment experiment, LoadedRun run, List<TrialResult> results) {
    boolean imported = run.origin().kind() == Origin.Kind.IMPORTED;
    RunRecord record = run.record();
    Map<Integer, JournalEvent.TrialFailed> failed = record.failed();
    List<Violation> violations = new ArrayList<>();
    for (Trial trial : record.trials(experiment)) {
      List<TrialResult> attempts =
          results.stream().filter(result -> result.trial().number() == trial.number()).toList();
      if (attempts.stream().noneMatch(TrialResult::valid)) {
        String why =
            !attempts.isEmpty()
                ? "no attempt of " + attempts.size() + " is valid"
                : failed.containsKey(trial.number())
                    ? failed.get(trial.number()).reason()
                    : imported ? "no file of it was imported" : "it was not run";
        violations.add(
            new Violation(
                MISSING,
                EVERY_CELL,
                trial.slug(),
                why,
                attempts.isEmpty()
                    ? imported ? NOT_IMPORTED : NOT_RUN
                    : "see the violated rules above",
                true,
                ""));
      }
    }
    return violations;
  }
}
