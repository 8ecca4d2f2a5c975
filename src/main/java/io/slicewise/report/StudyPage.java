package io.slicewise.report;

import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.profile.Role;
import io.slicewise.report.figure.Figure;
import io.slicewise.report.page.Html;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The study that a run is for, as a section of the page. */
public final class StudyPage {
  private StudyPage() {}

  /**
   * Returns the interference study of a run.
   *
   * @throws io.slicewise.base.units.SlicewiseException if no trial was measured without neighbours
   */
  public static NeighbourStudy interference(RunDirectory run, List<TrialResult> results) {
    Experiment experiment = run.readExperiment();
    String guest = experiment.domains().getOrDefault(Role.MAIN, List.of("")).get(0);
    OptionalInt domid =
        run.environment().stream()
            .flatMap(found -> found.domains().stream())
            .filter(domain -> domain.name().equals(guest))
            .mapToInt(Domain::id)
            .findFirst();
    return NeighbourStudy.of(results, guest, domid);
  }

  /** Returns the section of a run whose machines were read with and without neighbours. */
  static Optional<String> of(RunDirectory run, List<TrialResult> results, HtmlTables markup) {
    boolean alone = results.stream().anyMatch(result -> beside(result, 0));
    boolean others = results.stream().anyMatch(result -> !beside(result, 0));
    boolean read =
        results.stream()
            .flatMap(result -> result.machines().values().stream())
            .anyMatch(machine -> !machine.disks().isEmpty());
    if (!alone || !others || !read) {
      return Optional.empty();
    }
    return Optional.of(section(NeighbourTables.of(run.name(), interference(run, results)), markup));
  }

  private static boolean beside(TrialResult result, int neighbours) {
    return result.valid()
        && result.trial().load().neighbours().stream().anyMatch(level -> level == neighbours);
  }

  private static String section(StudyReport study, HtmlTables markup) {
    Html page = new Html();
    page.element("p", study.title()).raw("<div class=\"figures\">\n");
    study.figures().forEach(figure -> append(page, figure));
    page.raw("</div>\n");
    study.tables().forEach(table -> page.raw(markup.of(table)));
    return page.list("ul class=\"aside\"", study.notes()).toString();
  }

  private static void append(Html page, Figure figure) {
    page.raw("<figure class=\"drawn\" id=\"study-" + figure.name() + "\">\n")
        .element("h3", figure.title())
        .raw("<div class=\"drawing\">")
        .raw(figure.svg())
        .raw("</div>\n")
        .element("figcaption class=\"aside\"", figure.note())
        .raw("</figure>\n");
  }
}
