package io.slicewise.report;

import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Basis;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.runs.Cause;
import io.slicewise.evidence.runs.Causes;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.ChangeText;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The rows and footnotes of a comparison, shared by text, Markdown and the page. Shows the primary
 * metric, one other, and the metrics of guards.
 */
final class ComparisonRows {
  /**
   * The placeholder for values that a row does not have (an exploratory comparison has no p-value).
   */
  static final String NONE = "--";

  private static final double LEVEL = 0.05;

  private final Compared compared;
  private final RunAnswer answer;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<String> footnotes = new ArrayList<>();

  /**
   * @param answer of the run with the changes
   */
  ComparisonRows(Compared compared, RunAnswer answer) {
    this.compared = compared;
    this.answer = answer;
    Metric primary = compared.question().primary();
    Metric other = primary.companion();
    for (Comparison comparison : primaryFirst()) {
      boolean shown =
          comparison.metric().equals(primary)
              || comparison.metric().equals(other)
              || compared.guards().stream().anyMatch(guard -> guard.concerns(comparison));
      if (shown && comparison.kind() != Kind.CONTROL) {
        add(comparison, comparison.profile(), verdict(comparison));
      }
    }
    compared.rows().errors().forEach(this::addErrors);
    addControls(compared.earlierControl(), "A/A before, ");
    addControls(compared.control(), "A/A ");
  }

  private void addErrors(ErrorGuard.Judged errors) {
    String verdict = ChangeText.guard(errors.outcome());
    rows.add(
        List.of(
            errors.profile(),
            errors.load().toString(),
            "errors %",
            NumberText.fixed(100 * errors.before().mean(), 2),
            NumberText.fixed(100 * errors.now().mean(), 2),
            NONE,
            NONE,
            errors.outcome() == Guard.Outcome.HOLDS
                ? verdict
                : verdict + " " + footnote(ChangeText.errors(errors))));
  }

  private void addControls(ControlCheck check, String label) {
    for (Comparison control : check.controls()) {
      boolean alarm = check.falseAlarms().contains(control);
      add(control, label + control.profile(), alarm ? "FALSE ALARM" : "no false alarm");
    }
  }

