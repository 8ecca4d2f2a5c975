package io.slicewise.experiment;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.experiment.Experiment.Order;
import io.slicewise.profile.SchedulerProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code design} of an experiment file. */
record DesignReader(Path file, YamlMap top) {
  static final String TRIALS = "trials";
  static final String SWITCHBACK = "switchback";
  static final String AUTO = "auto";
  private static final int MOST_SESSIONS = 1_000;
  private static final int FEWEST_PROFILES = 2;
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);
  private static final Duration LONGEST_WINDOW = Duration.ofHours(1);

  static final List<Option> OPTIONS =
      List.of(
          Option.needed(
              "kind",
              new OptionKind.Word(List.of(TRIALS, SWITCHBACK)),
              "trials: each profile with its own start; switchback: all profiles inside one running"
                  + " session, switched live"),
          Option.withDefault(
              "sessions",
              new OptionKind.Whole(1, MOST_SESSIONS),
              SwitchbackDesign.SESSIONS,
              "sessions of each load; workload, generator and monitor restart for each"),
          Option.withDefault(
              "blocks",
              new OptionKind.Whole(1, ExperimentReader.MOST_REPETITIONS),
              SwitchbackDesign.BLOCKS,
              "blocks of each session; a block has one window of every profile"),
          Option.withDefault(
              "window",
              new Quantity.Time(SHORTEST_WINDOW, LONGEST_WINDOW),
              DurationText.of(SwitchbackDesign.WINDOW),
              "the measured time of a profile before the next one is set"),
          Option.withDefault(
              "wash-out",
              new Quantity.TimeOr(AUTO),
              AUTO,
              "the time between a change of settings and its window; not measured"));

  /** What {@code design} already sets, by the key that would set it again. */
  private static final Map<String, String> SAID =
      Map.of(
          "repetitions", "its sessions and blocks",
          "measure", "its window",
          "stop", "its sessions and blocks");

  /**
   * Returns the design of sessions, if it is one.
   *
   * @param searched parameters that a tune searches
   * @param measure the window of a tune whose file has no design
   */
  Optional<SwitchbackDesign> read(
      List<SchedulerProfile> profiles, Set<String> searched, Order order, Duration measure) {
    if (top.has("tune") && !top.has("design")) {
      Duration window = top.has("measure") ? measure : SwitchbackDesign.WINDOW;
      return TuneDesign.of(profiles, searched, order, window);
    }
    Optional<YamlMap> map =
        top.get("design").flatMap(value -> value.map(Option.names(OPTIONS), " of design"));
    if (map.isEmpty()) {
      return Optional.empty();
    }
    Options design = new Options(Option.readAll(OPTIONS, map.get(), file, true));
    if (design.text("kind").equals(Optional.of(TRIALS))) {
      refuseKeysOfSwitchback(map.get());
    }
    if (!design.text("kind").equals(Optional.of(SWITCHBACK))) {
      return Optional.empty();
    }
    refuseWhatMakesNoSense(profiles, searched, order);
    return Optional.of(
        new SwitchbackDesign(
            design.integer("sessions"),
            design.integer("blocks"),
            design.time("window"),
            design.text("wash-out").filter(text -> !text.equals(AUTO)).map(DurationText::parse)));
  }

  private static void refuseKeysOfSwitchback(YamlMap map) {
    map.keys().stream()
        .filter(key -> !key.equals("kind"))
        .forEach(key -> map.fault(key, "%s of design needs 'kind: %s'".formatted(key, SWITCHBACK)));
  }

  private void refuseWhatMakesNoSense(
      List<SchedulerProfile> profiles, Set<String> searched, Order order) {
    SAID.keySet().stream()
        .sorted()
        .filter(top::has)
        .forEach(
            key ->
                top.fault(
                    key,
                    "%s has no meaning in a switchback design: use %s instead and remove it"
                        .formatted(key, SAID.get(key))));
    if (order != Order.BLOCKS) {
      top.fault(
          "order",
          "a switchback design compares profiles inside blocks, and 'order: %s' has no blocks"
              .formatted(order));
    }
    if (top.has("tune")) {
      TuneDesign.mixture(profiles, searched)
          .ifPresent(
              why -> top.fault("design", why + "; use 'design: {kind: trials}', or one of them"));
      return; // its search adds profiles
    }
    if (profiles.size() < FEWEST_PROFILES) {
      top.fault(
          "design",
          "a switchback design switches between profiles, and there is only one; add another, or"
              + " 'controls: [as-found-twice]'");
      return;
    }
    for (List<String> alone : SessionPlan.boots(profiles)) {
      if (alone.size() < FEWEST_PROFILES) {
        top.fault(
            "profiles",
            "profile %s cannot be switched to live: no other has its scheduler, and a session has"
                    .formatted(alone.get(0))
                + " one boot; add another of that scheduler, or use 'design: {kind: trials}'");
      }
    }
  }
}
