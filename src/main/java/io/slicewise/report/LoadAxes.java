package io.slicewise.report;

import io.slicewise.experiment.Load;
import java.util.List;
import java.util.stream.Stream;

/**
 * What distinguishes loads besides users.
 *
 * @param neighbours whether the number of neighbours does
 * @param parts whether the part of the workload does
 */
record LoadAxes(boolean neighbours, boolean parts) {
  static LoadAxes of(Stream<Load> loads) {
    List<Load> all = loads.toList();
    return new LoadAxes(
        all.stream().anyMatch(load -> load.neighbours().isPresent()),
        all.stream().anyMatch(load -> load.part().isPresent()));
  }

  /** Returns the heading of a column with whole loads. */
  String heading() {
    return neighbours ? "users + neighbours" : parts ? "users + part" : "users";
  }
}
