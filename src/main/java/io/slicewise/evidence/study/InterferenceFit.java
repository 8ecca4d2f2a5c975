package io.slicewise.evidence.study;

import io.slicewise.evidence.study.InterferenceRow.InterferenceMeasure;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * The regression of the drop of a guest's rate on a measure of interference: drop = a + b x. As x
 * has an error of its own, b is biased towards 0. Most of the pooled R² is the difference between
 * the numbers of neighbours; the one within is of the deviations from each number's means.
 *
 * @param slope estimated in each block, with its interval over blocks
 * @param points what is fitted
 */
public record InterferenceFit(
    String place,
    InterferenceMeasure measure,
    Estimate slope,
    double intercept,
    double pooled,
    double within,
    int n,
    List<Point> points) {
  public InterferenceFit {
    points = List.copyOf(points);
  }

  /**
   * A trial with neighbours.
   *
   * @param x the measure
   * @param drop of the rate, in percent
   */
  public record Point(int neighbours, int block, double x, double drop) {}

  private static final double CONFIDENCE = 0.95;
  private static final int FEWEST = 3;
  private static final List<InterferenceMeasure> MEASURES =
      List.of(
          InterferenceMeasure.LOSS,
          InterferenceMeasure.EXT,
          InterferenceMeasure.RPS,
          InterferenceMeasure.ARW,
          InterferenceMeasure.OTHERS);

  /**
   * The fits of all measures that are known, over all numbers of neighbours.
   *
   * @param levels by neighbours, then block
   */
  static List<InterferenceFit> of(
      String place, Map<Integer, Map<Integer, InterferenceStudy>> levels) {
    List<InterferenceFit> fits = new ArrayList<>();
    for (InterferenceMeasure measure : MEASURES) {
      List<double[]> points = new ArrayList<>();
      List<double[]> deviations = new ArrayList<>();
      levels.forEach(
          (neighbours, blocks) -> {
            List<double[]> level = points(measure, blocks);
            points.addAll(level);
            deviations.addAll(centred(level));
          });
      if (points.size() >= FEWEST && levels.size() > 1) {
        SimpleRegression pooled = regression(points);
        double[] slopes = slopes(measure, levels);
        fits.add(
            new InterferenceFit(
                place,
                measure,
                StudentInterval.of(CONFIDENCE, slopes),
                pooled.getIntercept(),
                pooled.getRSquare(),
                regression(deviations).getRSquare(),
                points.size(),
                shown(measure, levels)));
      }
    }
    return fits.stream().filter(fit -> Double.isFinite(fit.pooled())).toList();
  }

  private static List<double[]> points(
      InterferenceMeasure measure, Map<Integer, InterferenceStudy> blocks) {
    return blocks.values().stream()
        .map(study -> new double[] {measure.of(study), InterferenceMeasure.DROP.of(study)})
        .filter(point -> Double.isFinite(point[0]) && Double.isFinite(point[1]))
        .toList();
  }

  private static List<Point> shown(
      InterferenceMeasure measure, Map<Integer, Map<Integer, InterferenceStudy>> levels) {
    List<Point> shown = new ArrayList<>();
    levels.forEach(
        (neighbours, blocks) ->
            blocks.forEach(
                (block, study) ->
                    points(measure, Map.of(block, study))
                        .forEach(
                            point -> shown.add(new Point(neighbours, block, point[0], point[1])))));
    return shown;
  }

  private static List<double[]> centred(List<double[]> level) {
    double x = level.stream().mapToDouble(point -> point[0]).average().orElse(0);
    double y = level.stream().mapToDouble(point -> point[1]).average().orElse(0);
    return level.stream().map(point -> new double[] {point[0] - x, point[1] - y}).toList();
  }

  /** The slope of each block with at least two numbers of neighbours. */
  private static double[] slopes(
      InterferenceMeasure measure, Map<Integer, Map<Integer, InterferenceStudy>> levels) {
    return levels.values().stream()
        .flatMap(blocks -> blocks.keySet().stream())
        .distinct()
        .mapToDouble(
            block -> {
              List<double[]> own = new ArrayList<>();
              levels
                  .values()
                  .forEach(
                      blocks -> {
                        if (blocks.containsKey(block)) {
                          own.addAll(points(measure, Map.of(block, blocks.get(block))));
                        }
                      });
              return regression(own).getSlope();
            })
        .filter(Double::isFinite)
        .toArray();
  }

  private static SimpleRegression regression(List<double[]> points) {
    SimpleRegression regression = new SimpleRegression();
    points.forEach(point -> regression.addData(point[0], point[1]));
    return regression;
  }
}
