package io.slicewise.cli.screens;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Phrase;
import io.slicewise.report.table.TextColumns;
import io.slicewise.tune.replay.Replay;
import io.slicewise.tune.replay.Replay.Noise;
import io.slicewise.tune.replay.ReplayReport;
import java.util.ArrayList;
import java.util.List;

/** What a replay prints: a table with one row per load and method. */
public final class ReplayScreen {
  private static final List<String> HEADINGS =
      List.of(
          "users", "method", "runs", "good selection", "expected loss", "claims", "false claims");
  private static final List<Boolean> LEFT = List.of(false, true, false, false, false, false, false);

  private ReplayScreen() {}

  /** Returns the table and what its columns mean. */
  public static List<String> lines(String metric, Replay replay, ReplayReport report) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    for (ReplayReport.Load load : report.loads()) {
      load.methods().forEach(score -> rows.add(row(load.users(), score)));
    }
    List<String> lines = new ArrayList<>(TextColumns.lines(rows, LEFT, Terminal.tableWidth()));
    lines.add("");
    notes(metric, replay).lines().forEach(lines::add);
    return lines;
  }

  private static List<String> row(int users, ReplayReport.Score score) {
    return List.of(
        String.valueOf(users),
        score.name(),
        Phrase.of("%.1f", score.runs()),
        percent(score.goodSelection()),
        percent(score.expectedLoss()),
        percent(score.claims()),
        percent(score.falseClaims()));
  }

  private static String percent(double share) {
    return Phrase.of("%.1f %%", 100 * share);
  }

  private static String notes(String metric, Replay replay) {
    String within = PercentText.of(replay.rules().within());
    return """
    %s %s, %s noise, %d replications, seed %d.
    Good selection: the chosen profile is within %s of the best. Loss: distance of the choice to the best.
    Claims: searches that ended with "within %s of the best, %s"; false claims: share of all searches.%s\
    """
        .formatted(
            replay.rules().lowerIsBetter() ? "Lowest" : "Highest",
            metric,
            EnumName.of(replay.noise()),
            replay.replications(),
            replay.seed(),
            within,
            within,
            PercentText.of(replay.rules().confidence()),
            replay.noise() == Noise.SESSION ? sessions(replay) : "");
  }

  private static String sessions(Replay replay) {
    return "\nA run is 30 minutes. slicewise switches inside sessions of an hour; "
        + "%s of what a start draws belongs to the profile."
            .formatted(PercentText.of(replay.particular()));
  }
}
