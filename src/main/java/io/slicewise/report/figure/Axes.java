package io.slicewise.report.figure;

/** The axes of figures. */
final class Axes {
  private static final double LETTERS_APART = 2;

  private Axes() {}

  /** Draws an axis below a plot, with lines through the plot at each mark. */
  static void below(Svg svg, Scale scale, double top, double bottom, String name) {
    double last = Double.NEGATIVE_INFINITY;
    for (double mark : scale.marks()) {
      double x = scale.at(mark);
      svg.line(x, top, x, bottom, 0.15);
      double half = scale.text(mark).length() * Svg.LETTER / 2;
      if (x - half > last + LETTERS_APART * Svg.LETTER && x + half <= Svg.WIDTH) {
        svg.say(x, bottom + 13, "middle", scale.text(mark));
        last = x + half;
      }
    }
    svg.line(scale.from(), bottom, scale.to(), bottom, 0.6);
    double room = (scale.from() + scale.to()) / 2;
    svg.say(Math.max(room, Svg.WIDTH / 2), bottom + 29, "middle", Svg.cut(name, Svg.WIDTH));
  }

  /** Draws an axis at the left of a plot; its name is above it. */
  static void left(Svg svg, Scale scale, double left, double right, String name) {
    for (double mark : scale.marks()) {
      double y = scale.at(mark);
      svg.line(left, y, right, y, 0.15);
      svg.say(left - 5, y + 4, "end", scale.text(mark));
    }
    svg.line(left, scale.from(), left, scale.to(), 0.6);
    svg.say(0, scale.to() - 12, "start", Svg.cut(name, Svg.WIDTH));
  }
}
