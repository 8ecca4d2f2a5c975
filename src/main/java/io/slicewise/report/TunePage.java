package io.slicewise.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.Phrase;
import io.slicewise.report.TuneReport.RaceReport;
import io.slicewise.report.page.PageTune;
import io.slicewise.tune.Answer;
import io.slicewise.tune.course.Confirmation;
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

  /**
   * Returns the profile that a tune chose and confirmed; empty if it confirmed none, or several for
   * different loads.
   */
  static Optional<String> choice(TuneReport report) {
    List<String> confirmed =
        report.races().stream()
            .filter(RaceReport::confirmed)
            .map(RaceReport::choice)
            .distinct()
            .toList();
    return report.races().stream().allMatch(RaceReport::confirmed) && confirmed.size() == 1
        ? Optional.of(confirmed.get(0))
        : Optional.empty();
  }

  /** Returns the tune of a run in the form of the page; empty of other runs. */
  static Optional<PageTune> of(Optional<TuneReport> report) {
    return report.map(TunePage::page);
  }

  private static PageTune page(TuneReport report) {
    JsonNode data = Json.mapper().valueToTree(report);
    return new PageTune(
        headline(report),
        report.races().stream().flatMap(race -> settings(race).stream()).toList(),
        certainty(report),
        sentences(report),
        report.races().stream().flatMap(race -> confirmed(race).stream()).toList(),
        data);
  }

  /** Returns the answers of at most two races, so that they fit one line. */
  private static String headline(TuneReport report) {
    int others = report.races().size() - 2;
    return report.races().stream()
            .limit(2)
            .map(TunePage::headline)
            .collect(Collectors.joining("; "))
        + (others > 0 ? "; %d more below".formatted(others) : "");
  }

  private static String headline(RaceReport race) {
    String where = loads(race);
    if (race.path().isEmpty()) {
      return "No answer yet" + where;
    }
    Optional<Confirmation> measured = race.confirmation();
    if (race.confirmed()) {
      return Phrase.of(
          "Use %s: %s %s%s, confirmed",
          race.choice(), race.metric(), percent(measured.orElseThrow().effect().mean()), where);
    }
    if (measured.isEmpty() && race.kind() != Answer.Kind.KEEP) {
      return "%s leads%s, not confirmed yet".formatted(race.choice(), where);
    }
    return measured.isPresent() && race.kind() == Answer.Kind.SET && race.set().size() > 1
        ? "The best is one of %d settings%s; %s was not confirmed"
            .formatted(race.set().size(), where, race.choice())
        : "Keep what you have%s: nothing better was confirmed".formatted(where);
  }

  private static String loads(RaceReport race) {
    return race.loads().stream().allMatch(load -> load.users() == 0)
        ? ""
        : " at " + ChangeText.loads(race.loads());
  }

  private static String percent(double share) {
    return Phrase.of("%+.1f %%", 100 * share).replace('-', '−');
  }

  private static List<String> settings(RaceReport race) {
    return race.settings().entrySet().stream()
        .filter(one -> !race.confirmed() || one.getKey().equals(race.choice()))
        .map(one -> one.getKey() + ": " + TuneReport.text(one.getValue()))
        .toList();
  }

  private static List<String> certainty(TuneReport report) {
    List<String> sentences = new ArrayList<>();
    for (RaceReport race : report.races()) {
      String where = report.races().size() > 1 ? ChangeText.loads(race.loads()) + ": " : "";
      race.confirmation()
          .filter(any -> race.confirmed())
          .ifPresent(
              one ->
                  sentences.add(
                      "%sconfirmed in %d separate blocks".formatted(where, one.effect().n())));
      sentences.add(
          Phrase.of(
              "%sgood enough with P ≥ %.2f after the race%s%s",
              where,
              race.probability(),
              race.decided() ? "" : ", whose budget ended before it was decided",
              race.others()));
    }
    return sentences;
  }

  private static List<String> sentences(TuneReport report) {
    List<String> all = new ArrayList<>();
    all.add(
        "%s; %d candidates; %d %ss in %s; measuring every candidate would have taken %s"
            .formatted(
                report.question(),
                report.candidates(),
                report.trials(),
                report.unit(),
                TuneReport.hours(report.seconds()),
                TuneReport.hours(report.gridSeconds())));
    if (!report.premises().isEmpty()) {
      all.add(report.premises());
    }
    for (RaceReport race : report.races()) {
      all.addAll(departures(race));
      if (!race.agreement().isEmpty()) {
        all.add(race.agreement());
      }
    }
    report.leftOut().forEach(reason -> all.add("left out: " + reason));
    return all;
  }

  /** Returns who left, grouped by reason. */
  static List<String> departures(RaceReport race) {
    Map<String, List<RaceCourse.Left>> byReason =
        race.departures().stream()
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
                    loads(race).isEmpty() ? "no load" : ChangeText.loads(race.loads()),
                    one.choice(),
                    "%s → %s %s"
                        .formatted(
                            ChangeText.number(one.before()),
                            ChangeText.number(one.after()),
                            race.unit()),
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
    return Double.isFinite(share)
        ? Phrase.of("%+.1f", 100 * share).replace('-', '−')
        : Numbers.UNKNOWN;
  }
}
