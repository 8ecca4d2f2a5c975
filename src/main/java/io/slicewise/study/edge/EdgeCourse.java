package io.slicewise.study.edge;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.result.Measured;
import io.slicewise.stats.capacity.EdgeSearch;
import io.slicewise.stats.capacity.EdgeSearch.Verdict;
import io.slicewise.stats.capacity.Forecast;
import io.slicewise.stats.capacity.RequestCost;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The search of a run for the most guests that fit, for each profile: what it found, and the trials
 * that come next. A number of guests gets the experiment's repetitions; one that is not decided by
 * them gets as many again, up to {@value #ROUNDS} times.
 *
 * @param measured the trials that ended so far
 */
public record EdgeCourse(Experiment experiment, List<Measured> measured) {
  private static final int ROUNDS = 3;

  /**
   * Numbers of guests without a metric of a trial that counts, after which a profile is given up.
   */
  private static final int LOST = 3;

  private static final double MILLI = 1000;

  public EdgeCourse {
    measured = List.copyOf(measured);
  }

  /** Returns the numbers of guests that can be measured. */
  public NavigableSet<Integer> levels() {
    NavigableSet<Integer> levels = new TreeSet<>();
    experiment.levels(Axis.GUESTS).forEach(level -> levels.add((int) level.number()));
    return levels;
  }

  /** Returns all trials that the search could need, in their order. */
  public List<Trial> plan() {
    return Plan.of(experiment, ROUNDS * experiment.repetitions());
  }

  /** Returns the trials to run next, in their order; none if nothing is left to find. */
  public List<Trial> next() {
    Map<String, Set<Integer>> ended = new LinkedHashMap<>();
    measured.forEach(
        one ->
            ended
                .computeIfAbsent(cell(one.trial()), any -> new HashSet<>())
                .add(one.trial().number()));
    Map<String, Integer> wanted = new LinkedHashMap<>();
    for (SchedulerProfile profile : experiment.profiles()) {
      ProfileCurve curve = curve(profile.name());
      open(curve)
          .ifPresent(
              guests -> {
                String cell = cell(profile.name(), guests);
                int done = ended.getOrDefault(cell, Set.of()).size();
                int rounds = done / experiment.repetitions() + 1;
                wanted.put(cell, rounds * experiment.repetitions());
              });
    }
    return plan().stream()
        .filter(trial -> trial.block() <= wanted.getOrDefault(cell(trial), 0))
        .filter(trial -> !ended.getOrDefault(cell(trial), Set.of()).contains(trial.number()))
        .toList();
  }

  /** Returns why these trials come next, as a phrase. */
  public String reason() {
    Set<String> reasons = new LinkedHashSet<>();
    for (SchedulerProfile profile : experiment.profiles()) {
      ProfileCurve curve = curve(profile.name());
      open(curve)
          .ifPresent(
              guests ->
                  reasons.add(
                      "%s on %d %s"
                          .formatted(profile.name(), guests, guests == 1 ? "guest" : "guests")));
    }
    return String.join(", ", reasons);
  }

  /** Returns the number of guests that a profile needs next: one that is not decided, first. */
  private OptionalInt open(ProfileCurve curve) {
    for (GuestLevel level : curve.levels()) {
      if (!curve.search().verdicts().containsKey(level.guests())) {
        return OptionalInt.of(level.guests());
      }
    }
    if (refused(curve) || lost(curve)) {
      return OptionalInt.empty();
    }
    int predicted =
        curve
            .forecast()
            .map(model -> model.edge(levels()).orElse(levels().first()))
            .orElseGet(() -> middle(curve.search()));
    return curve.search().next(predicted);
  }

  /** Returns whether even the smallest number does not fit. */
  private boolean refused(ProfileCurve curve) {
    return curve.search().verdicts().get(levels().first()) == Verdict.BREAKS;
  }

  /**
   * Returns whether trials do not count or lack the metric, whatever the number of guests: those of
   * the smallest number, from which all predictions are, or those of several.
   */
  private boolean lost(ProfileCurve curve) {
    List<Integer> lost =
        curve.levels().stream()
            .filter(GuestLevel::isUnknown)
            .map(GuestLevel::guests)
            .filter(curve.search().verdicts()::containsKey)
            .toList();
    return lost.contains(levels().first()) || lost.size() >= LOST;
  }

  /** Without a model the rest is bisected. */
  private int middle(EdgeSearch search) {
    int low = search.fits().orElse(levels().first());
    int high = search.breaks().orElse(levels().last() + 1);
    return (low + high) / 2;
  }

  /** Returns what was found of each profile, in the order of the experiment. */
  public List<ProfileCurve> curves() {
    return experiment.profiles().stream().map(profile -> curve(profile.name())).toList();
  }

  private ProfileCurve curve(String profile) {
    NavigableMap<Integer, List<Measured>> byGuests = new TreeMap<>();
    measured.stream()
        .filter(one -> one.trial().profile().equals(profile))
        .forEach(
            one ->
                byGuests
                    .computeIfAbsent(guests(one.trial().load()), any -> new ArrayList<>())
                    .add(one));
    List<GuestLevel> levels = new ArrayList<>();
    Map<Integer, Verdict> verdicts = new TreeMap<>();
    byGuests.forEach(
        (guests, trials) -> {
          GuestLevel level = level(guests, trials);
          levels.add(level);
          long numbers = trials.stream().map(one -> one.trial().number()).distinct().count();
          boolean whole = numbers % experiment.repetitions() == 0;
          boolean last = numbers >= (long) ROUNDS * experiment.repetitions();
          if (last || (whole && level.isFinal())) {
            verdicts.put(guests, level.verdict());
          }
        });
    EdgeSearch search = new EdgeSearch(levels(), verdicts);
    return new ProfileCurve(
        profile, levels, search, forecast(levels.stream().limit(1).toList()), forecast(levels));
  }

  private GuestLevel level(int guests, List<Measured> trials) {
    List<Measured> valid = trials.stream().filter(Measured::valid).toList();
    if (valid.isEmpty()) {
      return GuestLevel.unknown(guests);
    }
    Load load = valid.get(0).trial().load();
    List<TileResult> tiles = new ArrayList<>();
    experiment
        .goals(load)
        .forEach(
            (tile, goal) ->
                tiles.add(
                    TileResult.of(
                        tile,
                        goal.orElseThrow(),
                        valid.stream()
                            .mapToDouble(
                                one -> one.value(Measured.of(goal.orElseThrow().metric(), tile)))
                            .toArray())));
    return new GuestLevel(
        guests,
        valid.size(),
        tiles,
        mean(valid),
        cost(valid),
        busiest(valid),
        wanted(valid),
        ratio(valid.get(0)));
  }

  private static double mean(List<Measured> trials) {
    return trials.stream().mapToDouble(one -> one.value("throughput")).average().orElse(Double.NaN);
  }

  /** Returns the vCPUs of the loaded guests for each pCPU; {@code NaN} if some are not known. */
  private double ratio(Measured trial) {
    List<String> serving = experiment.loaded(trial.trial().load());
    List<DomainShares> theirs =
        trial.shares().stream().filter(shares -> serving.contains(shares.domain())).toList();
    return theirs.size() == serving.size() && trial.pcpus() > 0
        ? theirs.stream().mapToInt(DomainShares::vcpus).sum() / (double) trial.pcpus()
        : Double.NaN;
  }

  /** Returns the resource that worked the largest part of its time, on average over trials. */
  private Optional<GuestLevel.Use> busiest(List<Measured> trials) {
    Map<String, List<Double>> parts = new LinkedHashMap<>();
    for (Measured trial : trials) {
      List<String> serving = experiment.loaded(trial.trial().load());
      List<DomainShares> control = shares(trial, this::isControl);
      List<DomainShares> guests = shares(trial, one -> serving.contains(one.domain()));
      if (trial.pcpus() > 0) {
        use(
            parts,
            RequestCost.PCPUS,
            work(trial.shares()) + emulators(trial.shares()),
            trial.pcpus());
        // With as many vCPUs as there are pCPUs, only these can limit it.
        if (vcpus(control) < trial.pcpus()) {
          use(parts, RequestCost.CONTROL, work(control), vcpus(control));
        }
        use(parts, RequestCost.GUEST, work(guests), vcpus(guests));
      }
    }
    return parts.entrySet().stream()
        .filter(one -> one.getValue().size() == trials.size())
        .map(one -> new GuestLevel.Use(one.getKey(), mean(one.getValue())))
        .max(Comparator.comparingDouble(GuestLevel.Use::part));
  }

  private static Map<String, GuestLevel.Wanted> wanted(List<Measured> trials) {
    Map<String, GuestLevel.Wanted> wanted = new HashMap<>();
    trials.get(0).shares().stream()
        .map(DomainShares::domain)
        .forEach(
            domain -> {
              List<DomainShares> its =
                  trials.stream()
                      .flatMap(trial -> trial.shares().stream())
                      .filter(one -> one.domain().equals(domain))
                      .toList();
              double run = mean(its.stream().map(DomainShares::run).toList());
              double held = mean(its.stream().map(DomainShares::held).toList());
              if (Double.isFinite(run + held)) {
                wanted.put(domain, new GuestLevel.Wanted(run, held));
              }
            });
    return wanted;
  }

  private boolean isControl(DomainShares shares) {
    return experiment.domains().getOrDefault(Role.DOM0, List.of()).contains(shares.domain());
  }

  private static List<DomainShares> shares(Measured trial, Predicate<DomainShares> which) {
    return trial.shares().stream().filter(which).toList();
  }

  private static int vcpus(List<DomainShares> domains) {
    return domains.stream().mapToInt(DomainShares::vcpus).sum();
  }

  /** Returns how many pCPUs the vCPUs of domains used; {@code NaN} if unknown. */
  private static double work(List<DomainShares> domains) {
    return domains.stream().mapToDouble(one -> one.run() * one.vcpus()).sum();
  }

  private static double emulators(List<DomainShares> domains) {
    return domains.stream().mapToDouble(DomainShares::emulatorRun).filter(Double::isFinite).sum();
  }

  private static void use(Map<String, List<Double>> parts, String resource, double work, int cpus) {
    if (cpus > 0 && Double.isFinite(work)) {
      parts.computeIfAbsent(resource, any -> new ArrayList<>()).add(work / cpus);
    }
  }

  private static double mean(Collection<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /**
   * Returns the models of those levels, with the CPU time of a request where most guests ran; none
   * of tiles, which have different requests.
   */
  private Optional<Forecast> forecast(List<GuestLevel> levels) {
    NavigableMap<Integer, Forecast.Point> points = new TreeMap<>();
    Optional<RequestCost> cost = Optional.empty();
    Aim.Goal goal = null;
    for (GuestLevel level : levels) {
      if (!level.tiles().isEmpty() && Double.isFinite(level.worst().estimate().mean())) {
        TileResult worst = level.worst();
        goal = worst.goal();
        points.put(
            level.guests(),
            new Forecast.Point(
                worst.estimate().mean() / goal.limit().orElseThrow(), level.throughput()));
        cost = level.cost().isPresent() ? level.cost() : cost;
      }
    }
    if (cost.isEmpty() || goal == null || metrics(levels) > 1 || experiment.workload().isTiled()) {
      return Optional.empty();
    }
    return Optional.of(
        new Forecast(
            cost.get(),
            experiment.users(experiment.loads().get(0)),
            thinkSeconds(),
            !goal.lowest(),
            points));
  }

  /** Returns how many metrics the goals of the tiles have; one model cannot predict several. */
  private static long metrics(List<GuestLevel> levels) {
    return levels.stream()
        .flatMap(level -> level.tiles().stream())
        .map(tile -> tile.goal().metric())
        .distinct()
        .count();
  }

  private double thinkSeconds() {
    try {
      return Double.parseDouble(experiment.workload().properties().getOrDefault("think-time", "0"))
          / MILLI;
    } catch (NumberFormatException unknown) {
      return 0;
    }
  }

  /** Returns the CPU time of a request, over the valid trials at a number of guests. */
  private Optional<RequestCost> cost(List<Measured> valid) {
    List<RequestCost> costs = valid.stream().flatMap(one -> cost(one).stream()).toList();
    if (costs.isEmpty()) {
      return Optional.empty();
    }
    RequestCost any = costs.get(0);
    return Optional.of(
        new RequestCost(
            costs.stream().mapToDouble(RequestCost::guest).average().orElseThrow(),
            costs.stream().mapToDouble(RequestCost::control).average().orElseThrow(),
            any.guestVcpus(),
            any.controlVcpus(),
            any.pcpus(),
            costs.stream().mapToDouble(RequestCost::others).average().orElseThrow()));
  }

  private Optional<RequestCost> cost(Measured trial) {
    List<String> serving = experiment.loaded(trial.trial().load());
    List<String> control = experiment.domains().getOrDefault(Role.DOM0, List.of());
    double rate = trial.value("throughput");
    double own = 0;
    double dom0 = 0;
    double others = 0;
    int vcpus = 0;
    int controlVcpus = 0;
    for (DomainShares shares : trial.shares()) {
      double pcpus = shares.run() * shares.vcpus();
      if (serving.contains(shares.domain())) {
        own += pcpus;
        dom0 += Double.isFinite(shares.emulatorRun()) ? shares.emulatorRun() : 0;
        vcpus = Math.max(vcpus, shares.vcpus());
      } else if (control.contains(shares.domain())) {
        dom0 += pcpus;
        controlVcpus = shares.vcpus();
      } else {
        others += Double.isFinite(pcpus) ? pcpus : 0;
      }
    }
    boolean known =
        rate > 0 && vcpus > 0 && trial.pcpus() > 0 && Double.isFinite(own) && Double.isFinite(dom0);
    return known
        ? Optional.of(
            new RequestCost(own / rate, dom0 / rate, vcpus, controlVcpus, trial.pcpus(), others))
        : Optional.empty();
  }

  private static int guests(Load load) {
    return load.count(Axis.GUESTS).orElse(0);
  }

  private static String cell(Trial trial) {
    return cell(trial.profile(), guests(trial.load()));
  }

  private static String cell(String profile, int guests) {
    return guests + " " + profile;
  }

  /** Returns the number of cells that a full grid has, and how many of them were measured. */
  public Cost cost() {
    long cells = measured.stream().map(one -> cell(one.trial())).distinct().count();
    return new Cost(
        (int) cells,
        experiment.profiles().size() * levels().size(),
        measured.size(),
        (int) measured.stream().filter(one -> !one.valid()).count());
  }

  /**
   * What the search took.
   *
   * @param cells measured, of profile and number of guests
   * @param grid cells of the full grid
   * @param trials in all
   * @param invalid of these, those that do not count
   */
  public record Cost(int cells, int grid, int trials, int invalid) {}

  /**
   * A profile's guests: what was measured at each number of them, and what the models predict.
   *
   * @param levels that have a finished trial, ascending
   * @param search with the verdicts so far
   * @param first what was predicted from the smallest number alone; empty before it was measured
   * @param forecast from all that was measured; empty if the CPU time of a request is not known
   */
  public record ProfileCurve(
      String profile,
      List<GuestLevel> levels,
      EdgeSearch search,
      Optional<Forecast> first,
      Optional<Forecast> forecast) {
    public ProfileCurve {
      levels = List.copyOf(levels);
    }

    /** Returns the level with that number of guests, if it was measured. */
    public Optional<GuestLevel> level(int guests) {
      return levels.stream().filter(level -> level.guests() == guests).findFirst();
    }

    /** Returns the number of guests that the models predicted from the smallest number alone. */
    public Optional<Integer> predicted() {
      return first.map(model -> model.edge(search.levels()).orElseThrow());
    }

    /**
     * Returns the verdict on a number of guests; not decided as long as its trials are not over.
     */
    public Verdict verdict(int guests) {
      return search.verdicts().getOrDefault(guests, Verdict.UNDECIDED);
    }
  }
}
