package io.slicewise.cli.screens;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.look.Ceiling.Verdict;
import io.slicewise.evidence.look.Look;
import io.slicewise.evidence.look.LookedGuest;
import io.slicewise.report.table.TextColumns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A look at a host on one screen: the guests, the answer, and the next command. */
public final class LookScreen {
  private static final int MOST_GUESTS = 8;
  private static final List<String> HEADINGS =
      List.of("guest", "vCPUs", "run", "wait", "held", "users", "visitors");
  private static final List<Boolean> LEFT = List.of(true, false, false, false, false, false, false);

  private LookScreen() {}

  /**
   * Returns the lines.
   *
   * @param next the command to type next
   */
  public static List<String> lines(Look look, String next, int width) {
    LabelledLines head = new LabelledLines(width);
    head.add(
        "LOOK",
        "%s   %s, %s, %s   %s, read only"
            .formatted(
                look.host(),
                look.platform().hypervisor(),
                look.platform().scheduler(),
                Plural.of(look.platform().pcpus(), "pCPU"),
                DurationText.spaced(Duration.ofMillis((long) (look.seconds() * 1e3)))));
    List<String> lines = new ArrayList<>(head.all());
    lines.add("");
    lines.addAll(table(look, width));
    lines.add("");
    LabelledLines rest = new LabelledLines(width);
    labelled(rest, "Answer", look.sentences());
    labelled(rest, "Waits", look.waits());
    if (!look.doubt().isEmpty()) {
      rest.add("Doubt", look.doubt() + ": the ceilings are too high.");
    }
    pressure(look.pressure()).ifPresent(text -> rest.add("Host", text));
    look.requests().ifPresent(requests -> rest.add("Log", requests(requests)));
    labelled(rest, "Notes", look.notes());
    rest.add("Next", next);
    lines.addAll(rest.all());
    return List.copyOf(lines);
  }

  private static void labelled(LabelledLines lines, String label, List<String> sentences) {
    for (int i = 0; i < sentences.size(); i++) {
      lines.add(i == 0 ? label : "", sentences.get(i));
    }
  }

  private static List<String> table(Look look, int width) {
    List<LookedGuest> shown =
        look.guests().stream()
            .filter(guest -> guest.ceiling().verdict() != Verdict.IDLE)
            .limit(MOST_GUESTS)
            .toList();
    List<List<String>> rows = new ArrayList<>(List.of(HEADINGS));
    shown.forEach(guest -> rows.add(row(guest)));
    List<String> lines = new ArrayList<>(TextColumns.lines(rows, LEFT, width));
    int rest = look.guests().size() - shown.size();
    if (shown.isEmpty()) {
      lines.clear();
    }
    if (rest > 0) {
      lines.add("  %s used less".formatted(Plural.of(rest, "other guest")));
    }
    if (!shown.isEmpty()) {
      lines.add("  run, wait, held: % of its vCPUs' time; users, visitors: the most that CPU");
      lines.add("  scheduling can take off its mean response time, if users wait for each");
      lines.add("  answer before they ask again, or visitors come on their own");
    }
    return lines;
  }

  private static List<String> row(LookedGuest guest) {
    String without =
        switch (guest.ceiling().verdict()) {
          case CAPPED -> "capped";
          case UNKNOWN -> "?";
          default -> "no bound";
        };
    return List.of(
        guest.name(),
        Integer.toString(guest.vcpus()),
        share(guest.run(), "?"),
        share(guest.waiting(), "?"),
        share(guest.held(), "–"),
        share(guest.ceiling().closed(), without),
        share(guest.ceiling().open(), without));
  }

  private static String share(double share, String unknown) {
    return Double.isNaN(share) ? unknown : Phrase.of("%.1f %%", share * 100);
  }

  /** Returns what the host's kernel counted; empty if nothing. */
  private static Optional<String> pressure(Look.Pressure pressure) {
    String known =
        Stream.of(
                part("tasks waited for disks %s of the time", pressure.disk()),
                part("for memory %s", pressure.memory()),
                part("for CPUs %s", pressure.cpu()),
                part("stolen by a hypervisor %s", pressure.stolen()))
            .flatMap(Optional::stream)
            .collect(Collectors.joining(", "));
    return Optional.of(known).filter(text -> !text.isEmpty());
  }

  private static Optional<String> part(String text, double share) {
    return Double.isNaN(share) ? Optional.empty() : Optional.of(text.formatted(share(share, "")));
  }

  private static String requests(Look.Requests requests) {
    if (requests.count() == 0) {
      return "no request started in that time";
    }
    return Phrase.of(
        "%d requests, %.1f/s, mean %.0f ms%s%s",
        requests.count(),
        requests.rate(),
        requests.meanMillis(),
        Double.isNaN(requests.p95Millis()) ? "" : Phrase.of(", p95 %.0f ms", requests.p95Millis()),
        requests.failed() > 0 ? ", %d failed".formatted(requests.failed()) : "");
  }
}
