package io.slicewise.report.figure;

import io.slicewise.base.units.Phrase;
import io.slicewise.stats.BoxSummary;
import java.util.List;

/** Lying box plots, one below the other. */
final class Boxes {
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
