package io.slicewise.evidence.runs;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.facts.Conditions;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.HostIdentity;
import io.slicewise.run.Origin;
import io.slicewise.stats.Band;
import io.slicewise.stats.ChangePoints;
import io.slicewise.stats.ChangePoints.Change;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import io.slicewise.stats.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A metric over many runs. Only cells of runs on the same host, under the same conditions, with the
 * same settings of the profile share a series; each run gives one value, the geometric mean of the
 * cell's valid trials.
 *
 * @param band a shift within it is {@code SAME}
 * @param level significance level of a change
 * @param left sentences about runs that are in no series, and on gaps in series, with reasons
 */
public record History(
    Metric metric, Band band, double level, List<Series> series, List<String> left) {
  private static final double CONFIDENCE = 0.95;

  /** The least time between the beginnings of two nights. */
  private static final Duration NIGHT = Duration.ofHours(12);

  public History {
    series = List.copyOf(series);
    left = List.copyOf(left);
  }

  /**
   * A profile at a load.
   *
   * @param settings of the profile, by domain, as text
   * @param apart differences from the previous series of the same profile and load; empty for the
   *     first
   * @param nights by the time they began
   * @param shifts between adjacent segments, by time
   */
  public record Series(
      String experiment,
      HostIdentity host,
      Origin.Kind origin,
      String profile,
      Map<String, String> settings,
      @JsonUnwrapped Load load,
      List<String> apart,
      List<Night> nights,
      List<Shift> shifts) {
    public Series {
      apart = List.copyOf(apart);
      nights = List.copyOf(nights);
      shifts = List.copyOf(shifts);
    }

    /** Returns what its runs are: nights if a day lies between them, otherwise runs. */
    public String unit() {
      boolean apart = !isSimulated();
      for (int i = 1; i < nights.size(); i++) {
        Duration between = Duration.between(nights.get(i - 1).begun(), nights.get(i).begun());
        apart &= between.compareTo(NIGHT) >= 0;
      }
      return apart ? "night" : "run";
    }

    /** Returns the newest run of the series. */
    public Night newest() {
      return nights.get(nights.size() - 1);
    }

    /** Returns whether its numbers were computed, not measured. */
    public boolean isSimulated() {
      return origin == Origin.Kind.SIMULATED;
    }

    /**
     * Returns how the current level differs from that before the last changes of one direction;
     * empty without a change beyond the band.
     */
    public Optional<Standing> standing() {
      List<Shift> run = new ArrayList<>();
      for (int i = shifts.size() - 1; i >= 0; i--) {
        Shift shift = shifts.get(i);
        if (shift.verdict() != Verdict.SAME) {
          if (!run.isEmpty() && shift.verdict() != run.get(0).verdict()) {
            break;
          }
          run.add(0, shift);
        }
      }
      if (run.isEmpty()) {
        return Optional.empty();
      }
      double now = shifts.get(shifts.size() - 1).after();
      Shift first = run.get(0);
      return Optional.of(
          new Standing(
              first.verdict(), first.index(), first.since(), 100 * (now / first.before() - 1)));
    }
  }

  /**
   * The current level of a series, compared with that before its last changes.
   *
   * @param index of the first night of these changes, from 0
   * @param since the run of that night
   */
  public record Standing(Verdict verdict, int index, String since, double percent) {}

  /**
   * The value of a run.
   *
   * @param value in the metric's unit
   * @param low end of its 95 % interval; {@code NaN} with fewer than two trials
   * @param n valid trials behind it
   * @param confirmation whether they are those of a tune's confirmation alone
   */
  public record Night(
      String run,
      Instant begun,
      double value,
      double low,
      double high,
      int n,
      boolean confirmation) {}

  /**
   * A change of level.
   *
   * @param index of the first night after it, from 0
   * @param before geometric mean of the nights since the shift before
   * @param after geometric mean of the nights up to the next shift
   * @param fresh whether no earlier night showed it
   */
  public record Shift(
      int index,
      String since,
      double before,
      double after,
      double percent,
      double p,
      Verdict verdict,
      boolean fresh) {}

  private record Key(
      String experiment,
      Conditions conditions,
      HostIdentity host,
      Origin.Kind origin,
      String profile,
      Map<String, String> settings,
      Load load) {
    /** Returns whether both have the same description. */
    boolean seemsLike(Key other) {
      return experiment.equals(other.experiment)
          && profile.equals(other.profile)
          && load.equals(other.load);
    }

    List<String> differences(Key other) {
      List<String> found = new ArrayList<>();
      if (origin != other.origin) {
        found.add("origin " + origin.word() + " / " + other.origin.word());
      } else if (origin != Origin.Kind.SIMULATED) {
        found.addAll(host.differences(other.host));
      } else if (!host.equals(other.host)) {
        found.add("premises " + host.name() + " / " + other.host.name());
      }
      found.addAll(conditions.differences(other.conditions));
      Set<String> domains = new LinkedHashSet<>(settings.keySet());
      domains.addAll(other.settings.keySet());
      for (String domain : domains) {
        String here = settings.getOrDefault(domain, "nothing set");
        String there = other.settings.getOrDefault(domain, "nothing set");
        if (!here.equals(there)) {
          found.add(domain + " " + here + " / " + there);
        }
      }
      return found;
    }
  }

  /**
   * Returns the history of runs given in any order.
   *
   * @param asked selects cells
   */
  public static History of(
      List<MeasuredRun> runs,
      Metric metric,
      Band band,
      double level,
      Predicate<MeasuredRun.MeasuredCell> asked) {
    Map<Key, List<Night>> nights = new LinkedHashMap<>();
    List<String> left = new ArrayList<>();
    List<MeasuredRun> inTime =
        runs.stream().sorted(Comparator.comparing(MeasuredRun::begun)).toList();
    for (MeasuredRun run : inTime) {
      Optional<HostIdentity> host = run.place().identity();
      if (host.isEmpty()) {
        left.add(run.name() + ": its host is unknown");
        continue;
      }
      boolean any = false;
      for (MeasuredRun.MeasuredCell cell : run.cells()) {
        if (asked.test(cell) && !cell.control() && positive(cell.of(metric))) {
          any = true;
          nights
              .computeIfAbsent(key(run, host.get(), cell), key -> new ArrayList<>())
              .add(night(run, cell, cell.of(metric)));
        }
      }
      if (!any) {
        left.add(
            run.name() + ": no valid trial of the selected cells with a known " + metric.key());
      }
    }
    left.addAll(gaps(inTime, metric, asked, nights.keySet()));
    return new History(
        metric,
        band,
        level,
        nights.entrySet().stream()
            .map(
                entry ->
                    series(
                        entry.getKey(),
                        apart(entry.getKey(), nights.keySet()),
                        entry.getValue(),
                        metric,
                        band,
                        level))
            .toList(),
        left);
  }

  /** Returns sentences about runs that lack a value for some series. */
  private static List<String> gaps(
      List<MeasuredRun> runs,
      Metric metric,
      Predicate<MeasuredRun.MeasuredCell> asked,
      Set<Key> series) {
    List<String> gaps = new ArrayList<>();
    for (MeasuredRun run : runs) {
      List<MeasuredRun.MeasuredCell> cells =
          run.cells().stream().filter(cell -> asked.test(cell) && !cell.control()).toList();
      boolean any = cells.stream().anyMatch(cell -> positive(cell.of(metric)));
      String missing =
          cells.stream()
              .filter(cell -> !positive(cell.of(metric)))
              .filter(
                  cell ->
                      run.place()
                          .identity()
                          .filter(h -> series.contains(key(run, h, cell)))
                          .isPresent())
              .map(cell -> cell.profile() + " at " + cell.load().text())
              .collect(Collectors.joining(", "));
      if (any && !missing.isEmpty()) {
        gaps.add(run.name() + ": no valid trial with known " + metric.key() + " of " + missing);
      }
    }
    return gaps;
  }

  private static boolean positive(double[] values) {
    return values.length > 0 && Arrays.stream(values).allMatch(x -> x > 0);
  }

  private static Key key(MeasuredRun run, HostIdentity host, MeasuredRun.MeasuredCell cell) {
    return new Key(
        run.experiment(),
        run.conditions(),
        host,
        run.place().origin().kind(),
        cell.profile(),
        cell.settings(),
        cell.load());
  }

  private static Night night(MeasuredRun run, MeasuredRun.MeasuredCell cell, double[] values) {
    Estimate logs = StudentInterval.of(CONFIDENCE, Arrays.stream(values).map(Math::log).toArray());
    return new Night(
        run.name(),
        run.begun(),
        Math.exp(logs.mean()),
        Math.exp(logs.low()),
        Math.exp(logs.high()),
        values.length,
        cell.confirmation());
  }

  /** Returns the differences from the previous series of the same profile and load. */
  private static List<String> apart(Key key, Collection<Key> all) {
    return all.stream()
        .takeWhile(other -> !other.equals(key))
        .filter(key::seemsLike)
        .reduce((first, last) -> last)
        .map(before -> before.differences(key))
        .orElse(List.of());
  }

  private static Series series(
      Key key, List<String> apart, List<Night> nights, Metric metric, Band band, double level) {
    return new Series(
        key.experiment,
        key.host,
        key.origin,
        key.profile,
        key.settings,
        key.load,
        apart,
        nights,
        new Shifts(nights, metric, band, level).all());
  }

  /** Returns the fresh shifts of all series. */
  public boolean anyFresh(Verdict verdict) {
    return series.stream()
        .flatMap(one -> one.shifts().stream())
        .anyMatch(shift -> shift.fresh() && shift.verdict() == verdict);
  }

  /**
   * The shifts of one series: changes of its logarithms, since effects are ratios. A shift is fresh
   * if no series that ended on an earlier night showed a change near its place, so that a nightly
   * job reports it once without keeping state.
   */
  private static final class Shifts {
    private static final long SEED = 1;

    private final List<Night> nights;
    private final Metric metric;
    private final Band band;
    private final double level;
    private final double[] logs;

    Shifts(List<Night> nights, Metric metric, Band band, double level) {
      this.nights = nights;
      this.metric = metric;
      this.band = band;
      this.level = level;
      this.logs = nights.stream().mapToDouble(night -> Math.log(night.value())).toArray();
    }

    List<Shift> all() {
      List<Change> changes = ChangePoints.of(logs, level, SEED);
      List<Shift> shifts = new ArrayList<>();
      for (int i = 0; i < changes.size(); i++) {
        int start = i == 0 ? 0 : changes.get(i - 1).index();
        int end = i + 1 < changes.size() ? changes.get(i + 1).index() : logs.length;
        shifts.add(shift(changes.get(i), start, end));
      }
      return shifts;
    }

    private Shift shift(Change change, int start, int end) {
      double before = mean(start, change.index());
      double after = mean(change.index(), end);
      return new Shift(
          change.index(),
          nights.get(change.index()).run(),
          Math.exp(before),
          Math.exp(after),
          100 * Math.expm1(after - before),
          change.p(),
          verdict(after - before),
          isFresh(change.index()));
    }

    private double mean(int from, int to) {
      return Arrays.stream(logs, from, to).average().orElse(Double.NaN);
    }

    private Verdict verdict(double logRatio) {
      if (logRatio >= band.low() && logRatio <= band.high()) {
        return Verdict.SAME;
      }
      return logRatio > 0 == metric.moreIsBetter() ? Verdict.BETTER : Verdict.WORSE;
    }

    private boolean isFresh(int index) {
      int first = Math.max(ChangePoints.FEWEST, index + 1);
      for (int length = first; length < logs.length; length++) {
        boolean shown =
            ChangePoints.of(Arrays.copyOf(logs, length), level, SEED).stream()
                .anyMatch(change -> Math.abs(change.index() - index) < ChangePoints.SEGMENT);
        if (shown) {
          return false;
        }
      }
      return true;
    }
  }
}
