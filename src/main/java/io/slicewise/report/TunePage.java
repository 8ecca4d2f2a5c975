package io.slicewise.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.TuneReport.RaceReport;
import io.slicewise.report.page.PageInput.PageTune;
import io.slicewise.report.table.ChangeText;
import io.slicewise.tune.course.RaceCourse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A tune's report in the form of the page. */
final class TunePage {
  private TunePage() {}

  /** Returns the tune of a run in the form of the page; empty of other runs. */
  static Optional<PageTune> of(Optional<TuneReport> report) {
    return report.map(TunePage::page);
  }

  private static PageTune page(TuneReport report) {
    JsonNode data = Json.mapper().valueToTree(report);
    return new PageTune(
        report.races().stream().flatMap(race -> settings(race).stream()).toList(),
        certainty(report),
        sentences(report),
        report.races().stream().flatMap(race -> confirmed(race).stream()).toList(),
        data);
  }

  private static String loads(RaceReport race) {
    return Load.areNone(race.decider().loads())
        ? ""
        : " at " + ChangeText.loads(race.decider().loads());
  }

  private static String percent(double share) {
    return Phrase.of("%+.1f %%", 100 * share).replace('-', '−');
  }

  private static List<String> settings(RaceReport race) {
    return race.settings().entrySet().stream()
        .filter(one -> !race.confirmed() || one.getKey().equals(race.result().choice()))
        .map(one -> one.getKey() + ": " + TuneReport.text(one.getValue()))
        .toList();
  }

  private static List<String> certainty(TuneReport report) {
    List<String> sentences = new ArrayList<>();
    for (RaceReport race : report.races()) {
      String where =
          report.races().size() > 1 ? ChangeText.loads(race.decider().loads()) + ": " : "";
      sentences.add(where + race.claim().grade().words());
      sentences.add(
          Phrase.of(
              "%sgood enough with P ≥ %.2f after the race%s",
              where,
              race.result().probability(),
              race.result().decided() ? "" : ", whose budget ended before it was decided"));
    }
    return sentences;
  }

  private static List<String> sentences(TuneReport report) {
    List<String> all = new ArrayList<>();
    all.add(
        "%s; %d candidates; %s"
            .formatted(
                report.question(),
                report.candidates(),
                report.cost().text("measuring every candidate")));
    all.add(
        "levels: the answer has geometric means over the blocks of its confirmation, tables have"
            + " arithmetic means over all windows, and the model was calibrated before the race");
    if (!report.premises().isEmpty()) {
      all.add(report.premises());
    }
    for (RaceReport race : report.races()) {
      all.addAll(departures(race));
      if (!race.surface().agreement().isEmpty()) {
        all.add(race.surface().agreement());
      }
    }
    report.leftOut().forEach(reason -> all.add("left out: " + reason));
    return all;
  }

  /** Returns who left, grouped by reason. */
  static List<String> departures(RaceReport race) {
    Map<String, List<RaceCourse.Left>> byReason =
        race.course().departures().stream()
            .collect(
                Collectors.groupingBy(
                    RaceCourse.Left::reason, LinkedHashMap::new, Collectors.toList()));
    return byReason.entrySet().stream()
        .map(
            one ->
                "left: %s: %s"
                    .formatted(
                        one.getValue().stream()
                            .map(left -> left.name() + " after block " + left.block())
                            .collect(Collectors.joining(" | ")),
                        one.getKey()))
        .toList();
  }

  private static Optional<PageTune.Confirmed> confirmed(RaceReport race) {
    return race.confirmation()
        .map(
            one ->
                new PageTune.Confirmed(
                    loads(race).isEmpty() ? Load.NONE : ChangeText.loads(race.decider().loads()),
                    one.choice(),
                    "%s → %s %s"
                        .formatted(
                            NumberText.of(one.before()),
                            NumberText.of(one.after()),
                            race.decider().unit()),
                    "%s [%s, %s]"
                        .formatted(
                            percent(one.effect().mean()),
                            number(one.effect().low()),
                            number(one.effect().high())),
                    race.confirmed()
                        ? "confirmed"
                        : one.broken().isEmpty()
                            ? "not confirmed"
                            : String.join(", ", one.broken())));
  }

  private static String number(double share) {
    return NumberText.signed(100 * share).replace('-', '−');
  }
}
