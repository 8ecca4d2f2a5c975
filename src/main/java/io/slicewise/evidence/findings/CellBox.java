package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.table.BoxSummary;
import java.util.ArrayList;
import java.util.List;

/** The spread of a metric over a cell's trials. */
public record CellBox(String profile, Load load, Metric metric, BoxSummary box) {
  /** Returns every cell and metric with a known value, by load, profile and metric. */
  public static List<CellBox> of(Experiment experiment, List<TrialResult> results) {
    List<CellBox> boxes = new ArrayList<>();
    for (CellTrials cell : CellTrials.of(experiment, results)) {
      for (Metric metric : Metric.of(experiment)) {
        double[] values = cell.observed(metric);
        if (values.length > 0) {
          boxes.add(new CellBox(cell.profile(), cell.load(), metric, BoxSummary.of(values)));
        }
      }
    }
    return List.copyOf(boxes);
  }
}
