package io.slicewise.study.edge;

import io.slicewise.base.units.Plural;
import io.slicewise.report.study.StudyReport;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.study.edge.ConsolidationStudy.Edge;
import io.slicewise.study.edge.ConsolidationStudy.Row;
import java.util.List;

/** The tables of a consolidation study. */
public final class ConsolidationTables {
  private ConsolidationTables() {}

  public static StudyReport of(String run, ConsolidationStudy study) {
    EdgeCourse.Cost cost = study.cost();
    return new StudyReport(
            "CONSOLIDATION  %s: %s".formatted(run, study.answer()),
            List.of(edges(study), levels(study)),
            List.of(
                "a number of guests fits if the whole 95 % interval of each guest's metric is inside"
                    + " its limit, over trials, and does not fit if that of one guest is beyond it;"
                    + " a number that is not in the table was not measured, or none of its trials"
                    + " counts",
                "95 % holds for each guest and each look: nothing is added for several guests, or"
                    + " for up to three looks at a number",
                "%s of the %d of the full grid measured, in %s%s"
                    .formatted(
                        Plural.of(cost.cells(), "cell"),
                        cost.grid(),
                        Plural.of(cost.trials(), "trial"),
                        cost.invalid() == 0
                            ? ""
                            : ", of which %d do not count".formatted(cost.invalid())),
                "queueing: mean-value analysis of the measured CPU time of a request; law: the"
                    + " Universal Scalability Law fitted to the rates; bound: what no order of"
                    + " service can beat. Both models are scaled to the measured numbers of guests,"
                    + " so they agree there by construction; 'predicted' used the smallest alone"))
        .with(List.of(GuestFigure.of(study)));
  }

  private static Table edges(ConsolidationStudy study) {
    return TableBuilder.of(study.edges())
        .name("profile", Edge::profile)
        .countIfKnown("fits", Edge::fits)
        .countIfKnown("does_not_fit", Edge::breaks)
        .figure("confirmed", ConsolidationTables::confirmed)
        .countIfKnown("predicted", Edge::predicted)
        .number("vCPUs per pCPU", "ratio", 2, Edge::ratio)
        .name("limited by", Edge::limit)
        .name("beyond its limit", Edge::beyond)
        .table("edges", "The most guests that fit");
  }

  private static Table levels(ConsolidationStudy study) {
    return TableBuilder.of(study.levels())
        .name("profile", Row::profile)
        .count("guests", Row::guests)
        .count("trials", Row::trials)
        .name("worst tile", Row::tile)
        .measured("metric ± 95 %", "metric", 1, 1, row -> row.worst().estimate())
        .number("limit", "limit", 0, row -> row.worst().goal().limit().orElse(Double.NaN))
        .figure("verdict", row -> verdict(row))
        .number("requests/s", "throughput", 1, Row::throughput)
        .number("queueing", "queueing", 1, row -> row.models().queueing())
        .number("law", "law", 1, row -> row.models().law())
        .number("bound of mean", "bound", 1, row -> row.models().bound())
        .number("busy %", "busy", 0, row -> 100 * row.busy())
        .table("guests", "Guests measured: the worst tile of each number");
  }

  private static String confirmed(Edge edge) {
    if (edge.found() && edge.breaks().isEmpty()) {
      return "all fit";
    }
    return edge.found() ? "yes" : "no";
  }

  private static String verdict(Row row) {
    return switch (row.verdict()) {
      case FITS -> "fits";
      case BREAKS -> "does not fit";
      case UNDECIDED -> "not decided";
    };
  }
}
