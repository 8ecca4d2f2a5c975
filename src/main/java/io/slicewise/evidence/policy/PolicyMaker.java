package io.slicewise.evidence.policy;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.policy.Levels.Level;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Environment;
import io.slicewise.run.HostIdentity;
import io.slicewise.run.LoadedRun;
import io.slicewise.stats.Effect.Change;
import io.slicewise.sweep.policy.LoadMetric;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.Policy.Band;
import io.slicewise.sweep.policy.Policy.Basis;
import io.slicewise.sweep.policy.Policy.Pace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes a policy from runs. Neighbouring loads share a band as long as one profile may be used at
 * all of them, so that a second band exists only where no single profile is without a better one:
 * from the lowest load on, each band reaches as far as it can, which gives the fewest bands. In a
 * band, the baseline is kept if it may be used; otherwise the profile with the largest mean gain.
 */
public final class PolicyMaker {
  private final List<RunEvidence> runs;
  private final LoadMetric metric;
  private final List<Group> groups = new ArrayList<>();

  /** Loads that share a profile. */
  private static final class Group {
    final List<Level> levels = new ArrayList<>();
    final Set<String> open = new LinkedHashSet<>();

    double low() {
      return levels.stream().mapToDouble(Level::low).min().orElseThrow();
    }

    double high() {
      return levels.stream().mapToDouble(Level::high).max().orElseThrow();
    }

    boolean takes(Level level) {
      return levels.isEmpty() || level.open().stream().anyMatch(open::contains);
    }

    void add(Level level) {
      if (levels.isEmpty()) {
        open.addAll(level.open());
      } else {
        open.retainAll(level.open());
      }
      levels.add(level);
    }
  }

  private PolicyMaker(List<RunEvidence> runs, LoadMetric metric) {
    this.runs = runs;
    this.metric = metric;
  }

  /**
   * Makes a policy.
   *
   * @param matters changes within this band are too small to matter
   * @throws SlicewiseException if the runs cannot be combined, or the metric does not distinguish
   *     loads that need different settings
   */
  public static Policy of(
      List<RunEvidence> runs, LoadMetric metric, io.slicewise.stats.Band matters) {
    PolicyMaker maker = new PolicyMaker(runs, metric);
    maker.refuse();
    maker.group(Levels.of(runs, metric, matters));
    return maker.policy();
  }

  /** Returns which differences these runs would have shown, in a sentence. */
  public static String findable(
      List<RunEvidence> runs, LoadMetric metric, io.slicewise.stats.Band matters) {
    return Levels.findable(runs, metric, matters).entrySet().stream()
        .map(
            level ->
                level.getValue().isNaN()
                    ? "none at " + level.getKey()
                    : Phrase.of("%.1f %% at %s", level.getValue(), level.getKey()))
        .collect(Collectors.joining(", ", "differences found with a probability of 80 %: ", ""));
  }

  private void refuse() {
    for (RunEvidence run : runs) {
      Levels.fault(run, Answers.of(run))
          .ifPresent(
              why -> {
                throw SlicewiseException.input(
                    "%s makes no policy: %s".formatted(run.run().name(), why),
                    "use sweeps over users or a rate, or a tune with 'loads: each'");
              });
    }
    Map<String, SchedulerProfile> known = new LinkedHashMap<>();
    for (RunEvidence run : runs) {
      for (SchedulerProfile profile : run.experiment().profiles()) {
        SchedulerProfile earlier = known.putIfAbsent(profile.name(), profile);
        if (earlier != null && !earlier.setsTheSameAs(profile)) {
          throw SlicewiseException.input(
              "profile %s sets other values in %s than in the runs before"
                  .formatted(profile.name(), run.run().name()),
              "rename one of them and measure again, or make a policy of one run");
        }
      }
    }
    Set<String> hosts = runs.stream().map(PolicyMaker::host).collect(Collectors.toSet());
    if (hosts.size() > 1) {
      throw SlicewiseException.input(
          "the runs are of different hosts: " + String.join("; ", hosts),
          "make a policy for each host");
    }
  }

  private static String host(RunEvidence run) {
    return hostName(run.run()).orElse("simulated");
  }

  private static Optional<String> hostName(LoadedRun run) {
    return run.origin().workedOnHost()
        ? run.environment().map(Environment::identity).map(HostIdentity::name)
        : Optional.empty();
  }

