package io.slicewise.tune.course;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.goal.SearchRange;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.PoolWide;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.Scope;
import io.slicewise.profile.SettingFaults;
import io.slicewise.profile.TimeLimit;
import io.slicewise.profile.TimeShare;
import io.slicewise.tune.SearchSpace.SearchKnob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The search space of a tune on one host: knobs from the ranges in the file and the host's
 * scheduler, and the settings of each point. Settings outside the search stay as found.
 */
public final class KnobSpace {
  private static final int STEPS_PER_DOUBLING = 2;
  private static final int CAP_STEP = 10;
  private static final double MILLI = 1e6;

  /**
   * A dimension of the space.
   *
   * @param domain the name of its target
   * @param percent the limit whose quota the values give in percent of its period
   * @param choices the values of a parameter without numbers, such as sets of pCPUs: a step is the
   *     place of one, from 1
   */
  private record Knob(
      String domain,
      String key,
      Parameter<?> parameter,
      Optional<TimeLimit> percent,
      SearchKnob steps,
      double unlimited,
      List<String> choices) {
    /** Returns whether its highest step stands for no limit, which is 0 for the host. */
    boolean isCap() {
      return percent.isPresent() || KnobSpace.isCap(parameter);
    }

    /** Returns the place of settings on this axis; empty if they have none. */
    OptionalDouble place(SchedulerParameters now) {
      if (!choices.isEmpty()) {
        return OptionalDouble.of(1 + choices.indexOf(now.get(parameter)));
      }
      return percent.isPresent()
          ? OptionalDouble.of(100 * percent.get().share(now).orElse(0))
          : now.optionalNumber(parameter);
    }
  }

  private final List<Knob> knobs = new ArrayList<>();
  private final Map<String, SchedulerParameters> found;
  private final Map<String, Integer> vcpus;
  private final int pcpus;

  /**
   * Creates the space of a search.
   *
   * @param found settings by domain
   * @param vcpus by domain
   * @throws SlicewiseException if the host lacks a domain or its scheduler a knob of the search
   */
  public KnobSpace(
      Map<String, Map<String, List<String>>> search,
      Map<String, SchedulerParameters> found,
      Map<String, Integer> vcpus,
      int pcpus) {
    this.found = Map.copyOf(found);
    this.vcpus = Map.copyOf(vcpus);
    this.pcpus = pcpus;
    search.forEach(
        (domain, ranges) ->
            ranges.forEach(
                (key, texts) -> knobs.add(knob(Tuning.target(domain, key), key, texts))));
    // A quota in percent of its period follows the period, which may be searched, too.
    knobs.sort(Comparator.comparing(knob -> knob.percent().isPresent()));
  }

  private static List<SearchRange> ranges(List<String> texts) {
    return texts.stream().map(SearchRange::parse).toList();
  }

  private Knob knob(String domain, String key, List<String> texts) {
    SchedulerParameters now = found.get(domain);
    if (now == null) {
      throw fault(
          "search of tune: the host has no domain %s".formatted(domain),
          "it has " + String.join(", ", new TreeSet<>(found.keySet())));
    }
    Scheduler scheduler = now.scheduler();
    Optional<TimeLimit> percent =
        scheduler.limits().stream()
            .filter(limit -> limit.percent().equals(Optional.of(key)))
            .findFirst();
    Parameter<?> parameter =
        percent
            .<Parameter<?>>map(TimeLimit::quota)
            .or(() -> named(scheduler, key))
            .orElseThrow(
                () ->
                    fault(
                        "search of tune: %s of %s is not a parameter of %s, the scheduler that the host runs"
                            .formatted(key, domain, scheduler),
                        "search %s, or boot the host into a scheduler that has %s"
                            .formatted(String.join(" or ", scheduler.keys()), key)));
    String name = Scope.name(domain) + " " + key;
    refuseWithoutNumbers(name, parameter, now);
    double unlimited =
        100.0
            * percent
                .map(limit -> limit.most(pcpus))
                .orElseGet(() -> vcpus.getOrDefault(Scope.name(domain), 1));
    if (parameter.kind().type() == String.class) {
      List<String> choices = choices(name, parameter, texts);
      List<Double> places =
          IntStream.rangeClosed(1, choices.size()).mapToObj(place -> (double) place).toList();
      return new Knob(
          domain, key, parameter, percent, new SearchKnob(name, places), unlimited, choices);
    }
    boolean cap = percent.isPresent() || isCap(parameter);
    SearchKnob steps = steps(name, parameter, ranges(texts), cap, unlimited);
    return new Knob(domain, key, parameter, percent, steps, unlimited, List.of());
  }

  private static Optional<Parameter<?>> named(Scheduler scheduler, String key) {
    return scheduler.parameters().stream()
        .<Parameter<?>>map(one -> one)
        .filter(one -> one.key().equals(key))
        .findFirst();
  }

