package io.slicewise.tune;

import java.util.List;

/**
 * One block of results: an independent trial is a block of one.
 *
 * @param session number of the session, from 0; results of one session share its start effect
 * @param candidates each at most once
 * @param values positive, in the metric's unit, in the order of the candidates
 */
public record Block(int session, List<Integer> candidates, List<Double> values) {
  public Block {
    candidates = List.copyOf(candidates);
    values = List.copyOf(values);
    if (candidates.size() != values.size()
        || candidates.stream().distinct().count() != candidates.size()) {
      throw new IllegalArgumentException("each candidate of a block has one value");
    }
    if (values.stream().anyMatch(value -> !(value > 0 && Double.isFinite(value)))) {
      throw new IllegalArgumentException("a ratio needs positive observations: " + values);
    }
  }
}
