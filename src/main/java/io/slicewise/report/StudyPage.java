package io.slicewise.report;

import io.slicewise.base.units.NumberText;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.host.Domain;
import io.slicewise.profile.Role;
import io.slicewise.report.figure.Figure;
import io.slicewise.report.page.Page;
import io.slicewise.report.page.PageInput.PageAdvice.Part;
import io.slicewise.report.page.PageInput.PageStudy;
import io.slicewise.report.page.PlainInput;
import io.slicewise.report.study.NeighbourTables;
import io.slicewise.report.study.RunStudy;
import io.slicewise.report.study.StudyReport;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.Html;
import io.slicewise.report.table.HtmlTables;
import io.slicewise.report.table.Table;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.run.result.TrialResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A study as a page of its own, or as the section of the page of the run that is for it. */
public final class StudyPage {
  private StudyPage() {}

  /**
   * Returns a study as a page of its own.
   *
   * @param runs behind it; empty of published tables
   * @param tables files of published tables; empty of runs
   */
  public static String html(StudyReport study, List<MeasuredRun> runs, List<Path> tables) {
    String[] title = study.title().split(" {2,}", 2);
    List<String> answers = List.of(title[1].split("; "));
    Origin origin = runs.isEmpty() ? Origin.imported("published tables") : HistoryPage.origin(runs);
    HtmlTables markup = new HtmlTables(origin);
    List<String> sources =
        runs.isEmpty()
            ? tables.stream().map(Path::toString).toList()
            : runs.stream().map(MeasuredRun::name).toList();
    return Page.of(
        new PlainInput(
            title[0].charAt(0) + title[0].substring(1).toLowerCase(Locale.ROOT) + " study",
            String.join(" · ", sources),
            origin,
            answers.get(0)
                + (answers.size() > 1 ? ", and %d more" : "").formatted(answers.size() - 1),
            List.of(),
            answers.size() > 1 ? List.of(new Part("In full", answers)) : List.of(),
            List.of(new Part("Notes", study.notes())),
            study.tables().stream().map(StudyPage::known).map(markup::of).toList(),
            runs.isEmpty()
                ? new Html().list("ul", sources).toString()
                : markup.of(RunsTable.of(runs))),
        figures(study));
  }

  /**
   * Returns the interference study of a run.
   *
   * @throws io.slicewise.base.units.SlicewiseException if no trial was measured without neighbours
   */
  public static NeighbourStudy interference(LoadedRun run) {
    Experiment experiment = run.experiment();
    String guest = experiment.domains().getOrDefault(Role.MAIN, List.of("")).get(0);
    OptionalInt domid =
        run.environment().stream()
            .flatMap(found -> found.domains().stream())
            .filter(domain -> domain.name().equals(guest))
            .mapToInt(Domain::id)
            .findFirst();
    return NeighbourStudy.of(run.results(), guest, domid);
  }

  /** Returns the section of a run whose machines were read with and without neighbours. */
  static Optional<PageStudy> of(LoadedRun run, HtmlTables markup) {
    List<TrialResult> results = run.results();
    Optional<RunStudy> own = run.experiment().order().study(RunStudy.class);
    if (own.isPresent()) {
      RunStudy.Told told = own.get().told(run);
      return Optional.of(new PageStudy("Study", told.answer(), section(told.report(), markup)));
    }
    boolean alone = results.stream().anyMatch(result -> beside(result, 0));
    boolean others = results.stream().anyMatch(result -> !beside(result, 0));
    boolean read =
        results.stream()
            .flatMap(result -> result.machines().values().stream())
            .anyMatch(machine -> !machine.counted().disks().isEmpty());
    if (!alone || !others || !read) {
      return Optional.empty();
    }
    NeighbourStudy study = interference(run);
    return Optional.of(
        new PageStudy(
            "Study",
            "Interference study: " + NeighbourTables.answer(study),
            section(NeighbourTables.of(run.name(), study), markup)));
  }

  private static boolean beside(TrialResult result, int neighbours) {
    return result.valid()
        && result.trial().load().count(Axis.NEIGHBOURS).stream()
            .anyMatch(level -> level == neighbours);
  }

  private static String section(StudyReport study, HtmlTables markup) {
    Html page = new Html();
    page.element("p", study.title()).raw(figures(study));
    study.tables().stream().map(StudyPage::known).map(markup::of).forEach(page::raw);
    return page.list("ul class=\"aside\"", study.notes()).toString();
  }

  /** Returns the table without columns in which nothing is known. */
  private static Table known(Table table) {
    return table.keeping(
        table.rows(),
        (column, cells) -> !cells.map(Cell::shown).allMatch(NumberText.UNKNOWN::equals));
  }

  private static String figures(StudyReport study) {
    return figures(study.figures());
  }

  /** Returns the markup of drawings. */
  static String figures(List<Figure> figures) {
    Html page = new Html();
    page.raw("<div class=\"figures\">\n");
    figures.forEach(figure -> append(page, figure));
    return page.raw("</div>\n").toString();
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
