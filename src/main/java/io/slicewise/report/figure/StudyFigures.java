package io.slicewise.report.figure;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.evidence.study.DiskLayers;
import io.slicewise.evidence.study.InterferenceFit;
import io.slicewise.evidence.study.InterferenceRow;
import io.slicewise.evidence.study.InterferenceRow.InterferenceMeasure;
import io.slicewise.evidence.study.NeighbourStudy;
import io.slicewise.evidence.study.OverheadStudy;
import io.slicewise.evidence.study.PageFaults;
import io.slicewise.evidence.study.TimeBreakdown;
import io.slicewise.evidence.study.TimeBreakdown.Row;
import io.slicewise.report.figure.Scale.Axes;
import io.slicewise.report.figure.StudyFigures.Scatter.Point;
import io.slicewise.stats.table.BoxSummary;
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
            .filter(row -> Double.isFinite(row.reads().guest()))
            .filter(row -> Double.isFinite(row.reads().disk()))
            .map(
                row ->
                    new Point(
                        0,
                        row.reads().guest(),
                        row.reads().disk(),
                        Phrase.of(
                            "%s: guest %.1f MB, disk %.1f MB",
                            row.name(), row.reads().guest(), row.reads().disk())))
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

  /** Stacked lying bars, one below the other. */
  private static final class Bars {
    private static final double ROW = 14;
    private static final double LEFT = 104;
    private static final double FOOT = 34;

    private Bars() {}

    /**
     * One bar.
     *
     * @param parts from left to right; those that are not finite or negative are left out
     */
    record Bar(String name, List<Double> parts) {
      double sum() {
        return parts.stream().filter(part -> part > 0).mapToDouble(Double::doubleValue).sum();
      }
    }

    static String draw(String title, List<String> parts, String unit, List<Bar> bars) {
      double keys = new Svg("", 0).legend(parts);
      double bottom = keys + bars.size() * ROW + 4;
      Svg svg = new Svg(title, bottom + FOOT);
      svg.legend(parts);
      double most = bars.stream().mapToDouble(Bar::sum).max().orElse(1);
      Scale scale = Scale.of(0, most, LEFT, Svg.WIDTH - 12);
      Axes.below(svg, scale, keys, bottom, unit);
      for (int row = 0; row < bars.size(); row++) {
        Bar bar = bars.get(row);
        double y = keys + row * ROW;
        svg.say(LEFT - 5, y + ROW - 4, "end", Svg.cut(bar.name(), LEFT - 8));
        double x = 0;
        for (int part = 0; part < bar.parts().size(); part++) {
          double value = bar.parts().get(part);
          if (value > 0) {
            String tip = Phrase.of("%s: %s %.4g %s", bar.name(), parts.get(part), value, unit);
            svg.rect(
                scale.at(x),
                y + 2,
                scale.at(x + value) - scale.at(x),
                ROW - 4,
                Svg.colour(part),
                tip);
            x += value;
          }
        }
      }
      return svg.toString();
    }
  }

  /** Lying box plots, one below the other. */
  private static final class Boxes {
    private static final double ROW = 26;
    private static final double LEFT = 128;
    private static final double FOOT = 34;
    private static final double HALF = 8;

    private Boxes() {}

    record Box(String name, BoxSummary summary) {}

    static String draw(String title, String unit, List<Box> boxes) {
      double bottom = 8 + boxes.size() * ROW;
      Svg svg = new Svg(title, bottom + FOOT);
      Scale scale =
          Scale.of(
              Math.min(0, boxes.stream().mapToDouble(box -> box.summary().low()).min().orElse(0)),
              boxes.stream().mapToDouble(box -> box.summary().high()).max().orElse(1),
              LEFT,
              Svg.WIDTH - 14);
      Axes.below(svg, scale, 4, bottom, unit);
      for (int row = 0; row < boxes.size(); row++) {
        box(svg, scale, boxes.get(row), 8 + row * ROW + ROW / 2);
      }
      return svg.toString();
    }

    private static void box(Svg svg, Scale scale, Box box, double y) {
      BoxSummary of = box.summary();
      svg.say(LEFT - 6, y + 4, "end", Svg.cut(box.name(), LEFT - 8));
      svg.line(scale.at(of.low()), y, scale.at(of.high()), y, 0.8);
      for (double end : new double[] {of.low(), of.high()}) {
        svg.line(scale.at(end), y - HALF / 2, scale.at(end), y + HALF / 2, 0.8);
      }
      svg.frame(
          scale.at(of.q1()),
          y - HALF,
          scale.at(of.q3()) - scale.at(of.q1()),
          2 * HALF,
          Svg.colour(0),
          Phrase.of(
              "%s: median %.1f, middle half %.1f to %.1f, whiskers %.1f to %.1f",
              box.name(), of.median(), of.q1(), of.q3(), of.low(), of.high()));
      svg.line(scale.at(of.median()), y - HALF, scale.at(of.median()), y + HALF, 1);
    }
  }

  /** Points of two measures, in groups of one colour, with a line. */
  static final class Scatter {
    private static final double LEFT = 46;
    private static final double PLOT = 220;
    private static final double FOOT = 36;

    private Scatter() {}

    record Point(int group, double x, double y, String tip) {}

    /** The line y = intercept + slope x. */
    record Line(double intercept, double slope) {}

    /**
     * Draws points.
     *
     * @param groups names; none are shown of a single one
     */
    static String draw(
        String title,
        String across,
        String up,
        List<String> groups,
        List<Point> points,
        Optional<Line> line) {
      List<String> keys = groups.size() > 1 ? groups : List.of();
      double top = new Svg("", 0).legend(keys) + 22;
      double bottom = top + PLOT;
      Svg svg = new Svg(title, bottom + FOOT);
      svg.legend(keys);
      Scale x =
          Scale.of(
              Math.min(0, points.stream().mapToDouble(Point::x).min().orElse(0)),
              points.stream().mapToDouble(Point::x).max().orElse(1),
              LEFT,
              Svg.WIDTH - 14);
      Scale y =
          Scale.of(
              Math.min(0, points.stream().mapToDouble(Point::y).min().orElse(0)),
              points.stream().mapToDouble(Point::y).max().orElse(1),
              bottom,
              top);
      Axes.below(svg, x, top, bottom, across);
      Axes.left(svg, y, LEFT, Svg.WIDTH - 14, up);
      line.ifPresent(one -> line(svg, one, x, y));
      points.forEach(
          point ->
              svg.dot(x.at(point.x()), y.at(point.y()), Svg.colour(point.group()), point.tip()));
      return svg.toString();
    }

    /** Draws the part of a line that is inside the plot. */
    private static void line(Svg svg, Line line, Scale x, Scale y) {
      double from = x.low();
      double to = x.high();
      if (line.slope() != 0) {
        double atLow = (y.low() - line.intercept()) / line.slope();
        double atHigh = (y.high() - line.intercept()) / line.slope();
        from = Math.max(from, Math.min(atLow, atHigh));
        to = Math.min(to, Math.max(atLow, atHigh));
      } else if (line.intercept() < y.low() || line.intercept() > y.high()) {
        return;
      }
      if (from < to) {
        svg.line(
            x.at(from),
            y.at(line.intercept() + line.slope() * from),
            x.at(to),
            y.at(line.intercept() + line.slope() * to),
            0.8);
      }
    }
  }
}
