package io.slicewise.report.figure;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.study.DiskLayers;
import io.slicewise.evidence.study.InterferenceFit;
import io.slicewise.evidence.study.InterferenceMeasure;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.PageFaults;
import io.slicewise.evidence.study.TimeBreakdown;
import io.slicewise.evidence.study.TimeBreakdown.Row;
import io.slicewise.report.figure.Scatter.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of both studies, of what was measured; none of counters that were not read. */
public final class StudyFigures {
  private static final List<String> PARTS = List.of("user", "system", "iowait", "steal", "rest");

  private StudyFigures() {}

  /** Returns the figures of an overhead study, for each arm. */
  public static List<Figure> of(OverheadStudy study) {
    List<Figure> figures = new ArrayList<>();
    study.times().forEach(arm -> figures.add(time(arm)));
    study.faults().forEach(arm -> figures.add(faults(arm)));
    study.disks().forEach(arm -> figures.add(disks(arm)));
    return numbered(figures);
  }

  /** Returns the figures of an interference study. */
  public static List<Figure> of(NeighbourStudy study) {
    List<Figure> figures = new ArrayList<>();
    for (InterferenceMeasure measure :
        List.of(InterferenceMeasure.DROP, InterferenceMeasure.LOSS)) {
      boxes(study, measure).ifPresent(figures::add);
    }
    study.fits().stream()
        .filter(fit -> fit.measure() == InterferenceMeasure.LOSS)
        .forEach(fit -> figures.add(regression(fit)));
    return numbered(figures);
  }

  /** Gives figures of several arms different names: {@code time}, {@code time-2}. */
  private static List<Figure> numbered(List<Figure> figures) {
    Map<String, Integer> seen = new LinkedHashMap<>();
    return figures.stream()
        .filter(figure -> !figure.svg().isEmpty())
        .map(
            figure -> {
              int number = seen.merge(figure.name(), 1, Integer::sum);
              return number == 1
                  ? figure
                  : new Figure(
                      figure.name() + "-" + number, figure.title(), figure.note(), figure.svg());
            })
        .toList();
  }

  /** Each case's time on the base is 100; its time in the guest is below it. */
  private static Figure time(TimeBreakdown arm) {
    String title = "Where the time goes: " + arm.arm();
    Map<String, List<Row>> byCase =
        arm.cases().stream()
            .collect(Collectors.groupingBy(Row::name, LinkedHashMap::new, Collectors.toList()));
    List<Bars.Bar> bars = new ArrayList<>();
    byCase.forEach(
        (name, rows) -> {
          double whole = total(rows.get(0));
          for (Row row : rows) {
            bars.add(
                new Bars.Bar(
                    name + " " + row.tier(),
                    Stream.of(row.user(), row.sys(), row.iowait(), row.steal(), row.rest())
                        .map(part -> 100 * part / whole)
                        .toList()));
          }
        });
    return new Figure(
        "time",
        title,
        "Parts of the time of an execution, in percent of the time on the base. What is outside all"
            + " modes is the rest.",
        Bars.draw(title, PARTS, "% of the time on the base", bars));
  }

  private static double total(Row row) {
    return Double.isFinite(row.total())
        ? row.total()
        : Stream.of(row.user(), row.sys(), row.iowait(), row.steal())
            .filter(part -> part > 0)
            .mapToDouble(Double::doubleValue)
            .sum();
  }

  private static Figure faults(PageFaults arm) {
    String title = "Fault rate and slowdown: " + arm.arm();
    List<Point> points =
        arm.cases().stream()
            .filter(row -> Double.isFinite(row.rate()) && Double.isFinite(row.slowdown()))
            .map(
                row ->
                    new Point(
                        0,
                        row.rate() / 1000,
                        row.slowdown(),
                        Phrase.of(
                            "%s: %.0f faults/s, %+.1f %%", row.name(), row.rate(), row.slowdown())))
            .toList();
    return new Figure(
        "faults",
        title,
        "Each point is a case. The guest's time is in both axes, so part of it is arithmetic.",
        scatter(title, "1000 page faults per second of the guest", "slowdown in %", points, false));
  }

  private static Figure disks(DiskLayers arm) {
    String title = "MB read by guest and disk: " + arm.arm();
    List<Point> points =
        arm.cases().stream()
            .filter(row -> Double.isFinite(row.guest()) && Double.isFinite(row.disk()))
            .map(
                row ->
                    new Point(
                        0,
                        row.guest(),
                        row.disk(),
                        Phrase.of(
                            "%s: guest %.1f MB, disk %.1f MB",
                            row.name(), row.guest(), row.disk())))
            .toList();
    return new Figure(
        "disk",
        title,
        "Each point is a case; above the line, the disk read more than the guest asked for.",
        scatter(title, "MB read by the guest", "MB read by the disk of dom0", points, true));
  }

  private static String scatter(
      String title, String across, String up, List<Point> points, boolean diagonal) {
    return points.isEmpty()
        ? ""
        : Scatter.draw(
            title,
            across,
            up,
            List.of(),
            points,
            diagonal ? Optional.of(new Scatter.Line(0, 1)) : Optional.empty());
  }

  private static Optional<Figure> boxes(NeighbourStudy study, InterferenceMeasure measure) {
    long places = study.rows().stream().map(InterferenceRow::place).distinct().count();
    List<Boxes.Box> boxes =
        study.rows().stream()
            .filter(row -> !row.alone() && row.boxes().containsKey(measure))
            .map(
                row ->
                    new Boxes.Box(
                        places == 1 ? row.name() : row.name() + ", " + row.place(),
                        row.boxes().get(measure)))
            .toList();
    boolean loss = measure == InterferenceMeasure.LOSS;
    String title = loss ? "Loss by the guest's own wait, L" : "Drop of the transaction rate";
    return boxes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Figure(
                loss ? "loss" : "drop",
                title,
                "Over the blocks: the middle half with its median, whiskers of at most 1.5 times"
                    + " its length; compared with the trial of the same block without neighbours.",
                Boxes.draw(title, loss ? "L in %" : "drop of transactions/s in %", boxes)));
  }

  private static Figure regression(InterferenceFit fit) {
    String title = "Drop and L: " + fit.place();
    List<Integer> levels =
        fit.points().stream().map(InterferenceFit.Point::neighbours).distinct().sorted().toList();
    return new Figure(
        "regression",
        title,
        Phrase.of(
            "drop = %.2f + %.2f L; R² %.2f pooled, %.2f within each number of neighbours. Each"
                + " point is a block.",
            fit.intercept(), fit.slope().mean(), fit.pooled(), fit.within()),
        Scatter.draw(
            title,
            "L in %",
            "drop of transactions/s in %",
            levels.stream().map(level -> Plural.of(level, "neighbour")).toList(),
            fit.points().stream()
                .map(
                    point ->
                        new Point(
                            levels.indexOf(point.neighbours()),
                            point.x(),
                            point.drop(),
                            Phrase.of(
                                "block %d with %d neighbours: L %.1f %%, drop %.1f %%",
                                point.block(), point.neighbours(), point.x(), point.drop())))
                .toList(),
            Optional.of(new Scatter.Line(fit.intercept(), fit.slope().mean()))));
  }
}
