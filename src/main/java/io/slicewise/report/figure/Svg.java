package io.slicewise.report.figure;

import io.slicewise.base.units.Phrase;
import io.slicewise.report.table.Html;
import java.util.List;
import java.util.Locale;

/** Builds a drawing. Text and lines have the colour of the text around it. */
public final class Svg {
  /** All drawings are as wide as a narrow screen, and are scaled up from there. */
  public static final double WIDTH = 380;

  /** Of the size of all text, an average letter's width. */
  static final double LETTER = 6.2;

  /** Colours that differ in lightness too, and are readable on light and dark ground. */
  static final List<String> COLOURS =
      List.of("#3b7dd8", "#e08a1e", "#b3476b", "#2f9e77", "#8a8f98", "#7b5ea7");

  private static final double SIZE = 11;

  private final StringBuilder text = new StringBuilder(4096);
  private final String title;
  private final double height;

  public Svg(String title, double height) {
    this.title = title;
    this.height = height;
  }

  public static String colour(int which) {
    return COLOURS.get(which % COLOURS.size());
  }

  /** Returns as many letters as fit. */
  static String cut(String words, double room) {
    int most = (int) Math.max(1, room / LETTER);
    return words.length() <= most ? words : words.substring(0, most - 1) + "…";
  }

  private Svg add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  Svg rect(double x, double y, double width, double height, String colour, String tip) {
    return add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%s</title>"
            + "</rect>",
        x, y, Math.max(0, width), height, colour, Html.escape(tip));
  }

  Svg frame(double x, double y, double width, double height, String colour, String tip) {
    return add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\""
            + " fill-opacity=\"0.35\" stroke=\"currentColor\"><title>%s</title></rect>",
        x, y, Math.max(1, width), height, colour, Html.escape(tip));
  }

  public Svg line(double x1, double y1, double x2, double y2, double opacity) {
    return line(x1, y1, x2, y2, "currentColor", opacity);
  }

  public Svg line(double x1, double y1, double x2, double y2, String colour, double opacity) {
    return add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
            + " stroke-opacity=\"%.2f\"/>",
        x1, y1, x2, y2, colour, opacity);
  }

  public Svg dot(double x, double y, String colour, String tip) {
    return add(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" fill-opacity=\"0.85\"><title>%s"
            + "</title></circle>",
        x, y, colour, Html.escape(tip));
  }

  /**
   * Adds text.
   *
   * @param anchor start, middle or end
   */
  public Svg say(double x, double y, String anchor, String words) {
    return add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"currentColor\">%s</text>",
        x, y, anchor, Html.escape(words));
  }

  /** Adds a row of keys, and returns its height. */
  public double legend(List<String> names) {
    double x = 0;
    double y = SIZE;
    for (int i = 0; i < names.size(); i++) {
      double width = 22 + names.get(i).length() * LETTER;
      if (x + width > WIDTH) {
        x = 0;
        y += SIZE + 5;
      }
      rect(x, y - SIZE + 2, SIZE - 1, SIZE - 1, colour(i), names.get(i));
      say(x + SIZE + 3, y, "start", names.get(i));
      x += width;
    }
    return y + 8;
  }

  @Override
  public String toString() {
    return Phrase.of(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\""
                + " font-family=\"system-ui, sans-serif\" font-size=\"%.0f\" color=\"#15202b\">%n"
                + "<title>%s</title>%n",
            WIDTH, height, SIZE, Html.escape(title))
        + text
        + "</svg>\n";
  }
}
