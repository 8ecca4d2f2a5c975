package io.slicewise.report.figure;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.report.figure.Scale.Axes;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** A metric of a run by users: a line for each profile, with 95 % intervals. */
public final class RunFigure {
  private static final double LEFT = 52;
  private static final double RIGHT = Svg.WIDTH - 14;
  private static final double PLOT = 230;
  private static final double FOOT = 36;
  private static final double CAP = 3;

  private final Metric metric;
  private final String origin;
  private final Map<String, List<CellSummary>> lines = new LinkedHashMap<>();

  private RunFigure(SweepSummary summary, Metric metric) {
    this.metric = metric;
    this.origin = summary.origin().kind().word();
    for (CellSummary cell : summary.cells()) {
      if (cell.metrics().containsKey(metric) && Double.isFinite(of(cell).mean())) {
        String name = cell.profile() + cell.load().beside().text();
        lines.computeIfAbsent(name, any -> new ArrayList<>()).add(cell);
      }
    }
  }

  /**
   * Returns the text of an SVG file.
   *
   * @throws SlicewiseException if no cell has the metric, or there are more lines than colours
   */
  public static String svg(SweepSummary summary, Metric metric) {
    RunFigure figure = new RunFigure(summary, metric);
    if (figure.lines.isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          "no cell of the run has %s".formatted(metric.key()),
          "choose one of " + String.join(", ", Aim.METRICS));
    }
    if (figure.lines.size() > Svg.COLOURS.size()) {
      throw SlicewiseException.input(
          "a figure has at most %d lines, and there are %d"
              .formatted(Svg.COLOURS.size(), figure.lines.size()),
          "choose some with --where, as in --where profile=as-found,profile=w512");
    }
    return figure.draw();
  }

  private Estimate of(CellSummary cell) {
    return cell.metrics().get(metric);
  }

  private static double end(double interval, double mean) {
    return Double.isFinite(interval) ? interval : mean;
  }

  private String draw() {
    List<String> names = List.copyOf(lines.keySet());
    double top = new Svg("", 0).legend(names) + 22;
    double bottom = top + PLOT;
    List<CellSummary> all = lines.values().stream().flatMap(List::stream).toList();
    String unit = all.get(0).load().driver().unit();
    Svg svg = new Svg(metric.key() + " by " + unit, bottom + FOOT);
    svg.legend(names);
    DoubleStream highs = all.stream().mapToDouble(cell -> end(of(cell).high(), of(cell).mean()));
    Scale x =
        Scale.of(
            0, all.stream().mapToDouble(cell -> cell.load().size()).max().orElse(1), LEFT, RIGHT);
    Scale y = Scale.of(0, highs.max().orElse(1), bottom, top);
    Axes.below(svg, x, top, bottom, unit);
    Axes.left(svg, y, LEFT, RIGHT, "%s %s (%s)".formatted(metric.key(), metric.unit(), origin));
    for (int line = 0; line < names.size(); line++) {
      draw(svg, names.get(line), Svg.colour(line), x, y);
    }
    return svg.toString();
  }

  private void draw(Svg svg, String name, String colour, Scale x, Scale y) {
    double lastX = Double.NaN;
    double lastY = Double.NaN;
    for (CellSummary cell : lines.get(name)) {
      Estimate of = of(cell);
      double across = x.at(cell.load().size());
      double up = y.at(of.mean());
      double low = y.at(Math.max(0, end(of.low(), of.mean())));
      double high = y.at(end(of.high(), of.mean()));
      svg.line(across, low, across, high, colour, 0.9);
      svg.line(across - CAP, low, across + CAP, low, colour, 0.9);
      svg.line(across - CAP, high, across + CAP, high, colour, 0.9);
      if (Double.isFinite(lastX)) {
        svg.line(lastX, lastY, across, up, colour, 0.9);
      }
      svg.dot(
          across,
          up,
          colour,
          Phrase.of(
              "%s, %s: %.4g [%.4g, %.4g] %s",
              name, cell.load().text(), of.mean(), of.low(), of.high(), metric.unit()));
      lastX = across;
      lastY = up;
    }
  }
}
