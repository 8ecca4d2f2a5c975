package io.slicewise.report.figure;

import io.slicewise.base.units.Phrase;
import java.util.List;

/** Stacked lying bars, one below the other. */
final class Bars {
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
