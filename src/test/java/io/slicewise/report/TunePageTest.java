package io.slicewise.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.evidence.answer.Answer.Claim;
import io.slicewise.evidence.answer.Answer.Grade;
import io.slicewise.evidence.answer.Answer.Kind;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.TuneReport.Cost;
import io.slicewise.report.TuneReport.Course;
import io.slicewise.report.TuneReport.Decider;
import io.slicewise.report.TuneReport.RaceReport;
import io.slicewise.report.TuneReport.Result;
import io.slicewise.report.TuneReport.Surface;
import io.slicewise.report.page.PageInput.PageTune;
import io.slicewise.stats.Estimate;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.RaceCourse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the page of a tune from a figure with the wrong metric or unit. */
class TunePageTest {
  @ParameterizedTest
  @CsvSource({
    "lowest wait share of web, wait share of web, %",
    "lowest wait per request at web, wait per request at web, ms",
    "most users at p95 < 200ms, users, users",
    "highest throughput, throughput, /s",
  })
  void namesTheMetricThatDecidedAndItsUnit(String question, String metric, String unit) {
    PageTune page = TunePage.of(Optional.of(report(question, metric, unit))).orElseThrow();
    assertThat(page.confirmations())
        .extracting(PageTune.Confirmed::values)
        .containsExactly("40.0 → 30.0 " + unit);
  }

  private static TuneReport report(String question, String metric, String unit) {
    Confirmation confirmation =
        new Confirmation(
            "tune-007",
            40,
            30,
            new Estimate(-0.25, 0.1, 6, -0.3, -0.2, 0.95),
            true,
            List.of(),
            List.of());
    RaceReport race =
        new RaceReport(
            new Decider(List.of(Load.of(10)), metric, unit),
            new Claim(
                Kind.USE,
                Grade.CONFIRMED,
                List.of(Load.of(10)),
                List.of("tune-007"),
                Optional.empty(),
                "Use tune-007"),
            new Result("tune-007", List.of("tune-007"), 0.99, true),
            Optional.of(confirmation),
            List.of(),
            "",
            Map.of("tune-007", Map.of("web", "weight 512")),
            new Course(List.of(new RaceCourse.BlockState(1, 2, "tune-007", 0.99)), List.of()),
            new Surface("", OptionalDouble.empty(), List.of()));
    return new TuneReport(
        question, "", List.of(), List.of(), 1, new Cost(12, "window", 60, 120), List.of(race));
  }
}
