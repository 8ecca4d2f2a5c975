package io.slicewise.evidence.study;

import io.slicewise.evidence.study.PageFaults.Explained;
import io.slicewise.evidence.study.PageFaults.LatencyCost;
import java.util.List;
import java.util.Optional;

/**
 * How much longer each case takes in a guest than on the same machine without Xen, and where the
 * time goes. Empty lists where counters were not read.
 */
public record OverheadStudy(
    List<Slowdowns> slowdowns,
    List<TimeBreakdown> times,
    List<PageFaults> faults,
    List<ConnectionCost> connections,
    List<Explained> explained,
    Optional<LatencyCost> tool,
    List<DiskLayers> disks,
    List<SystemCalls> calls,
    List<ComputingControl> controls,
    List<ArmAgreement> agreements) {

  /**
   * Everything that the counters give.
   *
   * @param tool the cost of a fault by lmbench, if measured
   */
  public static OverheadStudy of(StudyData data, Optional<LatencyCost> tool) {
    return new OverheadStudy(
        Slowdowns.of(data),
        TimeBreakdown.of(data),
        PageFaults.of(data),
        ConnectionCost.of(data),
        PageFaults.explained(data, tool),
        tool,
        DiskLayers.of(data),
        SystemCalls.of(data),
        ComputingControl.of(data),
        ArmAgreement.of(data));
  }
}
