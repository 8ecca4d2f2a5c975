package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.jtl.Reduction;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.validity.Judgement;
import io.slicewise.validity.Physics;
import io.slicewise.validity.TrialFacts;
import io.slicewise.xen.HostDescription;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Hands a trial's facts to the rules of validity and keeps what they say. */
final class TrialRules {
  private TrialRules() {}

  /** The result with its reasons and warnings; {@code after} is what was read after the window. */
  static TrialResult judge(
      Experiment experiment,
      HostDescription host,
      Map<String, SchedulerParameters> after,
      TrialResult result) {
    TrialFacts facts =
        new TrialFacts(
            result.load().isPresent() ? result.trial().users() : 0,
            result.window(),
            result.load().map(load -> load(experiment, load)),
            result.monitor(),
            host.pcpus(),
            result.load().isPresent()
                ? Set.copyOf(experiment.domains().getOrDefault(Role.MAIN, List.of()))
                : Set.of(),
            result.generator(),
            new TrialFacts.Settings(result.applied(), result.applied(), after));
    Judgement judgement = Physics.judge(facts, experiment.limits());
    return new TrialResult(
        result.trial(),
        judgement.reasons(),
        Stream.concat(result.monitor().warnings().stream(), judgement.warnings().stream()).toList(),
        result.warmUp(),
        result.window(),
        result.applied(),
        result.load(),
        result.monitor(),
        result.generator(),
        result.stepSeconds());
  }

  private static TrialFacts.Load load(Experiment experiment, LoadResult load) {
    return new TrialFacts.Load(
        load.samples(),
        load.failed(),
        load.throughput(),
        load.meanMillis(),
        thinkMillis(experiment.workload().properties()),
        load.series().stream().map(Reduction.Second::samples).toList());
  }

  /** The plan's think time; {@code NaN} for an open load, to which Little's law does not apply. */
  private static double thinkMillis(Map<String, String> properties) {
    if (properties.containsKey("rate")) {
      return Double.NaN;
    }
    try {
      return Double.parseDouble(properties.getOrDefault("think-time", "0"));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
