package io.slicewise.report.page;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.GroupedNote;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.ParametersText;
import io.slicewise.report.table.Html;
import io.slicewise.run.Environment;
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
            c.load().at(),
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
          input.run().environments().stream().findFirst().map(env -> commands(env.host(), sudo));
      return input.run().events().stream()
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

  /** The section on the experiment, the host and the generator. */
  private static final class Provenance {
    private Provenance() {}

    static void append(Html page, PageInput input) {
      Experiment experiment = input.experiment();
      page.element("h3", "Experiment")
          .raw("<dl>\n")
          .fact("run", input.run().name())
          .fact("workload", experiment.workload().name())
          .fact("baseline", experiment.baseline())
          .fact(
              "plan",
              "%s profiles × %s loads × %s repetitions, order %s, seed %s"
                  .formatted(
                      experiment.profiles().size(),
                      experiment.loads().size(),
                      experiment.repetitions(),
                      experiment.order(),
                      experiment.seed()))
          .fact(
              "a trial",
              "ramp %s, warm-up %s, measured %s, cool-down %s"
                  .formatted(
                      DurationText.of(experiment.ramp()),
                      DurationText.of(experiment.warmUp()),
                      DurationText.of(experiment.measure()),
                      DurationText.of(experiment.coolDown())))
          .fact("limits", limits(experiment))
          .raw("</dl>\n");
      List<Environment> environments = input.run().environments();
      for (int i = 0; i < environments.size(); i++) {
        environment(page, environments.get(i), i);
      }
      processes(page, input.run().events());
    }

    private static String limits(Experiment experiment) {
      return Phrase.of(
          "errors ≤ %.2f %%, generator CPU ≤ %.0f %%, lateness ≤ %.0f ms, Little's law within %.0f"
              + " %%",
          100 * experiment.limits().errorShare(),
          100 * experiment.limits().generator().cpuShare(),
          experiment.limits().generator().latenessMillis(),
          100 * experiment.limits().littlesLawError());
    }

    private static void environment(Html page, Environment found, int which) {
      page.element(
              "h3", which == 0 ? "Host" : "Host, when resumed for the " + ordinal(which) + " time")
          .raw("<dl>\n")
          .fact("address", found.address())
          .fact("read at", found.at().toString());
      if (found.host() != null) {
        page.fact(
                "hypervisor",
                "%s, %s, scheduler %s"
                    .formatted(
                        found.host().hypervisor(),
                        found.host().toolstack(),
                        found.host().bootScheduler()))
            .fact("kernel", found.host().release())
            .fact("pCPUs", found.host().pcpus() + megahertz(found.host().cpuMegahertz()));
      }
      page.fact("watched with", found.monitoring().monitor())
          .fact(
              "clock offset",
              Double.isFinite(found.monitoring().clockOffsetMillis())
                  ? Phrase.of(
                      "%+.1f ms ± %.1f ms",
                      found.monitoring().clockOffsetMillis(), found.monitoring().clockDoubtMillis())
                  : "not known")
          .raw("</dl>\n");
      domains(page, found);
      generator(page, found.generator());
    }

    private static String ordinal(int number) {
      return number == 1 ? "first" : number == 2 ? "second" : number + "th";
    }

    private static String megahertz(double value) {
      return Double.isFinite(value) ? Phrase.of(" at %.0f MHz", value) : "";
    }

    private static String poolWord(Environment found) {
      return found.host() == null
          ? "cpupool"
          : Hypervisors.kind(found.host().toolstack()).poolWord();
    }

    private static void domains(Html page, Environment found) {
      if (found.domains().isEmpty()) {
        return;
      }
      page.raw("<div class=\"wide\" tabindex=\"0\"><table>\n<caption>Domains, as found</caption>\n")
          .raw("<thead><tr><th scope=\"col\">domain</th><th scope=\"col\">id</th>")
          .raw("<th scope=\"col\">vCPUs</th>")
          .element("th scope=\"col\"", poolWord(found))
          .raw("<th scope=\"col\">settings found</th></tr></thead>\n<tbody>\n");
      for (Domain domain : found.domains()) {
        page.raw("<tr>")
            .element("th scope=\"row\"", domain.name())
            .element("td", String.valueOf(domain.id()))
            .element("td", String.valueOf(domain.vcpus()))
            .element("td class=\"name\"", domain.cpupool())
            .element(
                "td class=\"name\"",
                found.settings().containsKey(domain.name())
                    ? "%s %s"
                        .formatted(
                            found.settings().get(domain.name()).scheduler().xenName(),
                            ParametersText.of(found.settings().get(domain.name())))
                    : "–")
            .raw("</tr>\n");
      }
      page.raw("</tbody>\n</table></div>\n");
    }

    private static void generator(Html page, Environment.Generator generator) {
      if (generator == null) {
        return;
      }
      page.element("h3", "Generator")
          .raw("<dl>\n")
          .fact("machine", generator.machine() + ", " + generator.cores() + " cores")
          .fact("system", generator.system())
          .fact("Java", generator.java())
          .fact("Slicewise", generator.slicewise())
          .fact(
              "load before the run",
              Double.isFinite(generator.loadAverage())
                  ? Phrase.of("%.2f", generator.loadAverage())
                  : "not known")
          .raw("</dl>\n");
    }

    private static void processes(Html page, List<JournalEvent> events) {
      List<String> lines =
          events.stream()
              .filter(
                  e ->
                      e instanceof JournalEvent.RunStarted
                          || e instanceof JournalEvent.RunEnded
                          || e instanceof JournalEvent.HostLost
                          || e instanceof JournalEvent.Restored)
              .map(Provenance::line)
              .toList();
      if (!lines.isEmpty()) {
        page.element("h3", "What happened").list("ul", lines);
      }
    }

    private static String line(JournalEvent event) {
      String what;
      if (event instanceof JournalEvent.RunStarted started) {
        what = "begun on " + started.machine() + " by version " + started.version();
      } else if (event instanceof JournalEvent.RunEnded ended) {
        what = "ended: " + ended.sentence();
      } else if (event instanceof JournalEvent.HostLost lost) {
        what = "host lost: " + lost.reason();
      } else {
        JournalEvent.Restored restored = (JournalEvent.Restored) event;
        what =
            restored.complaints().isEmpty()
                ? "settings restored and verified: "
                    + String.join(", ", restored.settings().keySet())
                : "not restored: " + restored.complaints();
      }
      return event.at() + "  " + what;
    }
  }
}