  /** Orders rows by profile and load; the primary metric comes first. */
  private List<Comparison> primaryFirst() {
    Map<String, List<Comparison>> cells =
        compared.rows().comparisons().stream()
            .collect(
                Collectors.groupingBy(
                    comparison -> comparison.load() + " " + comparison.profile(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    return cells.values().stream()
        .flatMap(cell -> cell.stream().sorted(Comparator.comparing(Comparison::kind)))
        .toList();
  }

  private void add(Comparison comparison, String setting, String verdict) {
    rows.add(
        List.of(
            setting,
            comparison.load().toString(),
            comparison.metric().key() + " " + comparison.metric().unit(),
            ChangeText.number(comparison.metric(), comparison.means().before()),
            ChangeText.number(comparison.metric(), comparison.means().after()),
            ChangeText.numbers(comparison.change()),
            comparison.kind() == Kind.PRIMARY ? ChangeText.p(comparison.tests().adjustedP()) : NONE,
            verdict));
  }

  private String verdict(Comparison comparison) {
    for (Guard guard : compared.guards()) {
      if (guard.concerns(comparison)) {
        String outcome = ChangeText.guard(guard.judge(comparison));
        return comparison.kind() == Kind.PRIMARY ? primary(comparison) + ", " + outcome : outcome;
      }
    }
    return comparison.kind() == Kind.PRIMARY
        ? primary(comparison)
        : ChangeText.verdict(comparison.verdict());
  }

  private String primary(Comparison comparison) {
    String word = ChangeText.verdict(comparison.verdict());
    return comparison.verdict() == Verdict.UNCLEAR
        ? "%s %s"
            .formatted(
                word,
                footnote(
                    reason(comparison) + "; " + ChangeText.decides(comparison, compared.times())))
        : word;
  }

  /** Returns the number of the footnote; equal footnotes share one number. */
  private int footnote(String words) {
    int place = footnotes.indexOf(words);
    if (place < 0) {
      footnotes.add(words);
      place = footnotes.size() - 1;
    }
    return place + 1;
  }

  private String reason(Comparison comparison) {
    Change change = comparison.change();
    if (!Double.isFinite(change.low())) {
      return "too few %s for an interval"
          .formatted(comparison.means().basis().isSwitched() ? "blocks or sessions" : "trials");
    }
    if (comparison.means().coarse()) {
      return "all trials of one side agree to %s; smaller changes are not visible"
          .formatted(
              switch (comparison.metric().unit()) {
                case "/s" -> "the request";
                case "ms" -> "the millisecond";
                default -> DomainMetric.LEAST_PERCENT + " %";
              });
    }
    boolean apart = change.low() > 0 || change.high() < 0;
    double band = 100 * compared.question().band().delta();
    boolean beyond = change.low() > band || change.high() < -band;
    if (beyond) {
      return "the interval is beyond the band, but the adjusted p (Holm) is not below 0.05";
    }
    if (comparison.tests().equivalenceP() < LEVEL) {
      return "within the band by this comparison alone, but the adjusted p of that (Holm) is not"
          + " below 0.05";
    }
    return apart
        ? "the interval excludes zero but overlaps the band"
        : "the interval includes zero and extends beyond the band";
  }

  static List<Axis> axes(Compared compared) {
    return Axis.of(compared.rows().comparisons().stream().map(Comparison::load));
  }

  Table table() {
    return new Table(
        "comparison",
        headline(),
        List.of(
            Column.name("setting"),
            Column.figure(TableBuilder.heading(axes(compared))),
            Column.name("metric"),
            Column.figure("from"),
            Column.figure("to"),
            Column.name("change % (95 %)"),
            Column.figure("p Holm"),
            Column.name("verdict")),
        rows.stream().map(row -> row.stream().<Cell>map(Cell.Text::new).toList()).toList());
  }

  List<List<String>> rows() {
    return rows;
  }

  /** Returns the footnotes, numbered from 1 as in the rows. */
  List<String> footnotes() {
    return footnotes;
  }

  /** Returns the notes on the whole table. */
  List<String> notes() {
    List<String> notes = new ArrayList<>(method());
    notes.addAll(causes());
    return notes;
  }

  /** Returns band, tests, guards and what is missing. */
  List<String> method() {
    List<String> notes = new ArrayList<>();
    notes.add(
        Phrase.of(
            "band +-%s %%; Holm over %s of %s; other metrics are exploratory and have no p-value",
            NumberText.plain(100 * compared.question().band().delta()),
            Plural.of(compared.primary().size(), "comparison"),
            compared.question().primary().key()));
    compared.primary().stream()
        .map(one -> one.means().basis())
        .filter(Basis::isSwitched)
        .distinct()
        .forEach(basis -> notes.add(basis.sentence()));
    for (Guard guard : compared.guards()) {
      notes.add(
          "guard: %s not worse by more than %s %%%s"
              .formatted(
                  guard.metric().key(),
                  NumberText.plain(100 * guard.allowed()),
                  compared.unjudged().contains(guard) ? "; UNKNOWN in some cells" : ""));
    }
    compared.rows().errors().stream()
        .findFirst()
        .ifPresent(
            one ->
                notes.add("guard: errors at most " + NumberText.plain(100 * one.limit()) + " %"));
    if (!compared.rows().missing().isEmpty()) {
      notes.add("not compared, no valid trials: " + String.join(", ", compared.rows().missing()));
    }
    if (compared.control().controls().isEmpty()) {
      boolean earlier = !compared.earlierControl().controls().isEmpty();
      notes.add(
          "no A/A control%s: unknown whether this host raises false alarms"
              .formatted(earlier ? " in " + compared.names().to() : ""));
    }
    return notes;
  }

  /** Returns where the changes come from that are shown to be better or worse. */
  List<String> causes() {
    List<Cause> shown =
        compared.causes().changes().stream()
            .filter(
                cause ->
                    compared.primary().stream()
                        .filter(row -> row.profile().equals(cause.profile()))
                        .filter(row -> row.load().equals(cause.load()))
                        .map(Comparison::verdict)
                        .anyMatch(Verdict::isChange))
            .toList();
    return shown.isEmpty()
        ? List.of()
        : CauseSentences.of(
            new Causes(shown, compared.causes().caveat(), compared.causes().witnesses()));
  }

  /** Returns what the comparison says as a sentence, with the reason not to rely on it. */
  String headline() {
    return answer.limited(overall());
  }

  private String overall() {
    return switch (compared.overall()) {
      case NO_DATA -> "NO VALID DATA: nothing to compare";
      case CONTROL_FAILED ->
          "CONTROL FAILED: the A/A control differs from the baseline; no verdict below is evidence";
      case WORSE -> "WORSE: " + worse();
      case UNDECIDED -> "UNDECIDED: " + undecided();
      case FINE -> "FINE: nothing is worse or undecided";
    };
  }

  private String undecided() {
    List<String> names = new ArrayList<>(cells(Verdict.UNCLEAR));
    names.addAll(compared.rows().missing());
    List<String> guards = new ArrayList<>(guards(Guard.Outcome.UNCLEAR));
    compared.unjudged().forEach(guard -> guards.add(guard.metric().key() + " not known"));
    if (!guards.isEmpty()) {
      names.add("a guard is unclear (" + String.join("; ", guards) + ")");
    }
    return String.join("; ", names);
  }

  private String worse() {
    List<String> names = new ArrayList<>(cells(Verdict.WORSE));
    List<String> guards = guards(Guard.Outcome.BROKEN);
    if (!guards.isEmpty()) {
      names.add("a guard is broken (" + String.join("; ", guards) + ")");
    }
    return String.join("; ", names);
  }

  /** Returns the metrics, profiles and loads with that guard outcome. */
  List<String> guards(Guard.Outcome outcome) {
    List<String> names = new ArrayList<>();
    for (Guard guard : compared.guards()) {
      byProfile(
              compared.rows().comparisons().stream()
                  .filter(guard::concerns)
                  .filter(comparison -> guard.judge(comparison) == outcome)
                  .toList(),
              Comparison::profile,
              Comparison::load)
          .forEach(cells -> names.add(guard.metric().key() + " of " + cells));
    }
    byProfile(
            compared.rows().errors().stream()
                .filter(errors -> errors.outcome() == outcome)
                .toList(),
            ErrorGuard.Judged::profile,
            ErrorGuard.Judged::load)
        .forEach(cells -> names.add(Metric.ERRORS.key() + " of " + cells));
    return names;
  }

  private List<String> cells(Verdict verdict) {
    return byProfile(
        compared.primary().stream().filter(comparison -> comparison.verdict() == verdict).toList(),
        Comparison::profile,
        Comparison::load);
  }

  /** Returns each profile with its loads, which is shorter than a list of cells. */
  private static <T> List<String> byProfile(
      List<T> cells, Function<T, String> profile, Function<T, Load> load) {
    return cells.stream()
        .collect(Collectors.groupingBy(profile, LinkedHashMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(
            entry ->
                "%s at %s"
                    .formatted(
                        entry.getKey(),
                        ChangeText.loads(entry.getValue().stream().map(load).toList())))
        .toList();
  }
}
