package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.BoxSummary;
import java.util.ArrayList;
import java.util.List;

/** How one metric of a cell's trials is spread. */
public record CellBox(String profile, Load load, Metric metric, BoxSummary box) {
  /** Every cell and metric with at least one known value, by load, then profile, then metric. */
  public static List<CellBox> of(Experiment experiment, List<TrialResult> results) {
    List<CellBox> boxes = new ArrayList<>();
    for (CellTrials cell : CellTrials.of(experiment, results)) {
      for (Metric metric : Metric.values()) {
        double[] values = cell.values(metric);
        if (values.length > 0) {
          boxes.add(new CellBox(cell.profile(), cell.load(), metric, BoxSummary.of(values)));
        }
      }
    }
    return List.copyOf(boxes);
  }
}
