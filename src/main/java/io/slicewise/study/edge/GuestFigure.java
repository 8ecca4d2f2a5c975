package io.slicewise.study.edge;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.report.figure.Figure;
import io.slicewise.report.figure.Scale;
import io.slicewise.report.figure.Scale.Axes;
import io.slicewise.report.figure.Svg;
import io.slicewise.study.edge.ConsolidationStudy.Row;
import java.util.List;
import java.util.stream.DoubleStream;

/** The metric of the worst guest by the number of guests, one curve for each profile. */
public final class GuestFigure {
  private static final double LEFT = 44;
  private static final double RIGHT = Svg.WIDTH - 14;
  private static final double PLOT = 210;
  private static final double FOOT = 36;

  /**
   * Of its limit, the largest value that is drawn: what is far beyond it would flatten the rest.
   */
  private static final double MOST = 3;

  private final Svg svg;
  private final Scale across;
  private final Scale up;

  private GuestFigure(Svg svg, Scale across, Scale up) {
    this.svg = svg;
    this.across = across;
    this.up = up;
  }

  /** Returns the figure; without a drawing if nothing was measured. */
  public static Figure of(ConsolidationStudy study) {
    String title = "Worst guest by number of guests";
    List<Row> rows =
        study.levels().stream().filter(row -> Double.isFinite(row.metric().get(1))).toList();
    if (rows.stream().map(row -> row.worst().goal().metric()).distinct().count() != 1) {
      return new Figure(
          "guests",
          title,
          rows.isEmpty()
              ? "Nothing was measured."
              : "Goals in several metrics have no common scale.",
          "");
    }
    return new Figure(
        "guests",
        title,
        "Dots with bars: the metric of the worst guest with its 95 % interval; what is at the upper"
            + " edge is beyond it. "
            + (study.predictions().isEmpty()
                ? ""
                : "Thin lines: the metric by mean-value analysis from the smallest number of guests"
                    + " alone. ")
            + "Horizontal line: the limit.",
        draw(title, study, rows));
  }

  private static String draw(String title, ConsolidationStudy study, List<Row> rows) {
    List<String> profiles = rows.stream().map(Row::profile).distinct().toList();
    List<String> keys = profiles.size() > 1 ? profiles : List.of();
    double top = new Svg("", 0).legend(keys) + 22;
    double bottom = top + PLOT;
    Svg svg = new Svg(title, bottom + FOOT);
    svg.legend(keys);
    double limit = rows.stream().mapToDouble(GuestFigure::limit).max().orElse(1);
    double most =
        rows.stream()
            .flatMapToDouble(
                row -> DoubleStream.of(row.metric().get(2), row.metric().get(1), limit))
            .filter(Double::isFinite)
            .max()
            .orElse(limit);
    int guests =
        Math.max(
            rows.stream().mapToInt(Row::guests).max().orElse(1),
            study.predictions().values().stream().mapToInt(List::size).max().orElse(1));
    Scale across = Scale.of(0, guests, LEFT, RIGHT);
    Scale up = Scale.of(0, Math.min(most, MOST * limit), bottom, top);
    GuestFigure figure = new GuestFigure(svg, across, up);
    Axes.below(svg, across, top, bottom, "guests that are loaded");
    String metric = rows.get(0).worst().goal().metric();
    Axes.left(
        svg,
        up,
        LEFT,
        RIGHT,
        metric + (rows.get(0).worst().goal().lowest() ? " in ms" : " of a guest, /s"));
    rows.stream()
        .mapToDouble(GuestFigure::limit)
        .distinct()
        .forEach(
            value -> {
              svg.line(LEFT, up.at(value), RIGHT, up.at(value), "#c0392b", 0.9);
              svg.say(
                  RIGHT,
                  up.at(value) - 4,
                  "end",
                  Phrase.of(value >= 10 ? "limit %.0f" : "limit %.2f", value));
            });
    for (String profile : profiles) {
      String colour = Svg.colour(profiles.indexOf(profile));
      figure.predicted(study.predictions().getOrDefault(profile, List.of()), colour);
      figure.measured(rows.stream().filter(row -> row.profile().equals(profile)).toList(), colour);
    }
    return svg.toString();
  }

  private static double limit(Row row) {
    return row.worst().goal().limit().orElseThrow();
  }

  private void measured(List<Row> rows, String colour) {
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      double x = across.at(row.guests());
      if (i > 0) {
        Row before = rows.get(i - 1);
        svg.line(
            across.at(before.guests()),
            y(before.metric().get(1)),
            x,
            y(row.metric().get(1)),
            colour,
            0.9);
      }
      if (Double.isFinite(row.metric().get(0))) {
        svg.line(x, y(row.metric().get(0)), x, y(row.metric().get(2)), colour, 1);
        for (double end : new double[] {row.metric().get(0), row.metric().get(2)}) {
          svg.line(x - 4, y(end), x + 4, y(end), colour, 1);
        }
      }
      svg.dot(
          x,
          y(row.metric().get(1)),
          colour,
          Phrase.of(
              "%s, %s: %s of %s %.4g",
              row.profile(),
              Plural.of(row.guests(), "guest"),
              row.worst().goal().metric(),
              row.tile(),
              row.metric().get(1)));
    }
  }

  private void predicted(List<Double> values, String colour) {
    for (int i = 1; i < values.size(); i++) {
      if (values.get(i) <= up.high() && values.get(i - 1) <= up.high()) {
        svg.line(
            across.at(i), y(values.get(i - 1)), across.at(i + 1.0), y(values.get(i)), colour, 0.45);
      }
    }
  }

  /** Values beyond the plot are drawn at its edge. */
  private double y(double value) {
    return up.at(Math.min(up.high(), value));
  }
}
