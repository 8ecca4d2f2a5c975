package io.slicewise.report.study;

import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The table of profiles by workloads, over several runs. */
public final class ProfileTables {
  private ProfileTables() {}

  /**
   * What one run says at one load, in its own primary metric.
   *
   * @param best the profiles indistinguishable from the best one; empty if there is no such set
   */
  public record Answer(
      String run,
      String workload,
      String load,
      Metric metric,
      String baseline,
      Set<String> profiles,
      List<Comparison> changes,
      Set<String> best) {
    public Answer {
      changes = List.copyOf(changes);
    }
  }

  /** Returns a run's answers, by load. */
  public static List<Answer> answers(LoadedRun run) {
    Experiment experiment = run.experiment();
    List<TrialResult> results = run.results();
    Question question = Question.of(experiment, results);
    List<Comparison> changes = Comparisons.of(experiment, results, question);
    List<BestSet> sets = BestSet.of(experiment, results, question.primary());
    Set<String> measured = new LinkedHashSet<>();
    experiment.profiles().forEach(profile -> measured.add(profile.name()));
    List<Answer> answers = new ArrayList<>();
    for (Load load : experiment.loads()) {
      answers.add(
          new Answer(
              run.name(),
              experiment.workload().name(),
              load.text(),
              question.primary(),
              experiment.baseline(),
              measured,
              changes.stream()
                  .filter(change -> change.load().equals(load))
                  .filter(change -> change.metric().equals(question.primary()))
                  .toList(),
              sets.stream()
                  .filter(set -> set.load().equals(load) && set.known())
                  .findFirst()
                  .map(set -> Set.copyOf(set.profiles()))
                  .orElse(Set.of())));
    }
    return answers;
  }

  /** Returns the table, and whether one profile is among the best of every row. */
  public static StudyReport of(List<Answer> answers) {
    Set<String> profiles = new LinkedHashSet<>();
    answers.forEach(answer -> profiles.addAll(answer.profiles()));
    TableBuilder<Answer> table =
        TableBuilder.of(answers)
            .name("workload", Answer::workload)
            .name("load", Answer::load)
            .name("metric", answer -> answer.metric().key())
            .name("run", Answer::run);
    profiles.forEach(profile -> table.figure(profile, answer -> text(answer, profile)));
    return new StudyReport(
        title(answers, profiles),
        List.of(table.table("profiles", "Change from each run's baseline, in percent; * best set")),
        List.of(
            "each row is decided within its own run, by blocks; do not compare numbers across rows",
            "a best set has 95 % for its own row, not for all rows together",
            "a profile that is not in a run has a dash"));
  }

  private static String title(List<Answer> answers, Set<String> profiles) {
    List<Answer> decided = answers.stream().filter(answer -> !answer.best().isEmpty()).toList();
    Set<String> always = new LinkedHashSet<>(profiles);
    decided.forEach(answer -> always.retainAll(answer.best()));
    int workloads = (int) answers.stream().map(Answer::workload).distinct().count();
    String where =
        "%s, %s".formatted(Plural.of(workloads, "workload"), Plural.of(answers.size(), "load"));
    String all =
        decided.size() == answers.size()
            ? "everywhere"
            : "at the %s with enough trials".formatted(Plural.of(decided.size(), "load"));
    if (decided.isEmpty()) {
      return "PROFILES  %s: too few trials for a best set".formatted(where);
    }
    boolean apart =
        decided.stream()
            .anyMatch(one -> decided.stream().anyMatch(two -> disjoint(one.best(), two.best())));
    return "PROFILES  %s: %s"
        .formatted(
            where,
            !always.isEmpty()
                ? "among the best %s: %s".formatted(all, String.join(", ", always))
                : apart
                    ? "the best depends on the workload or the load: no profile is best everywhere"
                    : "no profile is best everywhere, but no two rows contradict each other");
  }

  private static boolean disjoint(Set<String> one, Set<String> two) {
    Set<String> both = new HashSet<>(one);
    both.retainAll(two);
    return both.isEmpty();
  }

  private static String text(Answer answer, String profile) {
    String mark = answer.best().contains(profile) ? " *" : "";
    if (profile.equals(answer.baseline())) {
      return "0.0" + mark;
    }
    Optional<Comparison> change =
        answer.changes().stream().filter(one -> one.profile().equals(profile)).findFirst();
    return change
        .filter(one -> Double.isFinite(one.change().percent()))
        .map(one -> Phrase.of("%+.1f", one.change().percent()) + mark)
        .orElse(NumberText.UNKNOWN);
  }
}
