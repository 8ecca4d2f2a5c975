package io.slicewise.report.page;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.SweepSummary.Exclusion;
import io.slicewise.stats.OrderDrift;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The section on validity: controls, drift, exclusions, notes and provenance. */
final class Trust {
  private static final int SHOWN = 20;

  private Trust() {}

  static void append(Html page, PageInput input) {
    page.raw("<section id=\"trust\" aria-labelledby=\"trust-title\">\n")
        .element("h2 id=\"trust-title\"", "Trust");
    page.element("h3", "Controls")
        .list("ul", controls(input.recommendation().control()))
        .element("p", drift(input.recommendation().drift()));
    exclusions(page, input);
    if (!input.summary().notes().isEmpty()) {
      page.element("h3", "Notes");
      Folded.list(page, input.summary().notes().stream().map(Phrases::typeset).toList(), SHOWN);
    }
    Provenance.append(page, input);
    commandsSent(page, input);
    page.raw("</section>\n");
  }

  private static List<String> controls(ControlCheck check) {
    if (check.controls().isEmpty()) {
      return List.of(
          "This experiment has no A/A control (a profile that repeats the baseline), so false"
              + " alarms cannot be detected.");
    }
    return check.controls().stream().map((Comparison c) -> control(c, check)).toList();
  }

  private static String control(Comparison c, ControlCheck check) {
    return "%s%s: %s differs from the identical baseline by %s%s"
        .formatted(
            c.profile(),
            Phrases.at(c.load()),
            c.metric().key(),
            Phrases.effect(c),
            check.falseAlarms().contains(c) ? ": a false alarm." : ": no false alarm.");
  }

  private static String drift(OrderDrift drift) {
    if (Double.isNaN(drift.slopeP()) && Double.isNaN(drift.lagOneP())) {
      return "Drift of the host cannot be judged: too few valid trials.";
    }
    String sentence =
        String.format(
            Locale.ROOT,
            "Drift over %d trials: %+.3f %% per trial (p %.3f), lag-1 autocorrelation %.2f (p"
                + " %.3f)%s",
            drift.n(),
            100 * Math.expm1(drift.slope()),
            drift.slopeP(),
            drift.lagOne(),
            drift.lagOneP(),
            drift.found(0.05) ? ": the host drifted." : ": none found.");
    return Phrases.typeset(sentence.replace("NaN", "–"));
  }

  private static void exclusions(Html page, PageInput input) {
    page.element("h3", "Excluded trials");
    List<String> lines =
        Stream.concat(
                input.summary().excluded().stream()
                    .map(e -> line(e.replaced() ? "tried again" : "excluded", e)),
                input.summary().failed().stream().map(e -> line("failed", e)))
            .toList();
    if (lines.isEmpty()) {
      page.element("p", "None: all finished trials are valid.");
    } else {
      Folded.list(page, lines, SHOWN);
    }
  }

  private static String line(String what, Exclusion trial) {
    return what + " " + trial.slug() + ": " + String.join("; ", trial.reasons());
  }

  private static void commandsSent(Html page, PageInput input) {
    List<String> sent = SentCommands.of(input);
    if (sent.isEmpty()) {
      return;
    }
    page.element("h3", "Settings changed on the host")
        .raw("<details>\n")
        .element(
            "summary",
            Phrases.count(sent.size(), "change") + " from the journal, with domain names")
        .raw("<pre tabindex=\"0\">")
        .say(String.join("\n", sent))
        .raw("</pre>\n</details>\n");
  }
}
