package io.slicewise.tune.course;

import io.slicewise.tune.ResponseSurface;
import io.slicewise.tune.course.CandidatePool.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fits the response surface to the measurements of a race. */
public record EffectSurface(RaceCourse course) {
  /** Returns the surface; empty without a search space or with too few points. */
  public Optional<ResponseSurface> fit() {
    List<List<Double>> points = new ArrayList<>();
    List<Double> effects = new ArrayList<>();
    double squares = 0;
    double freedom = 0;
    for (RaceCourse.Effect effect : course.effects()) {
      List<Double> point =
          course.pool().named(effect.name()).map(Candidate::point).orElse(List.of());
      if (!point.isEmpty() && Double.isFinite(effect.standardError())) {
        points.add(point);
        double natural = Math.log1p(effect.change());
        effects.add(course.metric().lowerIsBetter() ? -natural : natural);
        squares += effect.standardError() * effect.standardError();
        freedom += effect.observations() - 1;
      }
    }
    int knobs = course.pool().knobs().size();
    if (knobs == 0 || points.size() < ResponseSurface.leastPoints(knobs)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ResponseSurface.fit(
              points,
              effects.stream().mapToDouble(Double::doubleValue).toArray(),
              Math.max(1e-6, Math.sqrt(squares / points.size())),
              Math.max(1, freedom)));
    } catch (IllegalArgumentException flat) {
      return Optional.empty();
    }
  }
}
