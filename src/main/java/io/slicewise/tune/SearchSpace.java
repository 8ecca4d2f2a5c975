package io.slicewise.tune;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.commons.math3.random.SobolSequenceGenerator;

/**
 * Generates candidates spread evenly over a space of knobs by a Sobol' sequence: the first n points
 * cover it better than random ones, and later ones fill the gaps.
 *
 * <p>Source: I. M. Sobol', <i>On the distribution of points in a cube</i>, USSR Computational
 * Mathematics and Mathematical Physics 7 (1967); computed by Apache Commons Math with the direction
 * numbers of S. Joe and F. Y. Kuo.
 */
public final class SearchSpace {
  /** Points examined per requested one before the space is considered exhausted. */
  private static final int PATIENCE = 100;

  private final List<SearchKnob> knobs;

  public SearchSpace(List<SearchKnob> knobs) {
    if (knobs.isEmpty()) {
      throw new IllegalArgumentException("a search space needs a knob");
    }
    this.knobs = List.copyOf(knobs);
  }

  /**
   * Points of the space.
   *
   * @param points valid and different, one value per knob
   * @param leftOut the reason of each invalid one
   */
  public record Candidates(List<List<Double>> points, List<String> leftOut) {
    public Candidates {
      points = List.copyOf(points);
      leftOut = List.copyOf(leftOut);
    }
  }

  /**
   * Returns the first points of the sequence, rounded to the steps of the knobs; fewer if the space
   * has no more.
   *
   * @param fault why a point is invalid; empty if it is valid
   */
  public Candidates candidates(int number, Function<List<Double>, Optional<String>> fault) {
    SobolSequenceGenerator sequence = new SobolSequenceGenerator(knobs.size());
    Set<List<Double>> seen = new LinkedHashSet<>();
    List<List<Double>> points = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    sequence.nextVector();
    for (int i = 0; i < PATIENCE * number && points.size() < number; i++) {
      List<Double> point = point(sequence.nextVector());
      if (seen.add(point)) {
        fault.apply(point).ifPresentOrElse(leftOut::add, () -> points.add(point));
      }
    }
    return new Candidates(points, leftOut);
  }

  private List<Double> point(double[] positions) {
    List<Double> point = new ArrayList<>();
    for (int knob = 0; knob < positions.length; knob++) {
      point.add(knobs.get(knob).at(positions[knob]));
    }
    return point;
  }

  /**
   * One dimension of the search space.
   *
   * @param name of domain and parameter, such as "Apache_Server weight"
   * @param steps the values it can take, ascending; for a weight powers of a common ratio, since
   *     only ratios of weights matter
   */
  public record SearchKnob(String name, List<Double> steps) {
    public SearchKnob {
      steps = List.copyOf(steps);
      if (steps.size() < 2 || !steps.equals(steps.stream().sorted().distinct().toList())) {
        throw new IllegalArgumentException(name + " needs two ascending steps or more: " + steps);
      }
    }

    /** Returns the step at a position from 0 (inclusive) to 1 (exclusive). */
    double at(double position) {
      return steps.get((int) (position * steps.size()));
    }
  }
}
