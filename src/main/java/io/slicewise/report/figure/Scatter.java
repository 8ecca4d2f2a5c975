package io.slicewise.report.figure;

import java.util.List;
import java.util.Optional;

/** Points of two measures, in groups of one colour, with a line. */
final class Scatter {
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
        point -> svg.dot(x.at(point.x()), y.at(point.y()), Svg.colour(point.group()), point.tip()));
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
