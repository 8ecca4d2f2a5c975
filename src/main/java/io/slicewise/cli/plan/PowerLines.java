package io.slicewise.cli.plan;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.cli.plan.PlanOutline.Power;
import io.slicewise.cli.plan.PlanOutline.SessionsPower;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.stats.SessionEffect;
import io.slicewise.stats.power.CoinPower;
import io.slicewise.stats.power.Resolution;
import java.util.stream.Collectors;

/**
 * Prints what sessions can show, and what trials would need for the same.
 *
 * @param label before the first line
 */
record PowerLines(String label, Power power, SessionsPower sessions) {
  /** Adds what a design can show, of trials or of sessions; nothing if it compares nothing. */
  static void add(Power power, LabelledLines lines) {
    power.pairs().ifPresent(pairs -> lines.add("Power", pairs(power, pairs)));
    if (power.comparisons() == 0 || power.pairs().isPresent()) {
      return;
    }
    power
        .sessions()
        .ifPresentOrElse(
            sessions -> new PowerLines("Power", power, sessions).addTo(lines),
            () -> lines.add("Power", trials(power)));
  }

  private static String pairs(Power power, PlanOutline.PairsPower pairs) {
    return pairs.needed().stream()
        .map(
            one ->
                one.pairs().isEmpty()
                    ? Phrase.of("of %.0f %% after more than %d", 100 * one.change(), CoinPower.MOST)
                    : Phrase.of(
                        "of %.0f %% after %s (%s)",
                        100 * one.change(),
                        Plural.of(one.pairs().getAsInt(), "pair"),
                        DurationText.spaced(one.time())))
        .collect(
            Collectors.joining(
                ", ",
                "half of all studies show a change ",
                Phrase.of(
                    "; pairs are of each candidate, and their log ratios scatter by %.1f %% (%s)",
                    100 * pairs.scatter(), power.scatter().source())));
  }

  private static String trials(Power power) {
    String basis =
        Phrase.of(
            "CV %.1f %% (%s), %s after Holm: ",
            100 * power.scatter().cv(),
            power.scatter().source(),
            Plural.of(power.comparisons(), "comparison"));
    if (Resolution.isTooLarge(100 * power.smallestEffect())) {
      return basis + "changes are " + Resolution.NONE;
    }
    if (Double.isNaN(power.smallestEffect())) {
      return basis + "no change of any size can be detected";
    }
    String first =
        Phrase.of(
            "%s%d blocks detect changes >= %.1f %% with 80 %% power",
            basis, power.blocks(), 100 * power.smallestEffect());
    return power.mostBlocks() == power.blocks()
        ? first
        : Phrase.of(
            "%s; %d blocks >= %.1f %%", first, power.mostBlocks(), 100 * power.smallestWithAll());
  }

  void addTo(LabelledLines lines) {
    String basis =
        Phrase.of(
            "log ratios in a block scatter by %.1f %%, effects between sessions by %.1f %% (%s),"
                + " comparisons after Holm: %d; ",
            100 * sessions.within(),
            100 * sessions.between(),
            power.scatter().source(),
            power.comparisons());
    if (Resolution.isTooLarge(100 * sessions.smallestEffect())) {
      lines.add(label, basis + "changes are " + Resolution.NONE);
      return;
    }
    if (Double.isNaN(sessions.smallestEffect())) {
      lines.add(label, basis + "no change of any size can be detected");
      return;
    }
    lines.add(
        label,
        Phrase.of(
            "%s%d x %d blocks (sessions x blocks) detect changes >= %.1f %% with 80 %% power%s",
            basis,
            sessions.sessions(),
            sessions.blocks(),
            100 * sessions.smallestEffect(),
            sessions.sessions() < SessionEffect.REPLICATES
                ? ", effects of a restart not included"
                : ""));
    lines.add("", trialsForTheSame());
    sessions.sharper().ifPresent(one -> lines.add("", sharper(one)));
  }

  private static String sharper(PlanOutline.Layout one) {
    return Phrase.of(
        "%d x %d blocks take about as long and detect changes >= %.1f %%: sessions are the"
            + " replicates",
        one.sessions(), one.blocks(), 100 * one.smallestEffect());
  }

  private String trialsForTheSame() {
    String scatter = Phrase.of("trials with a CV of %.1f %%", 100 * power.scatter().cv());
    return sessions.blocksOfTrials().isEmpty()
        ? scatter + " would need more than 1,000 blocks for the same"
        : "%s would need %d blocks for the same: %d trials, at least %s"
            .formatted(
                scatter,
                sessions.blocksOfTrials().getAsInt(),
                sessions.trials(),
                DurationText.spaced(sessions.trialsTime()));
  }
}
