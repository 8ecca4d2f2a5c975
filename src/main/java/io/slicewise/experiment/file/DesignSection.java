package io.slicewise.experiment.file;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.StudyHours;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.experiment.TuneDesign;
import io.slicewise.profile.SchedulerProfile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The key {@code design} of an experiment file. */
public record DesignSection(Path file, YamlMap top) {
  static final String TRIALS = "trials";
  static final String SWITCHBACK = SwitchbackDesign.KIND;
  static final String PAIRS = PairsDesign.KIND;
  static final String AUTO = "auto";
  static final String HOURS = "hours";
  static final String NOT_DURING = "not-during";
  private static final String NIGHTS = "nights";
  private static final int MOST_NIGHTS = 1_000;
  private static final int MOST_SPANS = 24;
  private static final int MOST_SESSIONS = 1_000;
  private static final int FEWEST_PROFILES = 2;
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);
  private static final Duration LONGEST_WINDOW = Duration.ofHours(1);

  public static final List<Option> OPTIONS =
      List.of(
          Option.needed(
              "kind",
              new OptionKind.Word(List.of(TRIALS, SWITCHBACK, PAIRS)),
              "trials: each profile with its own start; switchback: all profiles inside one running"
                  + " session, switched live; pairs: baseline and one candidate, in the order that a"
                  + " coin decides, until the answer is known"),
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
              "the measured time of a profile before the next one is set; of pairs, 10s by default"),
          Option.withDefault(
              "wash-out",
              new Quantity.TimeOr(AUTO),
              AUTO,
              "the time between a change of settings and its window; not measured"),
          Option.optional(
              "at-most",
              new OptionKind.Group(
                  List.of(
                      Option.withDefault(
                          "pairs",
                          new OptionKind.Whole(1, ExperimentReader.MOST_REPETITIONS),
                          PairsDesign.PAIRS,
                          "the most of each candidate"),
                      Option.withDefault(
                          "time",
                          Quantity.Time.ANY,
                          DurationText.of(PairsDesign.TIME),
                          "of a night, since it began; a pair that would end later does not begin"),
                      Option.optional(
                          NIGHTS,
                          new OptionKind.Whole(1, MOST_NIGHTS),
                          "in which 'run --continue' goes on with the study"))),
              "where pairs end without a decision"),
          Option.withDefault(
              "observe",
              new OptionKind.Flag(),
              false,
              "pairs of the baseline with itself: changes nothing, shows what pairs could find"),
          Option.optional(
              "harm",
              new OptionKind.Group(
                  List.of(
                      Option.optional(
                          "requests",
                          new OptionKind.Whole(1, Long.MAX_VALUE),
                          "the most of them in windows of candidates that look worse"),
                      Option.optional(
                          "time",
                          Quantity.Time.ANY,
                          "the most of it in windows of candidates that look worse"))),
              "what pairs may cost the users; at the bound the study ends with the baseline"),
          Option.optional(
              HOURS,
              new OptionKind.Many(new OptionKind.Text(), 1, MOST_SPANS),
              "parts of the day in which pairs may run, such as 22:00-06:00, by this machine's clock"),
          Option.optional(
              NOT_DURING,
              new OptionKind.Many(new OptionKind.Text(), 1, MOST_SPANS),
              "parts of the day in which they may not, such as that of a backup"));

  private static final List<String> OF_SWITCHBACK = List.of("sessions", "blocks");
  private static final List<String> OF_PAIRS =
      List.of("at-most", "observe", "harm", HOURS, NOT_DURING);

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
   * @param candidates profiles that are neither the baseline nor a control
   * @param loads number of loads
   */
  Optional<SessionDesign> read(
      List<SchedulerProfile> profiles,
      Set<String> searched,
      Order order,
      Duration measure,
      List<String> candidates,
      int loads) {
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
    String kind = design.text("kind").orElse("");
    if (kind.equals(TRIALS)) {
      refuseKeys(map.get(), OF_PAIRS, PAIRS);
      refuseKeys(
          map.get(),
          map.get().keys().stream().filter(key -> !OF_PAIRS.contains(key)).toList(),
          SWITCHBACK);
    }
    if (kind.equals(PAIRS)) {
      refuseKeys(map.get(), OF_SWITCHBACK, SWITCHBACK);
      return pairs(map.get(), design, profiles, order, candidates, loads);
    }
    if (!kind.equals(SWITCHBACK)) {
      return Optional.empty();
    }
    refuseKeys(map.get(), OF_PAIRS, PAIRS);
    refuseWhatMakesNoSense(profiles, searched, order);
    return Optional.of(
        new SwitchbackDesign(
            design.integer("sessions"),
            design.integer("blocks"),
            design.time("window"),
            washOut(design)));
  }

  private static Optional<Duration> washOut(Options design) {
    return design.text("wash-out").filter(text -> !text.equals(AUTO)).map(DurationText::parse);
  }

  private static void refuseKeys(YamlMap map, Collection<String> keys, String needed) {
    keys.stream()
        .filter(key -> !key.equals("kind") && map.has(key))
        .forEach(key -> map.fault(key, "%s of design needs 'kind: %s'".formatted(key, needed)));
  }

  /** Returns whether pairs of the baseline with itself are asked for. */
  static boolean observes(YamlMap top) {
    return top.get("design").map(YamlValue::plain).filter(Map.class::isInstance).stream()
        .anyMatch(map -> Boolean.TRUE.equals(((Map<?, ?>) map).get("observe")));
  }

  private Optional<SessionDesign> pairs(
      YamlMap map,
      Options design,
      List<SchedulerProfile> profiles,
      Order order,
      List<String> candidates,
      int loads) {
    refuseKeysSaidTwice("a design of pairs", "its pairs and window");
    Duration window = map.has("window") ? design.time("window") : PairsDesign.WINDOW;
    boolean observe = design.flag("observe");
    if (!order.equals(Order.BLOCKS)) {
      top.fault("order", "a coin decides the order of pairs; remove 'order: %s'".formatted(order));
    }
    if (top.has("tune")) {
      top.fault("tune", "pairs compare the profiles of the file; remove 'tune' or the design");
    }
    if (!top.has("goal")) {
      top.fault(
          "design", "pairs need a metric that decides, fixed beforehand; add 'goal: lowest mean'");
    }
    if (loads > 1) {
      top.fault("design", "pairs have one load, and the file has " + loads);
    }
    if (!observe && profiles.size() > candidates.size() + 1) {
      top.fault(
          "controls", "a design of pairs measures the baseline twice with 'observe: true' only");
    }
    if (!observe && candidates.isEmpty()) {
      top.fault(
          "profiles",
          "pairs compare the baseline with candidates, and there is only one profile; add another,"
              + " or 'observe: true' to the design");
    }
    if (candidates.size() > PairsDesign.MOST_CANDIDATES) {
      top.fault(
          "profiles",
          "%d candidates are too many for one study of pairs, which has at most %d"
              .formatted(candidates.size(), PairsDesign.MOST_CANDIDATES));
    }
    if (!observe && SessionPlan.boots(profiles).size() > 1) {
      top.fault("profiles", "pairs switch live, and the profiles need different schedulers");
    }
    Optional<Options> most = design.group("at-most");
    int pairs = most.map(bounds -> bounds.integer("pairs")).orElse(PairsDesign.PAIRS);
    Optional<Duration> washOut = washOut(design);
    Optional<Options> harm = design.group("harm");
    Optional<Duration> spent = harm.flatMap(budget -> budget.optionalTime("time"));
    spent
        .filter(time -> time.compareTo(PairsDesign.longest(window)) < 0)
        .ifPresent(
            time ->
                map.fault(
                    "harm",
                    "a budget of harm of %s is shorter than one window, which lasts up to %s"
                        .formatted(
                            DurationText.of(time), DurationText.of(PairsDesign.longest(window)))));
    return Optional.of(
        new PairsDesign(
            Math.multiplyExact(pairs, observe ? 1 : Math.max(1, candidates.size())),
            window,
            washOut,
            new PairsDesign.Bounds(
                pairs,
                most.map(bounds -> bounds.time("time")).orElse(PairsDesign.TIME),
                most.filter(bounds -> bounds.has(NIGHTS)).map(bounds -> bounds.integer(NIGHTS))),
            observe,
            new PairsDesign.Harm(
                harm.filter(budget -> budget.has("requests"))
                    .map(budget -> budget.whole("requests")),
                spent),
            hours(
                map,
                design,
                PairsDesign.longestPair(window, washOut.orElse(SessionDesign.LEAST_WASH_OUT)))));
  }

  /**
   * @param pair how long the longest one takes
   */
  private static StudyHours hours(YamlMap map, Options design, Duration pair) {
    StudyHours hours = new StudyHours(spans(map, design, HOURS), spans(map, design, NOT_DURING));
    if (!hours.fit(pair)) {
      map.fault(
          map.has(HOURS) ? HOURS : NOT_DURING,
          "no part of the day is left that is as long as a pair, which takes up to "
              + DurationText.of(pair));
    }
    return hours;
  }

  private static List<StudyHours.Span> spans(YamlMap map, Options design, String key) {
    List<StudyHours.Span> spans = new ArrayList<>();
    for (String text : design.many(key, String.class)) {
      try {
        spans.add(StudyHours.Span.parse(text));
      } catch (IllegalArgumentException unusable) {
        map.fault(key, "%s of design: %s".formatted(key, unusable.getMessage()));
      }
    }
    return spans;
  }

  private void refuseKeysSaidTwice(String where, String instead) {
    SAID.keySet().stream()
        .sorted()
        .filter(top::has)
        .forEach(
            key ->
                top.fault(
                    key,
                    "%s has no meaning in %s: use %s instead and remove it"
                        .formatted(key, where, instead.isEmpty() ? SAID.get(key) : instead)));
  }

  private void refuseWhatMakesNoSense(
      List<SchedulerProfile> profiles, Set<String> searched, Order order) {
    refuseKeysSaidTwice("a switchback design", "");
    if (!order.equals(Order.BLOCKS)) {
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

  static YamlWriter write(SessionDesign design) {
    YamlWriter written = new YamlWriter().put("kind", design.kind());
    if (design.pairs().isEmpty()) {
      written.put("sessions", design.sessions()).put("blocks", design.blocks());
    }
    written
        .put("window", design.window())
        .put("wash-out", design.washOut().map(DurationText::of).orElse(AUTO));
    design.pairs().ifPresent(study -> write(study, written));
    return written;
  }

  private static void write(PairsDesign pairs, YamlWriter into) {
    PairsDesign.Bounds most = pairs.most();
    PairsDesign.Harm harm = pairs.harm();
    into.put(
            "at-most",
            new YamlWriter()
                .put("pairs", most.pairs())
                .put("time", most.time())
                .put(NIGHTS, most.nights()))
        .put("observe", pairs.observe())
        .put("harm", new YamlWriter().put("requests", harm.requests()).put("time", harm.time()))
        .put(HOURS, pairs.hours().only())
        .put(NOT_DURING, pairs.hours().except());
  }
}
