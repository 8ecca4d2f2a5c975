package io.slicewise.report.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A linear axis with round marks. */
public record Scale(double low, double high, double from, double to, double step) {
  private static final int MARKS = 5;

  /** Returns an axis that covers the values; never an empty one. */
  public static Scale of(double least, double most, double from, double to) {
    double span = most > least ? most - least : Math.max(1, Math.abs(most));
    double raw = span / MARKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
    double low = Math.floor(least / step) * step;
    double high = Math.ceil(Math.max(most, least + span) / step) * step;
    return new Scale(low, high, from, to, step);
  }

  public double at(double value) {
    return from + (value - low) / (high - low) * (to - from);
  }

  List<Double> marks() {
    List<Double> marks = new ArrayList<>();
    for (int i = 0; low + i * step <= high + step / 2; i++) {
      marks.add(low + i * step);
    }
    return marks;
  }

  String text(double mark) {
    int digits = step >= 1 ? 0 : (int) Math.ceil(-Math.log10(step));
    String text = String.format(Locale.ROOT, "%." + digits + "f", mark);
    return text.replace('-', '−');
  }

  /** The axes of figures. */
  public static final class Axes {
    private static final double LETTERS_APART = 2;

    private Axes() {}

    /** Draws an axis below a plot, with lines through the plot at each mark. */
    public static void below(Svg svg, Scale scale, double top, double bottom, String name) {
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
    public static void left(Svg svg, Scale scale, double left, double right, String name) {
      for (double mark : scale.marks()) {
        double y = scale.at(mark);
        svg.line(left, y, right, y, 0.15);
        svg.say(left - 5, y + 4, "end", scale.text(mark));
      }
      svg.line(left, scale.from(), left, scale.to(), 0.6);
      svg.say(0, scale.to() - 12, "start", Svg.cut(name, Svg.WIDTH));
    }
  }
}
