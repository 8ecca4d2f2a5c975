package io.slicewise.report.page;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.units.EnumName;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.PercentileCurve;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.evidence.findings.BlockDrift;
import io.slicewise.evidence.findings.Capacity;
import io.slicewise.evidence.findings.CellBox;
import io.slicewise.evidence.findings.ProfileGrid;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.evidence.runs.History;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.Accounts;
import io.slicewise.report.page.PageInput.PageTune;
import io.slicewise.report.page.TrialRows.Rounding;
import io.slicewise.run.Origin;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import io.slicewise.stats.CoinBets;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.table.BoxSummary;
import io.slicewise.stats.table.OrderDrift;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The data for the page's scripts. Profiles, loads and domains are listed once and then referred to
 * by index; an estimate is {@code [mean, deviation, n, low, high]}.
 *
 * @param tune the report of a tune; empty of other runs
 * @param courses of the candidates of a study of pairs, look by look; empty of other runs
 * @param past of a history: the metric by run; empty of other pages
 */
record ChartData(
    @JsonUnwrapped Subject subject,
    @JsonUnwrapped Question question,
    @JsonUnwrapped Index index,
    @JsonUnwrapped Findings findings,
    @JsonUnwrapped Limits limits,
    Optional<JsonNode> tune,
    List<PairCourse> courses,
    List<PastSeries> past,
    TrialRows trials) {

  /** What the page is about, and where its numbers come from. */
  record Subject(String experiment, Origin origin, String originWord) {
    Subject(String experiment, Origin origin) {
      this(experiment, origin, origin.kind().word());
    }
  }

  /**
   * What is compared.
   *
   * @param primary key of the metric that decides
   * @param from what changes are relative to
   * @param baseline index of its profile; −1 if it is none of them
   */
  record Question(String primary, String from, int baseline) {}

  /** What is referred to by index. */
  record Index(
      List<Profile> profiles,
      List<LoadAxis> axes,
      List<At> loads,
      List<Scale> metrics,
      List<String> domains) {
    static Index of(
        List<Profile> profiles, List<Load> loads, List<Scale> metrics, List<String> domains) {
      return new Index(
          profiles, LoadAxis.of(loads), loads.stream().map(At::of).toList(), metrics, domains);
    }
  }

  /**
   * What was found.
   *
   * @param sessions changes session by session; empty for trials
   */
  record Findings(
      List<Cell> cells,
      List<Change> changes,
      List<InSession> sessions,
      BlockDrift order,
      OrderDrift drift,
      List<ProfileGrid> grids) {}

  /**
   * The limits that judge what was found.
   *
   * @param band the change in percent that is too small to matter
   * @param bound of the goal; empty without one
   */
  record Limits(double band, Optional<Bound> bound) {
    static Limits of(Band band, Optional<Bound> bound) {
      return new Limits(Rounding.exact(100 * band.delta()), bound);
    }
  }

  /**
   * The goal's bound on a response time, and the size of load at which each profile misses it.
   *
   * @param sizes {@code [profile, size, low, high]} each; the size is unknown unless the loads
   *     bracket it
   */
  record Bound(String metric, double limit, String text, String unit, List<List<Double>> sizes) {}

  /** A profile; {@code settings} as text, empty if it changes nothing. */
  record Profile(String name, String scheduler, boolean control, String settings) {}

  /**
   * A load, with its level on each axis.
   *
   * @param curve what is the same in all loads of a curve
   */
  record At(@JsonUnwrapped Load load, double size, String curve, String brief, String text) {
    static At of(Load load) {
      return new At(
          load,
          load.size(),
          load.beside().toString(),
          load.isNone() ? "" : load.toString(),
          load.text());
    }
  }

  /** An axis of the loads. */
  record LoadAxis(String key, boolean numeric, String unit) {
    static List<LoadAxis> of(List<Load> loads) {
      return Axis.of(loads.stream()).stream()
          .map(axis -> new LoadAxis(axis.key(), axis.isNumeric(), axis.unit()))
          .toList();
    }
  }

  /** The display of a metric: multiplied by {@code scale}, with that many digits. */
  record Scale(
      String key, String label, String unit, double scale, int digits, boolean moreIsBetter) {}

  /**
   * One profile × load.
   *
   * @param best whether it is in the best set; {@code null} where there is none
   * @param curve {@code [percentile, mean, deviation, n, low, high]} each
   */
  record Cell(
      int profile,
      int load,
      int n,
      Boolean best,
      Map<String, List<Double>> metrics,
      Map<String, BoxSummary> boxes,
      List<Shares> domains,
      List<List<Double>> curve) {}

  /**
   * The shares of one domain in a cell.
   *
   * @param throttled the part of waiting that a quota caused; empty if it is not measured
   */
  record Shares(
      int domain,
      int vcpus,
      List<Double> run,
      List<Double> waiting,
      List<Double> blocked,
      List<Double> throttled) {}

  /** A profile against the baseline in the primary metric. */
  record Change(int profile, int load, double percent, double low, double high, Verdict verdict) {}

  /**
   * What the pairs of a candidate showed, pair by pair.
   *
   * @param needed evidence that decides
   * @param looks {@code [pair, change, evidence, low, high]} each, in percent
   */
  record PairCourse(int profile, double needed, List<List<Double>> looks) {
    static List<PairCourse> of(Experiment experiment, List<TrialResult> results) {
      if (experiment.pairs().isEmpty()) {
        return List.of();
      }
      PairedStudy study = PairedStudy.of(experiment, results.stream().map(Measured::of).toList());
      List<String> names = experiment.profiles().stream().map(p -> p.name()).toList();
      return study.candidates().stream()
          .filter(candidate -> !candidate.pairs().isEmpty())
          .map(
              candidate ->
                  new PairCourse(
                      names.indexOf(candidate.name()),
                      study.candidates().size() / PairedStudy.LEVEL,
                      looks(candidate)))
          .toList();
    }

    private static List<List<Double>> looks(PairedStudy.Candidate candidate) {
      double[] evidence = candidate.bets().evidence(0);
      List<List<Double>> looks = new ArrayList<>();
      for (int b = 0; b < evidence.length; b++) {
        PairedStudy.Pair pair = candidate.pairs().get(b);
        CoinBets then = candidate.bets().after(b + 1);
        looks.add(
            List.of(
                (double) pair.number(),
                percent(pair.change()),
                Rounding.exact(evidence[b]),
                percent(then.low()),
                percent(then.high())));
      }
      return looks;
    }

    /** Returns a change in percent; {@code NaN} while an end is open. */
    private static double percent(double log) {
      return Double.isFinite(log) ? Rounding.exact(100 * Math.expm1(log)) : Double.NaN;
    }
  }

  /** A profile against the baseline in one session, in the primary metric. */
  record InSession(
      int profile, int load, int session, int blocks, double percent, double low, double high) {}

  static ChartData of(PageInput input) {
    return new Making(input).data();
  }

  /** Returns the changes of a comparison. */
  static ChartData of(Compared compared, Origin origin) {
    List<String> names = compared.primary().stream().map(Comparison::profile).distinct().toList();
    List<Load> loads = compared.primary().stream().map(Comparison::load).distinct().toList();
    return plain(
        compared.names().experiment(),
        origin,
        compared.question().primary(),
        compared.names().from(),
        names,
        loads,
        changes(compared.primary().stream(), names, loads),
        compared.question().band(),
        List.of());
  }

  /** Returns the series of a history. */
  static ChartData of(String title, History history, Origin origin) {
    return plain(
        title,
        origin,
        history.metric(),
        "",
        List.of(),
        history.series().stream().map(History.Series::load).distinct().toList(),
        List.of(),
        history.band(),
        history.series().stream().map(PastSeries::of).toList());
  }

  private static ChartData plain(
      String title,
      Origin origin,
      Metric primary,
      String from,
      List<String> names,
      List<Load> loads,
      List<Change> changes,
      Band band,
      List<PastSeries> past) {
    return new ChartData(
        new Subject(title, origin),
        new Question(primary.key(), from, -1),
        Index.of(
            names.stream().map(name -> new Profile(name, "", false, "")).toList(),
            loads,
            List.of(Making.scale(primary)),
            List.of()),
        new Findings(
            List.of(),
            changes,
            List.of(),
            new BlockDrift(List.of(), List.of()),
            new OrderDrift(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0),
            List.of()),
        Limits.of(band, Optional.empty()),
        Optional.empty(),
        List.of(),
        past,
        TrialRows.of(List.of(), names, loads, List.of()));
  }

  private static List<Change> changes(
      Stream<Comparison> comparisons, List<String> profiles, List<Load> loads) {
    return comparisons
        .map(
            c ->
                new Change(
                    profiles.indexOf(c.profile()),
                    loads.indexOf(c.load()),
                    Rounding.exact(c.change().percent()),
                    Rounding.exact(c.change().low()),
                    Rounding.exact(c.change().high()),
                    c.verdict()))
        .toList();
  }

  private static final class Making {
    private final PageInput input;
    private final List<String> profiles;
    private final List<Load> loads;
    private final List<String> domains;

    Making(PageInput input) {
      this.input = input;
      this.profiles = input.experiment().profiles().stream().map(p -> p.name()).toList();
      this.loads = input.experiment().loads();
      Set<String> seen = new LinkedHashSet<>();
      for (CellSummary cell : input.summary().cells()) {
        cell.domains().forEach(domain -> seen.add(domain.domain()));
      }
      this.domains = List.copyOf(seen);
    }

    ChartData data() {
      String baseline = input.experiment().baseline();
      Metric primary = input.recommendation().question().primary();
      return new ChartData(
          new Subject(input.title(), input.summary().origin()),
          new Question(primary.key(), baseline, profiles.indexOf(baseline)),
          Index.of(
              input.experiment().profiles().stream()
                  .map(
                      p ->
                          new Profile(
                              p.name(),
                              p.scheduler().map(s -> s.xenName()).orElse("as found"),
                              Comparisons.isControl(input.experiment(), p.name()),
                              Phrases.settings(input.experiment(), p.name())))
                  .toList(),
              loads,
              scales(),
              domains),
          findings(primary),
          Limits.of(input.recommendation().question().band(), bound()),
          input.tune().map(PageTune::data),
          PairCourse.of(input.experiment(), input.results()),
          List.of(),
          TrialRows.of(input.results(), profiles, loads, domains));
    }

    private Findings findings(Metric primary) {
      return new Findings(
          cells(),
          changes(
              input.recommendation().comparisons().stream().filter(c -> c.metric().equals(primary)),
              profiles,
              loads),
          sessions(),
          BlockDrift.of(input.experiment(), input.results(), primary),
          input.recommendation().drift(),
          ProfileGrid.of(input.experiment()));
    }

    private Optional<Bound> bound() {
      return Goal.of(input.experiment())
          .filter(Goal::below)
          .filter(any -> input.experiment().workload().loads())
          .map(
              goal ->
                  new Bound(
                      goal.metric().key(),
                      goal.limit(),
                      goal.toString(),
                      loads.get(0).driver().unit(),
                      profiles.stream().flatMap(name -> sizes(goal, name).stream()).toList()));
    }

    private List<List<Double>> sizes(Goal goal, String profile) {
      return Capacity.of(input.experiment(), input.results(), goal, profile).stream()
          .filter(capacity -> capacity.beside().levels().isEmpty())
          .map(Capacity::size)
          .map(
              at ->
                  List.of(
                      (double) profiles.indexOf(profile),
                      Rounding.exact(at.estimate().mean()),
                      Rounding.exact(at.estimate().low()),
                      Rounding.exact(at.estimate().high())))
          .toList();
    }

    private List<Scale> scales() {
      return input.summary().cells().stream()
          .flatMap(cell -> cell.metrics().keySet().stream())
          .distinct()
          .map(Making::scale)
          .toList();
    }

    private static Scale scale(Metric metric) {
      String key = metric.key();
      return switch (key) {
        case "throughput" -> new Scale(key, "throughput", "requests/s", 1, 1, true);
        case "errors" -> new Scale(key, "failed requests", "%", 100, 2, false);
        case "mean" -> new Scale(key, "mean response time", "ms", 1, 1, false);
        case "p50", "p95", "p99" -> new Scale(key, key + " response time", "ms", 1, 0, false);
        default ->
            new Scale(
                key, key, metric.unit(), 1, metric.unit().isEmpty() ? 3 : 1, metric.moreIsBetter());
      };
    }

    private List<Cell> cells() {
      Map<String, Map<String, BoxSummary>> boxes = new HashMap<>();
      for (CellBox box : CellBox.of(input.experiment(), input.results())) {
        boxes
            .computeIfAbsent(place(box.profile(), box.load()), any -> new LinkedHashMap<>())
            .put(box.metric().key(), box.box());
      }
      Map<String, List<List<Double>>> curves = new HashMap<>();
      for (PercentileCurve curve : PercentileCurve.of(input.experiment(), input.results())) {
        curves.put(
            place(curve.profile(), curve.load()),
            curve.points().stream().map(Making::point).toList());
      }
      Map<String, Boolean> best = new HashMap<>();
      for (BestSet set : input.recommendation().bestSets()) {
        if (set.known()) {
          set.places().forEach(p -> best.put(place(p.profile(), set.load()), p.inBestSet()));
        }
      }
      return input.summary().cells().stream()
          .map(
              cell -> {
                String place = place(cell.profile(), cell.load());
                return new Cell(
                    profiles.indexOf(cell.profile()),
                    loads.indexOf(cell.load()),
                    cell.n(),
                    best.get(place),
                    metrics(cell),
                    boxes.getOrDefault(place, Map.of()),
                    shares(cell),
                    curves.getOrDefault(place, List.of()));
              })
          .toList();
    }

    private static List<Double> point(PercentileCurve.Point point) {
      return Stream.concat(Stream.of(point.percentile()), Rounding.of(point.millis()).stream())
          .toList();
    }

    private static String place(String profile, Load load) {
      return load + " " + profile;
    }

    private static Map<String, List<Double>> metrics(CellSummary cell) {
      Map<String, List<Double>> metrics = new LinkedHashMap<>();
      cell.metrics()
          .forEach((metric, estimate) -> metrics.put(metric.key(), Rounding.of(estimate)));
      return metrics;
    }

    private List<Shares> shares(CellSummary cell) {
      return cell.domains().stream()
          .map(
              d ->
                  new Shares(
                      domains.indexOf(d.domain()),
                      d.vcpus(),
                      Rounding.of(d.run()),
                      Rounding.of(d.waiting()),
                      Rounding.of(d.blocked()),
                      cell.share(d.domain(), Accounts.THROTTLED)
                          .map(Rounding::of)
                          .orElse(List.of())))
          .toList();
    }

    private List<InSession> sessions() {
      return input.recommendation().sessions().stream()
          .flatMap(evidence -> evidence.bySession().stream())
          .map(
              one ->
                  new InSession(
                      profiles.indexOf(one.profile()),
                      loads.indexOf(one.session().load()),
                      one.session().number(),
                      one.blocks(),
                      Rounding.exact(one.change().percent()),
                      Rounding.exact(one.change().low()),
                      Rounding.exact(one.change().high())))
          .toList();
    }
  }

  /**
   * A metric of one cell over many runs, as the page draws it.
   *
   * @param profile its name
   * @param load as text
   * @param where the host, or what a simulation was computed with
   * @param unit of time: night or run
   * @param runs {@code [value, low, high, trials]} each
   * @param names of the runs
   * @param days when they began
   */
  private record PastSeries(
      String profile,
      String load,
      String where,
      String unit,
      List<List<Double>> runs,
      List<String> names,
      List<String> days,
      List<Step> steps) {

    /** A change of level between adjacent runs, from {@code index} on. */
    record Step(
        int index, double before, double after, double percent, String verdict, boolean fresh) {}

    static PastSeries of(History.Series series) {
      return new PastSeries(
          series.profile(),
          series.load().text(),
          series.host().name(),
          series.isSimulated() ? "run" : "night",
          series.nights().stream()
              .map(
                  night ->
                      List.of(
                          Rounding.exact(night.value()),
                          Rounding.exact(night.low()),
                          Rounding.exact(night.high()),
                          (double) night.n()))
              .toList(),
          series.nights().stream().map(History.Night::run).toList(),
          series.nights().stream().map(night -> night.begun().toString().substring(0, 16)).toList(),
          series.shifts().stream()
              .map(
                  shift ->
                      new Step(
                          shift.index(),
                          Rounding.exact(shift.before()),
                          Rounding.exact(shift.after()),
                          Rounding.exact(shift.percent()),
                          EnumName.of(shift.verdict()),
                          shift.fresh()))
              .toList());
    }
  }
}
