package io.slicewise.report.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A linear axis with round marks. */
record Scale(double low, double high, double from, double to, double step) {
  private static final int MARKS = 5;

  /** Returns an axis that covers the values; never an empty one. */
  static Scale of(double least, double most, double from, double to) {
    double span = most > least ? most - least : Math.max(1, Math.abs(most));
    double raw = span / MARKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = power * (raw / power > 5 ? 10 : raw / power > 2 ? 5 : raw / power > 1 ? 2 : 1);
    double low = Math.floor(least / step) * step;
    double high = Math.ceil(Math.max(most, least + span) / step) * step;
    return new Scale(low, high, from, to, step);
  }

  double at(double value) {
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
}
