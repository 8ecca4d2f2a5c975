package io.slicewise.report;

import io.slicewise.base.units.EnumName;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.report.page.Page;
import io.slicewise.report.page.PageInput.PageAdvice.Part;
import io.slicewise.report.page.PlainInput;
import io.slicewise.report.table.ChangeText;
import io.slicewise.report.table.HtmlTables;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Writes a comparison as a page. */
public final class ComparisonPage {
  /** The longest headline that fits one line of a wide screen. */
  private static final int ONE_LINE = 88;

  private final Compared compared;
  private final List<MeasuredRun> runs;
  private final RunAnswer answer;
  private final ComparisonRows rows;

  private ComparisonPage(Compared compared, RunAnswer answer, List<MeasuredRun> runs) {
    this.compared = compared;
    this.runs = runs;
    this.answer = answer;
    this.rows = new ComparisonRows(compared, answer);
  }

  /**
   * Returns the page as one file.
   *
   * @param answer of the run with the changes
   * @param runs that were compared, the last one newest
   */
  public static String html(Compared compared, RunAnswer answer, List<MeasuredRun> runs) {
    return new ComparisonPage(compared, answer, runs).html();
  }

  private String html() {
    HtmlTables markup = new HtmlTables(newest().place().origin());
    return Page.of(
        new PlainInput(
            compared.names().experiment() + ", compared",
            "%s → %s".formatted(compared.names().from(), compared.names().to()),
            newest().place().origin(),
            headline(),
            compared.warnings(),
            facts(),
            List.of(
                new Part("Cause", rows.causes()),
                new Part("Not shown", rows.footnotes()),
                new Part("Method", rows.method())),
            List.of(markup.of(table())),
            markup.of(RunsTable.of(runs))),
        compared);
  }

  private MeasuredRun newest() {
    return runs.get(runs.size() - 1);
  }

  /** Returns the answer on one line: the cells that decide it, or their number. */
  private String headline() {
    String full = rows.headline();
    if (full.length() <= ONE_LINE) {
      return full;
    }
    Verdict verdict =
        compared.overall() == Compared.Overall.WORSE ? Verdict.WORSE : Verdict.UNCLEAR;
    long number = compared.primary().stream().filter(row -> row.verdict() == verdict).count();
    return full.substring(0, full.indexOf(':'))
        + ": %d of %d changes of %s are %s"
            .formatted(
                number,
                compared.primary().size(),
                compared.question().primary().key(),
                EnumName.of(verdict));
  }

  private List<Part> facts() {
    List<Part> facts = new ArrayList<>();
    facts.add(new Part("Answer", answer.sentences()));
    facts.add(
        new Part(
            "Compared",
            List.of(compared.names().from() + " (before)", compared.names().to() + " (after)")));
    List<String> guards = new ArrayList<>();
    for (Guard.Outcome outcome : Guard.Outcome.values()) {
      rows.guards(outcome).forEach(name -> guards.add(ChangeText.guard(outcome) + ": " + name));
    }
    facts.add(new Part("Guard", guards));
    facts.add(
        new Part(
            "Control",
            compared.control().controls().isEmpty()
                ? List.of("none: false alarms of this host would not be noticed")
                : List.of(compared.control().sentence())));
    if (!compared.rows().missing().isEmpty()) {
      facts.add(new Part("Missing", compared.rows().missing()));
    }
    facts.add(
        new Part(
            "Holds for",
            List.of(
                newest().place().origin().sentence(),
                "the loads and profiles that were compared")));
    return facts;
  }

  /** Returns all comparisons, the primary metric first in each cell. */
  private Table table() {
    return TableBuilder.of(compared.rows().comparisons())
        .load(ComparisonRows.axes(compared), Comparison::load)
        .name("profile", Comparison::profile)
        .name("metric", one -> one.metric().key() + " " + one.metric().unit())
        .value("from", one -> one.means().before())
        .value("to", one -> one.means().after())
        .change("change %", "change", Comparison::change)
        .figure("p Holm", one -> ChangeText.p(one.tests().adjustedP()))
        .name("verdict", one -> ChangeText.verdict(one.verdict()))
        .table("comparison", "Changes from geometric mean to geometric mean");
  }
}