  private static void refuseWithoutNumbers(
      String name, Parameter<?> parameter, SchedulerParameters now) {
    if (parameter.kind().type() == Boolean.class) {
      throw fault(
          "search of tune: %s is true or false, which a search cannot vary".formatted(name),
          "list a profile for each of them");
    }
    if (parameter.equals(Fair.SHARES) && now.get(Fair.IDLE)) {
      throw fault(
          "search of tune: %s has no effect, because the group is of the idle class"
              .formatted(name),
          "write 0 into its cpu.idle, or search another parameter");
    }
  }

  private static List<String> choices(String name, Parameter<?> parameter, List<String> texts) {
    List<String> choices =
        texts.stream()
            .flatMap(text -> parameter.kind().choice(text).stream())
            .map(String.class::cast)
            .distinct()
            .toList();
    if (choices.size() < 2) {
      throw fault(
          "search of tune: %s has nothing to choose from".formatted(name),
          "list two values or more, as in ['0', 0-1]");
    }
    return choices;
  }

  private static SlicewiseException fault(String sentence, String hint) {
    return new SlicewiseException(ErrorKind.NOT_READY, sentence, hint);
  }

  private static SearchKnob steps(
      String name,
      Parameter<?> parameter,
      List<SearchRange> ranges,
      boolean cap,
      double unlimited) {
    TreeSet<Double> steps = new TreeSet<>();
    for (SearchRange range : ranges) {
      if (range.isOne()) {
        steps.add(cap && range.low() == 0 ? unlimited : range.low());
      } else if (cap) {
        IntStream.iterate((int) range.low(), at -> at <= range.high(), at -> at + CAP_STEP)
            .forEach(at -> steps.add(at == 0 ? unlimited : (double) at));
      } else if (range.low() > 0) {
        steps.addAll(doublings(range, parameter.kind().step()));
      }
    }
    steps.remove(0.0);
    if (steps.size() < 2) {
      throw fault(
          "search of tune: %s has nothing to search in".formatted(name),
          "give it a range above 0 with two values or more, %s"
              .formatted(
                  parameter.kind().unit().equals("ms")
                      ? "%s ms apart at least".formatted(parameter.kind().step())
                      : "as in 64..4096"));
    }
    return new SearchKnob(name, List.copyOf(steps));
  }

  private static List<Double> doublings(SearchRange range, double step) {
    double ratio = range.high() / range.low();
    int number = (int) Math.ceil(STEPS_PER_DOUBLING * Math.log(ratio) / Math.log(2));
    double each = Math.rint(1 / step);
    return IntStream.rangeClosed(0, number)
        .mapToObj(at -> range.low() * Math.pow(ratio, at / (double) number))
        .map(value -> Math.rint(value * each) / each)
        .filter(value -> value >= range.low() && value <= range.high())
        .toList();
  }

  private static boolean isCap(Parameter<?> parameter) {
    return parameter.kind().unit().equals("%");
  }

  public List<SearchKnob> knobs() {
    return knobs.stream().map(Knob::steps).toList();
  }

  /** Returns the point of the settings found; empty if one of them is not on its axis. */
  public List<Double> pointFound() {
    List<Double> point = new ArrayList<>();
    for (Knob knob : knobs) {
      SchedulerParameters now = found.get(knob.domain());
      if (now.isByVcpu()) {
        return List.of();
      }
      double value = knob.place(now).orElse(Double.NaN);
      double shown = value == 0 && knob.isCap() ? knob.unlimited() : value;
      if (!(shown > 0)) {
        return List.of();
      }
      point.add(shown);
    }
    return point;
  }