  private void group(List<Level> levels) {
    long distinct = levels.stream().map(Level::load).distinct().count();
    if (distinct < 2) {
      throw SlicewiseException.input(
          "the runs have valid trials at %d load%s; a policy needs two or more"
              .formatted(distinct, distinct == 1 ? "" : "s"),
          "sweep 'users' or 'rate', or add a run at another load");
    }
    for (Level level : levels) {
      Group last = groups.isEmpty() ? null : groups.get(groups.size() - 1);
      if (last == null || !last.takes(level)) {
        if (last != null && level.low() <= last.high()) {
          throw SlicewiseException.input(
              "%s does not distinguish %s (%s) from %s, which need different settings"
                  .formatted(
                      metric,
                      level.text(),
                      metric.range(level.low(), level.high()),
                      metric.range(last.low(), last.high())),
              "choose another load with --by, such as 'run share of DOMAIN'");
        }
        groups.add(new Group());
      }
      groups.get(groups.size() - 1).add(level);
    }
  }

  private Policy policy() {
    List<Band> bands = new ArrayList<>();
    double from = 0;
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      double to =
          i + 1 < groups.size()
              ? rounded((group.high() + groups.get(i + 1).low()) / 2)
              : Double.POSITIVE_INFINITY;
      String profile = choice(group);
      bands.add(
          new Band(
              from,
              to,
              rounded(group.low()),
              rounded(group.high()),
              profile,
              gain(group, profile)));
      from = to;
    }
    RunEvidence first = runs.get(0);
    return new Policy(
        first.experiment().name(),
        metric,
        new Basis(hostName(first.run()), runs.stream().map(run -> run.run().name()).toList()),
        Pace.DEFAULT,
        merged(bands),
        profiles(),
        fixed(),
        Optional.empty());
  }

  /** Joins neighbouring bands of one profile, as where the loads between them need another. */
  private static List<Band> merged(List<Band> bands) {
    List<Band> merged = new ArrayList<>();
    for (Band band : bands) {
      Band last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && last.profile().equals(band.profile())) {
        merged.set(
            merged.size() - 1,
            new Band(
                last.from(),
                band.to(),
                last.measuredFrom(),
                band.measuredTo(),
                band.profile(),
                band.gain()));
      } else {
        merged.add(band);
      }
    }
    return merged;
  }

  private static double rounded(double load) {
    return Math.round(load * 100) / 100.0;
  }

  private List<SchedulerProfile> profiles() {
    Map<String, SchedulerProfile> all = new LinkedHashMap<>();
    runs.forEach(
        run -> run.experiment().profiles().forEach(profile -> all.put(profile.name(), profile)));
    all.remove(SchedulerProfile.AS_FOUND.name());
    return List.copyOf(all.values());
  }

  private static String choice(Group group) {
    String baseline = group.levels.get(0).baseline();
    return group.open.contains(baseline)
        ? baseline
        : group.open.stream()
            .max(Comparator.comparingDouble(name -> meanGain(group, name)))
            .orElseThrow();
  }

  /**
   * Returns the best profile for all loads: of those that break no guard at any of them, the one
   * with the largest mean gain.
   */
  private String fixed() {
    Group all = new Group();
    groups.forEach(group -> all.levels.addAll(group.levels));
    Set<String> everywhere = new LinkedHashSet<>(all.levels.get(0).allowed());
    all.levels.forEach(level -> everywhere.retainAll(level.allowed()));
    return groups.size() == 1
        ? choice(groups.get(0))
        : everywhere.stream()
            .max(Comparator.comparingDouble(name -> meanGain(all, name)))
            .orElseThrow(
                () ->
                    SlicewiseException.input(
                        "no profile was measured in all of the runs without breaking a guard",
                        "measure the baseline of one run in the others, too"));
  }

  private static double meanGain(Group group, String profile) {
    return group.levels.stream()
        .map(level -> level.gains().get(profile))
        .mapToDouble(
            row ->
                row == null
                    ? 0
                    : (row.metric().moreIsBetter() ? 1 : -1) * row.means().effect().logRatio())
        .average()
        .orElse(0);
  }

  private static Optional<String> gain(Group group, String profile) {
    List<String> texts = new ArrayList<>();
    for (Level level : group.levels) {
      Comparison row = level.gains().get(profile);
      if (row != null && Double.isFinite(row.change().percent())) {
        Change change = row.change();
        texts.add(
            Phrase.of(
                "%s: %s %+.1f %% [%+.1f, %+.1f]",
                level.load().text(), row.metric(), change.percent(), change.low(), change.high()));
      }
    }
    return texts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "against %s (95 %% intervals), %s"
                .formatted(group.levels.get(0).baseline(), String.join("; ", texts)));
  }
}
