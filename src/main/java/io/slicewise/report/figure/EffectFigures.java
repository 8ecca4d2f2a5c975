package io.slicewise.report.figure;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.effects.FactorEffect;
import io.slicewise.evidence.effects.FactorEffect.Grade;
import io.slicewise.evidence.effects.FactorEffects;
import io.slicewise.evidence.effects.FactorEffects.LevelMeans;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.figure.Scale.Axes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** The figures of factors: all effects with their intervals, and how two factors work together. */
public final class EffectFigures {
  private static final double ROW = 30;
  private static final double LEFT = 12;
  private static final double RIGHT = Svg.WIDTH - 14;
  private static final double FOOT = 36;
  private static final double CAP = 4;
  private static final double PLOT = 180;
  private static final double AXIS = 52;
  private static final int LETTERS = 58;

  private EffectFigures() {}

  /**
   * Returns a figure of the effects at each load, and one of each pair that is shown to interact.
   */
  public static List<Figure> of(FactorEffects effects) {
    List<Figure> figures = new ArrayList<>();
    List<Load> loads = effects.primaries().stream().map(FactorEffect::load).distinct().toList();
    for (Load load : loads) {
      List<FactorEffect> its =
          effects.primaries().stream()
              .filter(effect -> effect.load().equals(load))
              .filter(effect -> Double.isFinite(effect.percent()))
              .toList();
      figures.add(forest(effects, load, its));
    }
    effects
        .interacting()
        .forEach(
            means ->
                figures.add(
                    interaction(means, effects.primary().key() + ", " + effects.primary().unit())));
    return figures;
  }

  private static Figure forest(FactorEffects effects, Load load, List<FactorEffect> its) {
    String title = "Effects on %s%s".formatted(effects.primary().key(), load.at());
    double bottom = 6 + its.size() * ROW;
    Svg svg = new Svg(title, bottom + FOOT);
    Scale scale =
        Scale.of(
            Math.min(0, values(its).min().orElse(0)),
            Math.max(0, values(its).max().orElse(0)),
            LEFT,
            RIGHT);
    boolean certain = its.stream().anyMatch(one -> Double.isFinite(one.low()));
    Axes.below(
        svg,
        scale,
        4,
        bottom,
        "change in percent, " + (certain ? "with" : "without") + " 95 % intervals");
    svg.line(scale.at(0), 4, scale.at(0), bottom, 0.8);
    for (int row = 0; row < its.size(); row++) {
      effect(svg, scale, its.get(row), 6 + row * ROW);
    }
    return new Figure(
        "effects-" + load.mark(),
        title,
        (certain
                ? "Blue: shown, adjusted for all effects together. "
                : "None is shown, since none has an interval. ")
            + "An interaction is by how much more one"
            + " factor changes the metric under the other's level.",
        svg.toString());
  }

  private static DoubleStream values(List<FactorEffect> its) {
    return its.stream()
        .flatMapToDouble(one -> DoubleStream.of(one.percent(), one.low(), one.high()))
        .filter(Double::isFinite);
  }

  private static void effect(Svg svg, Scale scale, FactorEffect one, double top) {
    String colour = Svg.colour(one.grade() == Grade.SHOWN ? 0 : 4);
    double y = top + ROW - 8;
    svg.say(LEFT, top + 12, "start", cut(one.name().text().replace("->", "→")));
    if (Double.isFinite(one.low())) {
      svg.line(scale.at(one.low()), y, scale.at(one.high()), y, colour, 1);
      for (double end : new double[] {one.low(), one.high()}) {
        svg.line(scale.at(end), y - CAP, scale.at(end), y + CAP, colour, 1);
      }
    }
    svg.dot(
        scale.at(one.percent()),
        y,
        colour,
        Phrase.of("%s: %+.1f %%", one.name().text(), one.percent())
            + (Double.isFinite(one.low())
                ? Phrase.of(" [%+.1f, %+.1f]", one.low(), one.high())
                : "")
            + ", "
            + one.grade().words());
  }

  private static String cut(String words) {
    return words.length() <= LETTERS ? words : words.substring(0, LETTERS - 1) + "…";
  }

  private static Figure interaction(LevelMeans means, String unit) {
    String title = "%s under each %s%s".formatted(means.first(), means.second(), means.load().at());
    List<String> keys =
        means.secondLevels().stream().map(level -> means.second() + " " + level).toList();
    double top = 40;
    Svg svg = new Svg(title, top + PLOT + FOOT + 10);
    double head = svg.legend(keys) + 16;
    double bottom = top + PLOT;
    DoubleStream all = means.means().stream().flatMap(List::stream).mapToDouble(x -> x);
    Scale scale = Scale.of(0, all.max().orElse(1), bottom, head + 8);
    Axes.left(svg, scale, AXIS, RIGHT, unit);
    int levels = means.firstLevels().size();
    double step = (RIGHT - AXIS) / levels;
    for (int level = 0; level < levels; level++) {
      double x = AXIS + (level + 0.5) * step;
      svg.say(x, bottom + 14, "middle", Svg.cut(means.firstLevels().get(level), step));
      for (int line = 0; line < keys.size(); line++) {
        double y = scale.at(means.means().get(level).get(line));
        svg.dot(
            x,
            y,
            Svg.colour(line),
            Phrase.of(
                "%s %s, %s: %.4g",
                means.first(),
                means.firstLevels().get(level),
                keys.get(line),
                means.means().get(level).get(line)));
        if (level > 0) {
          double before = scale.at(means.means().get(level - 1).get(line));
          svg.line(x - step, before, x, y, Svg.colour(line), 0.9);
        }
      }
    }
    svg.say((AXIS + RIGHT) / 2, bottom + 30, "middle", means.first());
    return new Figure(
        "interaction-%s-%s-%s".formatted(means.load().mark(), means.first(), means.second()),
        title,
        "Geometric means of the cells with both levels. Parallel lines would be no interaction.",
        svg.toString());
  }
}
