package io.slicewise.evidence.study;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Counted;
import io.slicewise.observe.MachineCounters.ProbeTiming;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.run.UncountedLoad;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.stats.Mser5;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Trials whose counters a test chooses. */
public final class MadeTrials {
  private static final Instant NIGHT = Instant.parse("2026-11-20T21:00:00Z");
  private static final Window WINDOW = new Window(NIGHT, NIGHT.plusSeconds(30));

  private MadeTrials() {}

  /** The reads of one disk: their number, milliseconds each, and sectors each. */
  public static DiskCounters disk(double reads, double wait, double sectors) {
    return new DiskCounters(
        Map.of(
            DiskCounters.READS,
            reads,
            DiskCounters.READ_MILLIS,
            reads * wait,
            DiskCounters.SECTORS_READ,
            reads * sectors,
            DiskCounters.SECTORS_WRITTEN,
            0.0));
  }

  /** A machine with the time of its CPUs, faults, disks and backends. */
  public static MachineCounters machine(
      Tier tier,
      Map<String, Double> cpu,
      Map<String, Double> counts,
      Map<String, DiskCounters> disks,
      Map<String, DiskCounters> backends) {
    return new MachineCounters(
        tier,
        1,
        30,
        new Counted(cpu, counts, Map.of(), Map.of("MemTotal", 4e9), Map.of(), disks, backends),
        ProbeTiming.UNKNOWN,
        List.of(),
        false);
  }

  /** A valid trial of that rate; its labels have so many samples and milliseconds each. */
  public static TrialResult trial(
      int number,
      int block,
      String profile,
      Load load,
      double rate,
      Map<String, Double> labelMillis,
      int samples,
      Map<String, MachineCounters> machines) {
    List<LoadResult> labels =
        labelMillis.entrySet().stream()
            .map(label -> result(label.getKey(), samples, rate, label.getValue(), List.of()))
            .toList();
    return new TrialResult(
        new Trial(number, block, profile, load, block),
        new TrialTimes(WINDOW, WINDOW, Map.of()),
        TrialHost.of(4, Map.of()),
        TrialLoad.of(result("total", samples, rate, 1, labels)),
        List.of(
            new Observation(
                new Topic("machines", "Machines", "machine"),
                "proc",
                WINDOW,
                List.of(),
                List.of(),
                machines,
                List.of())));
  }

  private static LoadResult result(
      String label, int samples, double rate, double millis, List<LoadResult> labels) {
    return UncountedLoad.of(
        label,
        samples,
        0,
        Map.of(),
        rate,
        millis,
        millis / 10,
        millis,
        Double.NaN,
        Double.NaN,
        0,
        "",
        labels,
        List.of(),
        Mser5.of());
  }
}
