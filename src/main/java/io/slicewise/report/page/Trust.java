package io.slicewise.report.page;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.GroupedNote;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.ParametersText;
import io.slicewise.report.table.Html;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.ssh.Command;
import io.slicewise.stats.table.OrderDrift;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The section on validity: controls, drift, exclusions, notes and provenance. */
final class Trust {
  private static final int SHOWN = 20;

  private Trust() {}

  static Section of(PageInput input) {
    return new Section("trust", "Trust", "Trust", page -> append(page, input));
  }

  private static void append(Html page, PageInput input) {
    page.element("h3", "Controls")
        .list("ul", controls(input.recommendation().control()))
        .element("p", drift(input.recommendation().drift(), input.summary().unit()));
    exclusions(page, input);
    if (!input.summary().notes().isEmpty()) {
      page.element("h3", "Notes");
      Folded.notes(page, notes(input), SHOWN);
    }
    Provenance.append(page, input);
    commandsSent(page, input);
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

  private static String drift(OrderDrift drift, String unit) {
    if (Double.isNaN(drift.p())) {
      return "Drift of the host cannot be judged: too few valid %ss.".formatted(unit);
    }
    String sentence =
        Phrase.of(
            "Drift over %d %ss: %+.3f %% per %s, lag-1 autocorrelation %.2f, p %.3f for both"
                + " together: %s.",
            drift.n(),
            unit,
            100 * Math.expm1(drift.slope()),
            unit,
            drift.lagOne(),
            drift.p(),
            drift.found(0.05) ? "the host drifted" : "none found");
    return Html.typeset(sentence.replace("NaN", "–"));
  }

  private static void exclusions(Html page, PageInput input) {
    String unit = input.summary().unit();
    page.element("h3", "Excluded %ss".formatted(unit));
    List<GroupedNote> notes = GroupedNote.excluded(input.summary());
    if (notes.isEmpty()) {
      page.element("p", "None: all finished %ss are valid.".formatted(unit));
    } else {
      Folded.notes(page, notes, SHOWN);
    }
  }

  /** Returns the notes of the tables; those on several trials with the note of each. */
  private static List<GroupedNote> notes(PageInput input) {
    Map<String, GroupedNote> grouped =
        Stream.of(
                GroupedNote.warnings(input.experiment(), input.results()),
                GroupedNote.outliers(input.experiment(), input.results()))
            .flatMap(List::stream)
            .collect(Collectors.toMap(GroupedNote::line, note -> note, (one, other) -> one));
    return input.summary().notes().stream()
        .map(line -> grouped.getOrDefault(line, new GroupedNote(line, List.of())))
        .toList();
  }

  private static void commandsSent(Html page, PageInput input) {
    List<String> sent = SentCommands.of(input);
    if (sent.isEmpty()) {
      return;
    }
    page.element("h3", "Settings changed on the host")
        .raw("<details>\n")
        .element(
            "summary", Plural.of(sent.size(), "change") + " from the journal, with domain names")
        .raw("<pre tabindex=\"0\">")
        .say(String.join("\n", sent))
        .raw("</pre>\n</details>\n");
  }

  /**
   * The changes that a run made on its host, from its journal: time, command and description. Only
   * the description if the command is unknown.
   */
  private static final class SentCommands {
    private SentCommands() {}

    static List<String> of(PageInput input) {
      boolean sudo = input.experiment().host().map(HostSpec::sudo).orElse(false);
      Optional<SettingCommands> words =
          input.environments().stream().findFirst().map(env -> commands(env.host(), sudo));
      return input.events().stream()
          .filter(JournalEvent.Applying.class::isInstance)
          .map(event -> line((JournalEvent.Applying) event, words))
          .toList();
    }

    private static SettingCommands commands(HostDescription host, boolean sudo) {
      return Hypervisors.commands(host.toolstack(), host.version(), sudo);
    }

    private static String line(JournalEvent.Applying event, Optional<SettingCommands> words) {
      return Phrase.of(
          "%s  %s   # %s: %s → %s",
          event.at(),
          words.map(tool -> command(tool, event)).orElse(""),
          event.domain(),
          ParametersText.of(event.from()),
          ParametersText.of(event.to()));
    }

    private static String command(SettingCommands tool, JournalEvent.Applying event) {
      try {
        return tool.set(event.domain(), event.to()).stream()
            .map(Command::quoted)
            .collect(Collectors.joining("; "));
      } catch (HypervisorException inexpressible) {
        return "";
      }
    }
  }

  /** Lists whose first items are shown and whose others open on request. */
  static final class Folded {
    private Folded() {}

    static void list(Html page, List<String> lines, int shown) {
      notes(page, lines.stream().map(line -> new GroupedNote(line, List.of())).toList(), shown);
    }

    /** Appends a line per note; a line that summarises several opens a list of them. */
    static void notes(Html page, List<GroupedNote> notes, int shown) {
      items(page, notes.subList(0, Math.min(shown, notes.size())));
      if (notes.size() > shown) {
        page.raw("<details>\n").element("summary", (notes.size() - shown) + " more");
        items(page, notes.subList(shown, notes.size()));
        page.raw("</details>\n");
      }
    }

    private static void items(Html page, List<GroupedNote> notes) {
      if (notes.isEmpty()) {
        return;
      }
      page.raw("<ul>\n");
      for (GroupedNote note : notes) {
        String line = Html.typeset(note.line());
        if (note.members().size() < 2) {
          page.element("li", line);
        } else {
          page.raw("<li><details class=\"alike\">")
              .element("summary", line)
              .list("ul", note.members().stream().map(Html::typeset).toList())
              .raw("</details></li>\n");
        }
      }
      page.raw("</ul>\n");
    }
  }
}
