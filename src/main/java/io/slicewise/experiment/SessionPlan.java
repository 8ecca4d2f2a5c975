package io.slicewise.experiment;

import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Creates the windows of a switchback design in their order: rounds with one session of every load,
 * in random order of the loads. Each session consists of blocks ({@link BlockOrders}).
 *
 * <p>Profiles of different schedulers have separate sessions, since a session cannot span a reboot;
 * the settings found belong to the first scheduler.
 */
public final class SessionPlan {
  private final SessionDesign design;
  private final Random random;
  private final List<Trial> windows = new ArrayList<>();
  private final Map<Load, Integer> sessions = new HashMap<>();
  private final Map<Load, Integer> blocks = new HashMap<>();
  private final Map<Load, Map<String, Integer>> repetitions = new HashMap<>();

  private SessionPlan(Experiment experiment) {
    this.design = experiment.design().orElseThrow();
    this.random = new Random(experiment.seed());
  }

  public static List<Trial> of(Experiment experiment) {
    SessionPlan plan = new SessionPlan(experiment);
    for (int round = 0; round < plan.design.sessions(); round++) {
      List<Load> loads = new ArrayList<>(experiment.loads());
      Collections.shuffle(loads, plan.random);
      for (Load load : loads) {
        boots(experiment).forEach(profiles -> plan.addSession(load, profiles));
      }
    }
    return List.copyOf(plan.windows);
  }

  /**
   * Returns the profile names grouped by the boot that they need, in the order of the experiment.
   */
  public static List<List<String>> boots(Experiment experiment) {
    return boots(experiment.profiles());
  }

  public static List<List<String>> boots(List<SchedulerProfile> profiles) {
    Optional<Scheduler> first = profiles.stream().flatMap(one -> one.booted().stream()).findFirst();
    Map<Optional<Scheduler>, List<String>> boots = new LinkedHashMap<>();
    for (SchedulerProfile profile : profiles) {
      boots
          .computeIfAbsent(profile.booted().or(() -> first), any -> new ArrayList<>())
          .add(profile.name());
    }
    return boots.values().stream().map(List::copyOf).toList();
  }

  /** Returns the wash-out that the file names, else the least that {@code auto} can be. */
  public static Duration washOut(Experiment experiment) {
    return experiment
        .design()
        .flatMap(SessionDesign::washOut)
        .orElseGet(
            () ->
                experiment.profiles().stream()
                    .flatMap(profile -> experiment.settings(profile).values().stream())
                    .flatMap(parameters -> period(parameters).stream())
                    .reduce(SessionDesign.LEAST_WASH_OUT, SessionPlan::longer));
  }

  private static Optional<Duration> period(SchedulerParameters parameters) {
    return parameters.scheduler().share().map(share -> parameters.get(share.whole()));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private void addSession(Load load, List<String> profiles) {
    int session = sessions.merge(load, 1, Integer::sum);
    List<List<Integer>> orders = BlockOrders.of(profiles.size(), design.blocks(), random);
    for (int block = 1; block <= orders.size(); block++) {
      int ofLoad = blocks.merge(load, 1, Integer::sum);
      for (int position = 1; position <= profiles.size(); position++) {
        String profile = profiles.get(orders.get(block - 1).get(position - 1));
        int repetition =
            repetitions
                .computeIfAbsent(load, any -> new HashMap<>())
                .merge(profile, 1, Integer::sum);
        windows.add(
            new Trial(windows.size() + 1, ofLoad, profile, load, repetition)
                .at(new WindowPlace(session, block, position)));
      }
    }
  }
}
