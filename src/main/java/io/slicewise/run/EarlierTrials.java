package io.slicewise.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.Dom0Counters;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.host.monitor.ProcUse;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.validity.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a {@code trial.json} of the format before there were observers, in which every component
 * was at the top and the hypervisor's shares and dom0's counters had a key each.
 */
final class EarlierTrials {
  private static final String GENERATOR = "local";
  private static final String SAMPLES = "samples.jtl.gz";

  private EarlierTrials() {}

  static boolean isOne(JsonNode record) {
    return record.has("window");
  }

  static TrialResult read(JsonNode record, ObjectMapper mapper) throws JsonProcessingException {
    return mapper.treeToValue(record, Flat.class).result();
  }

  /** The keys of that format; measures, dom0 and surroundings are missing from the oldest. */
  private record Flat(
      Trial trial,
      List<Finding> findings,
      List<String> remarks,
      Window warmUp,
      Window window,
      int pcpus,
      Map<String, SchedulerParameters> applied,
      Map<String, SchedulerParameters> after,
      Optional<LoadResult> load,
      MonitorResult monitor,
      Optional<GeneratorHealth> generator,
      List<Measure> measures,
      Optional<Dom0> dom0,
      Optional<Surroundings> surroundings,
      Map<String, Double> stepSeconds,
      double labLatenessMillis) {
    @SuppressWarnings("UnusedMethod") // Called by the JSON mapper.
    Flat {
      measures = measures == null ? List.of() : measures;
      dom0 = dom0 == null ? Optional.empty() : dom0;
      surroundings = surroundings == null ? Optional.empty() : surroundings;
    }

    TrialResult result() {
      // The monitor's warnings were also among the trial's remarks.
      List<String> own = new ArrayList<>(remarks);
      own.removeAll(monitor.warnings());
      List<Observation> observations = new ArrayList<>();
      observations.add(HypervisorShares.observation(monitor));
      dom0.ifPresent(seen -> observations.add(seen.observation(window)));
      return new TrialResult(
          trial,
          findings,
          own,
          new TrialTimes(warmUp, window, stepSeconds),
          new TrialHost(pcpus, applied, after, surroundings, labLatenessMillis, Double.NaN),
          new TrialLoad(load, generators(), measures),
          observations);
    }

    private List<GeneratorResult> generators() {
      return generator
          .map(health -> List.of(new GeneratorResult(GENERATOR, SAMPLES, health, 0)))
          .orElse(List.of());
    }
  }

  private record Dom0(
      double seconds,
      double busy,
      double stolen,
      double waitingForDisks,
      double loadAverage,
      Map<String, ProcUse.DiskUse> disks) {
    Observation observation(Window window) {
      Map<String, Double> shares = Map.of("user", busy, "steal", stolen, "iowait", waitingForDisks);
      ProcUse use = new ProcUse(seconds, shares, Map.of(), Map.of(), loadAverage, disks);
      return new Observation(
          Dom0Counters.TOPIC,
          "proc",
          window,
          List.of(Dom0Counters.sighting(use)),
          List.of(),
          List.of());
    }
  }
}
