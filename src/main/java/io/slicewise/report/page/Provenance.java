package io.slicewise.report.page;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.ParametersText;
import io.slicewise.report.table.Html;
import io.slicewise.run.Environment;
import io.slicewise.run.journal.JournalEvent;
import java.time.Duration;
import java.util.List;

/** The section on the experiment, the host and the generator. */
final class Provenance {
  private Provenance() {}

  static void append(Html page, PageInput input) {
    Experiment experiment = input.experiment();
    page.element("h3", "Experiment")
        .raw("<dl>\n")
        .fact("run", input.run())
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
                    seconds(experiment.ramp()),
                    seconds(experiment.warmUp()),
                    seconds(experiment.measure()),
                    seconds(experiment.coolDown())))
        .fact("limits", limits(experiment))
        .raw("</dl>\n");
    for (int i = 0; i < input.environments().size(); i++) {
      environment(page, input.environments().get(i), i);
    }
    processes(page, input.events());
  }

  private static String seconds(Duration time) {
    return DurationText.of(time);
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
    page.fact("watched with", found.monitor())
        .fact(
            "clock offset",
            Double.isFinite(found.clockOffsetMillis())
                ? Phrase.of(
                    "%+.1f ms ± %.1f ms", found.clockOffsetMillis(), found.clockDoubtMillis())
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
    return found.host() == null ? "cpupool" : Hypervisors.kind(found.host().toolstack()).poolWord();
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
              ? "settings restored and verified: " + String.join(", ", restored.settings().keySet())
              : "not restored: " + restored.complaints();
    }
    return event.at() + "  " + what;
  }
}
