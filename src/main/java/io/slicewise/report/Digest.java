package io.slicewise.report;

import io.slicewise.base.units.NumberText;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.GroupedNote;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.Answer.Claim;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.effects.FactorEffects;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.TuneReport.RaceReport;
import io.slicewise.report.table.ChangeText;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a user needs when a run ends: the answer, the rows that carry it, and what changes what to
 * do next. Everything else is in the report.
 *
 * @param answers one sentence; of a tune one for each race; of factors also which matters most
 * @param before the heading of the baseline's values
 * @param rows those that carry the answer first
 * @param answering how many of the rows carry the answer
 * @param caveats reasons not to follow the answer yet, and what would decide an open one
 * @param origin where the numbers come from; empty of a measured host
 * @param finished how many trials have finished
 * @param notes the number of notes in the report
 */
public record Digest(
    List<String> answers,
    String before,
    List<Row> rows,
    int answering,
    List<String> caveats,
    Commands commands,
    String origin,
    String finished,
    int notes) {
  /** The order of the rows that are not the answer's: what forbids a setting first. */
  private static final List<Verdict> URGENCY =
      List.of(Verdict.BETTER, Verdict.WORSE, Verdict.UNCLEAR, Verdict.SAME);

  public Digest {
    answers = List.copyOf(answers);
    rows = List.copyOf(rows);
    caveats = List.copyOf(caveats);
  }

  /**
   * How to put the answer into force.
   *
   * @param where the host on which to apply it, if it is not the run's; may be empty
   * @param apply commands that set the choice; empty if there is none
   * @param undo commands that restore the settings found
   */
  public record Commands(String where, List<String> apply, List<String> undo) {
    public Commands {
      apply = List.copyOf(apply);
      undo = List.copyOf(undo);
    }
  }

  /**
   * A setting in a metric, compared with the baseline.
   *
   * @param change in percent with its 95 % interval
   * @param p adjusted for the number of comparisons; a dash where there is none
   */
  public record Row(
      String setting,
      String load,
      String metric,
      String before,
      String now,
      String change,
      String p,
      String verdict) {}

  /** Returns the digest of a run that is already answered. */
  static Digest of(
      RunEvidence evidence, SweepSummary summary, Advice advice, Optional<TuneReport> tune) {
    LoadedRun run = evidence.run();
    Experiment experiment = evidence.experiment();
    Answer answer = advice.answer();
    Recommendation facts = evidence.facts().choosing(answer.choice());
    List<Comparison> compared = tune.isPresent() ? List.of() : compared(experiment, answer, facts);
    List<Guard> guards = Guard.of(experiment);
    List<Row> rows =
        tune.map(found -> found.races().stream().flatMap(race -> row(race).stream()).toList())
            .orElseGet(
                () -> compared.stream().map(row -> row(row, guarded(guards, facts, row))).toList());
    return new Digest(
        Stream.concat(
                answer.claims().stream().map(Claim::sentence),
                evidence.effects().flatMap(FactorEffects::headline).stream())
            .toList(),
        ChangeText.before(experiment.baseline()),
        rows,
        tune.isPresent()
            ? rows.size()
            : (int) compared.stream().filter(row -> carries(answer, row)).count(),
        caveats(answer, run, summary, tune),
        new Commands(
            experiment.lab().isPresent() ? "on a host like the lab, which ended with its run:" : "",
            answer.apply(),
            answer.undo()),
        run.origin().kind() == Origin.Kind.HOST ? "" : run.origin().sentence(),
        "%d of %d %ss"
            .formatted(summary.trials().finished(), summary.trials().planned(), summary.unit()),
        Sentences.footnotes(summary).size());
  }

  private static List<String> caveats(
      Answer answer, LoadedRun run, SweepSummary summary, Optional<TuneReport> tune) {
    List<String> caveats = new ArrayList<>();
    if (!run.damages().isEmpty()) {
      caveats.add("this run directory is damaged; to repair: " + run.remedy());
    }
    caveats.addAll(answer.caveats());
    tune.ifPresent(found -> found.races().forEach(race -> caveats.addAll(race.limits())));
    if (summary.cells().stream().anyMatch(cell -> cell.n() > 0)) {
      GroupedNote.mainReason(summary).ifPresent(reason -> caveats.add("not counted: " + reason));
    }
    answer.wouldChange().stream().limit(1).forEach(caveats::add);
    return caveats;
  }

  /** Returns the confirmation of a race; empty if it has none. */
  private static Optional<Row> row(RaceReport race) {
    return race.confirmation()
        .map(
            measured ->
                new Row(
                    measured.choice(),
                    ChangeText.loads(race.decider().loads()),
                    race.decider().metric() + " " + race.decider().unit(),
                    NumberText.of(measured.before()),
                    NumberText.of(measured.after()),
                    ChangeText.numbersIfKnown(
                        new Change(
                            100 * measured.effect().mean(),
                            100 * measured.effect().low(),
                            100 * measured.effect().high())),
                    ComparisonRows.NONE,
                    race.confirmed()
                        ? "confirmed"
                        : measured.broken().isEmpty() ? "not confirmed" : "GUARD BROKEN"));
  }

  /** Returns the primary metric of every profile, and the guards of the recommended one. */
  private static List<Comparison> compared(
      Experiment experiment, Answer answer, Recommendation facts) {
    List<Guard> guards = Guard.of(experiment);
    Comparator<Comparison> order =
        Comparator.comparing((Comparison row) -> !carries(answer, row))
            .thenComparing(row -> !isChoice(facts, row))
            .thenComparing(row -> isChoice(facts, row) ? 0 : URGENCY.indexOf(row.verdict()))
            .thenComparing(Comparison::kind);
    return facts.comparisons().stream()
        .filter(row -> row.kind() == Kind.PRIMARY || guarded(guards, facts, row).isPresent())
        .sorted(order)
        .toList();
  }

  /** Returns whether a claim of the answer is about the row's setting at its load. */
  private static boolean carries(Answer answer, Comparison row) {
    return row.kind() == Kind.PRIMARY
        && answer.claims().stream()
            .anyMatch(
                claim ->
                    claim.names().contains(row.profile()) && claim.loads().contains(row.load()));
  }

  private static boolean isChoice(Recommendation facts, Comparison row) {
    return facts.candidate().equals(Optional.of(row.profile()));
  }

  private static Optional<Guard> guarded(List<Guard> guards, Recommendation facts, Comparison row) {
    return row.kind() == Kind.CONTROL
        ? Optional.empty()
        : guards.stream()
            .filter(guard -> guard.concerns(row))
            .filter(guard -> isChoice(facts, row) || guard.judge(row) == Guard.Outcome.BROKEN)
            .findFirst();
  }

  private static Row row(Comparison row, Optional<Guard> guard) {
    Stream<String> primary =
        row.kind() == Kind.PRIMARY ? Stream.of(ChangeText.verdict(row.verdict())) : Stream.of();
    return new Row(
        row.profile(),
        row.load().text(),
        (row.metric().key() + " " + row.metric().unit()).strip(),
        ChangeText.number(row.metric(), row.means().before()),
        ChangeText.number(row.metric(), row.means().after()),
        ChangeText.numbers(row.change()),
        row.kind() == Kind.PRIMARY ? ChangeText.p(row.tests().adjustedP()) : ComparisonRows.NONE,
        Stream.concat(primary, guard.map(one -> ChangeText.guard(one.judge(row))).stream())
            .reduce((one, other) -> one + ", " + other)
            .orElse(""));
  }
}
