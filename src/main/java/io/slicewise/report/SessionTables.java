package io.slicewise.report;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SessionEvidence;
import io.slicewise.evidence.analysis.SessionEvidence.InSession;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.load.Axis;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.stats.Effect.Change;
import java.util.List;
import java.util.stream.Stream;

/** The tables of switchback sessions: changes from the baseline, in all and session by session. */
final class SessionTables {

  private final SessionEvidence evidence;
  private final List<Axis> axes;
  private final String baseline;
  private final List<Metric> metrics;

  private SessionTables(SweepSummary summary, SessionEvidence evidence, String baseline) {
    this.evidence = evidence;
    this.axes = CellColumns.axes(summary);
    this.baseline = baseline;
    Metric other = evidence.primary().companion();
    boolean known = evidence.effects().stream().anyMatch(one -> one.metric().equals(other));
    this.metrics = known ? List.of(evidence.primary(), other) : List.of(evidence.primary());
  }

  /** Returns the tables that have rows; none of a run of trials. */
  static List<Table> of(SweepSummary summary, String baseline) {
    return summary.sessions().stream()
        .map(evidence -> new SessionTables(summary, evidence, baseline))
        .flatMap(tables -> Stream.of(tables.effects(), tables.bySession()))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  private Table effects() {
    TableBuilder<Comparison> table =
        TableBuilder.of(
                evidence.effects().stream()
                    .filter(effect -> effect.metric().equals(evidence.primary()))
                    .toList())
            .load(axes, Comparison::load)
            .name("profile", Comparison::profile)
            .count("n", effect -> effect.means().effect().n())
            .column(
                new Column("over", "basis", Table.Type.NAME),
                effect -> new Cell.Text(effect.means().basis().key()));
    for (Metric metric : metrics) {
      table.change(metric.key() + " %", metric.key() + "_change", effect -> change(effect, metric));
    }
    return table.table(
        "effects", "Change from " + baseline + " within sessions, with 95 % intervals");
  }

  private Change change(Comparison row, Metric metric) {
    return evidence.effects().stream()
        .filter(one -> one.metric().equals(metric) && one.load().equals(row.load()))
        .filter(one -> one.profile().equals(row.profile()))
        .findFirst()
        .map(Comparison::change)
        .orElse(Change.UNKNOWN);
  }

  private Table bySession() {
    String metric = evidence.primary().key();
    return TableBuilder.of(evidence.bySession())
        .load(axes, one -> one.session().load())
        .name("profile", InSession::profile)
        .count("session", one -> one.session().number())
        .count("blocks", InSession::blocks)
        .change(metric + " %", metric + "_change", InSession::change)
        .table(
            "sessions",
            "Change of %s from %s, session by session; intervals over blocks"
                .formatted(metric, baseline));
  }
}