  /**
   * Returns the name of a point, which contains its settings: {@code web 512, batch 23} if all
   * knobs are the same parameter, otherwise {@code web weight 512 cap 200, batch weight 23}.
   */
  String name(List<Double> point) {
    boolean keys = knobs.stream().map(Knob::key).distinct().count() > 1;
    Map<String, SchedulerParameters> settings = settings(point);
    Map<String, List<String>> byDomain = new LinkedHashMap<>();
    for (int i = 0; i < knobs.size(); i++) {
      Knob knob = knobs.get(i);
      String value =
          knob.percent().isPresent() && !isUnlimited(knob, point.get(i))
              ? "%s%%".formatted(Math.round(point.get(i)))
              : text(settings.get(knob.domain()), knob.parameter());
      byDomain
          .computeIfAbsent(knob.domain(), any -> new ArrayList<>())
          .add(keys ? knob.key() + " " + value : value);
    }
    return byDomain.entrySet().stream()
        .map(one -> Scope.name(one.getKey()) + " " + String.join(" ", one.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static <T> String text(SchedulerParameters parameters, Parameter<T> parameter) {
    return parameter.kind().text(parameters.get(parameter));
  }

  /** Returns the settings of a point. */
  public SchedulerProfile profile(String name, List<Double> point) {
    Map<String, SchedulerParameters> settings = settings(point);
    Map<String, SchedulerParameters> beyond = new LinkedHashMap<>(settings);
    beyond.keySet().removeIf(target -> Scope.of(target) == Scope.DOMAIN);
    settings.keySet().removeAll(beyond.keySet());
    return new SchedulerProfile(name, Optional.of(scheduler()), Map.of(), settings, beyond);
  }

  /** Returns the scheduler that the domains of the search run under. */
  private Scheduler scheduler() {
    return knobs.stream()
        .map(knob -> Scope.name(knob.domain()))
        .flatMap(name -> Optional.ofNullable(found.get(name)).stream())
        .map(SchedulerParameters::scheduler)
        .findFirst()
        .orElseGet(() -> Schedulers.KNOWN.ofPools(found.get(knobs.get(0).domain()).scheduler()));
  }

  Map<String, SchedulerParameters> settings(List<Double> point) {
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    for (int i = 0; i < knobs.size(); i++) {
      Knob knob = knobs.get(i);
      SchedulerParameters before =
          settings.getOrDefault(knob.domain(), base(found.get(knob.domain())));
      double value = isUnlimited(knob, point.get(i)) ? 0 : point.get(i);
      settings.put(
          knob.domain(),
          knob.choices().isEmpty()
              ? knob.percent()
                  .map(limit -> with(before, limit, value))
                  .orElseGet(() -> with(before, knob.parameter(), value))
              : chosen(before, knob.parameter(), knob.choices().get((int) value - 1)));
    }
    return settings;
  }

  /**
   * Uses the first vCPU's settings for a domain whose vCPUs differ; what a place has besides stays
   * as found.
   */
  private static SchedulerParameters base(SchedulerParameters now) {
    return now.scheduler() == Scheduler.PLACEMENT
        ? SchedulerParameters.defaults(Scheduler.PLACEMENT)
        : now.each().get(0);
  }

  private static <T> SchedulerParameters chosen(
      SchedulerParameters before, Parameter<T> parameter, String value) {
    return before.with(parameter, parameter.kind().type().cast(value));
  }

  private static boolean isUnlimited(Knob knob, double value) {
    return knob.isCap() && value == knob.unlimited();
  }

  private static SchedulerParameters with(
      SchedulerParameters before, TimeLimit limit, double percent) {
    double micros = percent / 100 * before.get(limit.period()).toNanos() / 1e3;
    return before.with(limit.quota(), Duration.ofNanos(Math.round(micros) * 1_000));
  }

  private static <T> SchedulerParameters with(
      SchedulerParameters before, Parameter<T> parameter, double value) {
    Class<T> type = parameter.kind().type();
    Object converted =
        type.equals(Duration.class)
            ? (Object) Duration.ofNanos(Math.round(value * MILLI))
            : (Object) (int) Math.rint(value);
    return before.with(parameter, type.cast(converted));
  }

  /** Returns why no host would accept a point; empty if it is valid. */
  public Optional<String> fault(List<Double> point) {
    Map<String, SchedulerParameters> settings = settings(point);
    for (Map.Entry<String, SchedulerParameters> one : settings.entrySet()) {
      Optional<SettingFaults.Fault> fault =
          SettingFaults.first(one.getValue(), vcpus.getOrDefault(Scope.name(one.getKey()), 1));
      if (fault.isPresent()) {
        return Optional.of(
            "%s of %s %s".formatted(fault.get().what(), one.getKey(), fault.get().rule()));
      }
    }
    return overbooked(settings)
        .or(
            () ->
                settings.values().stream()
                    .flatMap(one -> PoolWide.fault(one).stream())
                    .findFirst());
  }

  private Optional<String> overbooked(Map<String, SchedulerParameters> settings) {
    Map<String, SchedulerParameters> all = new LinkedHashMap<>(found);
    all.putAll(settings);
    double sum = 0;
    for (Map.Entry<String, SchedulerParameters> one : all.entrySet()) {
      for (SchedulerParameters vcpu : one.getValue().each()) {
        int number = one.getValue().isByVcpu() ? 1 : vcpus.getOrDefault(one.getKey(), 1);
        sum += number * reserved(vcpu);
      }
    }
    return sum > pcpus
        ? Optional.of("the time shares of all domains add up to more than the host's pCPUs")
        : Optional.empty();
  }

  private static double reserved(SchedulerParameters parameters) {
    Optional<TimeShare> share = parameters.scheduler().share();
    return share
        .filter(time -> !time.isReplaced(parameters) && !time.isBestEffort(parameters))
        .map(
            time ->
                parameters.get(time.part()).toNanos()
                    / (double) parameters.get(time.whole()).toNanos())
        .orElse(0.0);
  }
}
