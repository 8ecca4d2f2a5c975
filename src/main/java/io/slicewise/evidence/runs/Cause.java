package io.slicewise.evidence.runs;

import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.profile.Role;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Difference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The cause of a change of the mean response time. At each domain a request uses CPU time, run
 * share × vCPUs ÷ requests per second, and waits in the run queue, wait share × vCPUs ÷ requests
 * per second; where the tasks of a domain are counted, the number of those that wait ÷ requests per
 * second. Requests pass through the experiment's main domains and the control domain; the wait of a
 * neighbour delays nobody's request. The part of the change that these waits do not explain is
 * {@code unexplained}. All times are milliseconds per request; intervals are over blocks if both
 * sides share blocks, otherwise over trials.
 *
 * @param response the mean response time
 * @param stations the domains, those whose wait changed most first
 * @param unexplained the response time without the waits
 */
public record Cause(
    String profile,
    Load load,
    Difference response,
    List<Station> stations,
    Difference unexplained) {
  public Cause {
    stations = List.copyOf(stations);
  }

  /**
   * The time of a request at one domain.
   *
   * @param waiting in the run queue for its vCPUs
   * @param running on its vCPUs
   * @param takers who had the time of its pCPUs meanwhile, those whose part changed most first;
   *     empty where the monitor does not know
   */
  public record Station(String domain, Difference waiting, Difference running, List<Taker> takers) {
    public Station {
      takers = List.copyOf(takers);
    }
  }

  /**
   * What kept a domain from its pCPUs.
   *
   * @param who another domain, {@link #OUTSIDE} or {@link #QUOTA}
   * @param share of the pCPUs' time
   */
  public record Taker(String who, Difference share) {
    /** Tasks of no guest. */
    public static final String OUTSIDE = "tasks of no guest";

    /** The domain's own quota, which kept it from running. */
    public static final String QUOTA = "its own quota";
  }

  /**
   * Returns the causes by load and profile, compared with the experiment's baseline. Profiles and
   * loads without requests, or without known waits of every domain, are omitted.
   */
  public static List<Cause> of(Experiment experiment, List<TrialResult> results) {
    List<CellTrials> cells = CellTrials.of(experiment, results);
    boolean blocked = experiment.order().equals(Order.BLOCKS);
    List<Cause> causes = new ArrayList<>();
    for (CellTrials cell : cells) {
      cells.stream()
          .filter(other -> !cell.profile().equals(experiment.baseline()))
          .filter(other -> other.profile().equals(experiment.baseline()))
          .filter(other -> other.load().equals(cell.load()))
          .forEach(
              baseline -> new Sides(cell, baseline, blocked, passed(experiment)).addTo(causes));
    }
    return List.copyOf(causes);
  }

  /**
   * Returns the causes of the changes between two runs, each profile with the same profile before.
   */
  public static List<Cause> across(
      Experiment experiment, List<TrialResult> now, List<TrialResult> before) {
    List<CellTrials> earlier = CellTrials.of(experiment, before);
    List<Cause> causes = new ArrayList<>();
    for (CellTrials cell : CellTrials.of(experiment, now)) {
      earlier.stream()
          .filter(other -> other.profile().equals(cell.profile()))
          .filter(other -> other.load().equals(cell.load()))
          .forEach(other -> new Sides(cell, other, false, passed(experiment)).addTo(causes));
    }
    return List.copyOf(causes);
  }

  /** Returns the domains that a request passes through; empty for all. */
  private static Set<String> passed(Experiment experiment) {
    Set<String> passed = new HashSet<>(experiment.domains().getOrDefault(Role.MAIN, List.of()));
    if (!passed.isEmpty()) {
      passed.addAll(experiment.domains().getOrDefault(Role.DOM0, List.of()));
    }
    return passed;
  }

  /** The requests of both sides, block by block where blocks are shared. */
  private record Sides(
      String profile, Load load, List<Request> now, List<Request> before, boolean blocked) {
    Sides(CellTrials now, CellTrials before, boolean blocked, Set<String> passed) {
      this(
          now.profile(),
          now.load(),
          known(now, before, blocked, passed),
          known(before, now, blocked, passed),
          blocked);
    }

    private static List<Request> known(
        CellTrials cell, CellTrials other, boolean blocked, Set<String> passed) {
      NavigableSet<Integer> shared = cell.blocks(Metric.MEAN);
      shared.retainAll(other.blocks(Metric.MEAN));
      return cell.valid().stream()
          .filter(trial -> CellTrials.value(trial, Metric.MEAN).isPresent())
          .filter(trial -> CellTrials.value(trial, Metric.THROUGHPUT).orElse(0) > 0)
          .filter(trial -> !blocked || shared.contains(trial.trial().block()))
          .sorted(Comparator.comparingInt(trial -> trial.trial().block()))
          .map(trial -> Request.of(trial, passed))
          .toList();
    }

    void addTo(List<Cause> causes) {
      boolean paired = !blocked || now.size() == before.size();
      if (paired && !now.isEmpty() && !before.isEmpty()) {
        List<String> domains = domains();
        if (!domains.isEmpty()) {
          causes.add(cause(domains));
        }
      }
    }

    private Cause cause(List<String> domains) {
      List<Station> stations =
          domains.stream()
              .map(
                  domain ->
                      new Station(
                          domain,
                          difference(request -> request.waiting(domain)),
                          difference(request -> request.running().get(domain)),
                          takers(domain)))
              .sorted(
                  Comparator.comparingDouble(
                      (Station station) -> -Math.abs(station.waiting().value())))
              .toList();
      return new Cause(
          profile,
          load,
          difference(Request::response),
          stations,
          difference(
              request ->
                  request.response() - domains.stream().mapToDouble(request::waiting).sum()));
    }

    /** Returns the domains whose waits are known in every trial of both sides. */
    private List<String> domains() {
      return now.get(0).waiting().keySet().stream()
          .filter(
              domain ->
                  Stream.concat(now.stream(), before.stream())
                      .allMatch(request -> Double.isFinite(request.waiting(domain))))
          .toList();
    }

    private List<Taker> takers(String domain) {
      Set<String> names = new LinkedHashSet<>();
      Stream.concat(now.stream(), before.stream())
          .forEach(request -> names.addAll(request.takers().get(domain).keySet()));
      boolean known =
          Stream.concat(now.stream(), before.stream())
              .allMatch(request -> request.takers().get(domain).containsKey(Taker.OUTSIDE));
      return names.stream()
          .filter(any -> known)
          .map(
              name ->
                  new Taker(
                      name,
                      difference(request -> request.takers().get(domain).getOrDefault(name, 0.0))))
          .sorted(Comparator.comparingDouble((Taker taker) -> -Math.abs(taker.share().value())))
          .toList();
    }

    private Difference difference(ToDoubleFunction<Request> time) {
      double[] after = now.stream().mapToDouble(time).toArray();
      double[] reference = before.stream().mapToDouble(time).toArray();
      return blocked
          ? Difference.paired(after, reference)
          : Difference.independent(after, reference);
    }
  }

  /**
   * What a request of a trial takes on average, in milliseconds.
   *
   * @param waiting in the run queues by domain; {@code NaN} where it is not known
   * @param running on the vCPUs by domain
   * @param takers shares of a domain's pCPUs' time by who had it, and by domain
   */
  private record Request(
      double response,
      Map<String, Double> waiting,
      Map<String, Double> running,
      Map<String, Map<String, Double>> takers) {
    static Request of(TrialResult trial, Set<String> passed) {
      double rate = CellTrials.value(trial, Metric.THROUGHPUT).orElseThrow();
      Map<String, Double> waiting = new LinkedHashMap<>();
      Map<String, Double> running = new LinkedHashMap<>();
      Map<String, Map<String, Double>> takers = new LinkedHashMap<>();
      for (DomainShares domain : trial.shares()) {
        if (passed.isEmpty() || passed.contains(domain.domain())) {
          waiting.putIfAbsent(domain.domain(), 1000.0 * domain.waiters() / rate);
          running.putIfAbsent(domain.domain(), 1000.0 * domain.run() * domain.vcpus() / rate);
          takers.putIfAbsent(domain.domain(), takers(domain));
        }
      }
      return new Request(
          CellTrials.value(trial, Metric.MEAN).orElseThrow(), waiting, running, takers);
    }

    private static Map<String, Double> takers(DomainShares domain) {
      Map<String, Double> takers = new LinkedHashMap<>();
      domain.takers().forEach(taker -> takers.put(taker.name(), taker.value()));
      domain.outsideRun().ifPresent(share -> takers.put(Taker.OUTSIDE, share));
      domain.throttled().ifPresent(share -> takers.put(Taker.QUOTA, share));
      return takers;
    }

    double waiting(String domain) {
      return waiting.getOrDefault(domain, Double.NaN);
    }
  }
}
