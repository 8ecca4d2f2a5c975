package io.slicewise.evidence.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.PageFaults.Explained;
import io.slicewise.evidence.study.PageFaults.FaultCost;
import io.slicewise.evidence.study.PageFaults.LatencyCost;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.stats.Correlation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How much longer each case takes in a guest than on the same machine without Xen, and where the
 * time goes. Empty lists where counters were not read.
 */
public record OverheadStudy(
    List<Slowdowns> slowdowns,
    List<TimeBreakdown> times,
    List<PageFaults> faults,
    @JsonUnwrapped FaultCosts costs,
    List<DiskLayers> disks,
    List<SystemCalls> calls,
    List<ComputingControl> controls,
    List<ArmAgreement> agreements) {

  /**
   * Everything that the counters give.
   *
   * @param tool the cost of a fault by lmbench, if measured
   */
  public static OverheadStudy of(StudyData data, Optional<LatencyCost> tool) {
    return new OverheadStudy(
        Slowdowns.of(data),
        TimeBreakdown.of(data),
        PageFaults.of(data),
        new FaultCosts(ConnectionCost.of(data), PageFaults.explained(data, tool), tool),
        DiskLayers.of(data),
        SystemCalls.of(data),
        ComputingControl.of(data),
        ArmAgreement.of(data));
  }

  /**
   * What a page fault costs, apart from the system time of the cases.
   *
   * @param tool by lmbench, if measured
   */
  public record FaultCosts(
      List<ConnectionCost> connections, List<Explained> explained, Optional<LatencyCost> tool) {}

  /**
   * Two arms with the same cases: whether the same cases suffer most, and which of them is faster.
   *
   * @param spearman rank correlation of the slowdowns
   * @param base on the base
   * @param xen in the guest
   */
  public record ArmAgreement(
      String first, String second, int cases, double spearman, Faster base, Faster xen) {
    private static final int FEWEST = 4;

    /** The number of cases that take less time in the first arm, and in the second. */
    public record Faster(long first, long second) {}

    /** All pairs of arms that have at least four cases in common. */
    public static List<ArmAgreement> of(StudyData data) {
      List<StudyArm> arms =
          StudyArm.of(data.cells()).stream()
              .filter(arm -> !arm.pairs(Slowdowns.TIME).isEmpty())
              .toList();
      List<ArmAgreement> all = new ArrayList<>();
      for (int i = 0; i < arms.size(); i++) {
        for (int j = i + 1; j < arms.size(); j++) {
          if (arms.get(i).columns().equals(arms.get(j).columns())) {
            List<Pair[]> common = common(arms.get(i), arms.get(j));
            if (common.size() >= FEWEST) {
              all.add(of(arms.get(i), arms.get(j), common));
            }
          }
        }
      }
      return all;
    }

    private static List<Pair[]> common(StudyArm first, StudyArm second) {
      List<Pair[]> common = new ArrayList<>();
      for (Pair one : first.pairs(Slowdowns.TIME)) {
        second.pairs(Slowdowns.TIME).stream()
            .filter(other -> second.caseOf(other.base()).equals(first.caseOf(one.base())))
            .findFirst()
            .ifPresent(other -> common.add(new Pair[] {one, other}));
      }
      return common;
    }

    private static ArmAgreement of(StudyArm first, StudyArm second, List<Pair[]> common) {
      return new ArmAgreement(
          first.name(),
          second.name(),
          common.size(),
          Correlation.of(slowdowns(common, 0), slowdowns(common, 1)).spearman(),
          faster(common, Pair::base),
          faster(common, Pair::other));
    }

    private static Faster faster(List<Pair[]> common, Function<Pair, StudyCell> side) {
      return new Faster(
          common.stream()
              .filter(both -> time(side.apply(both[0])) < time(side.apply(both[1])))
              .count(),
          common.stream()
              .filter(both -> time(side.apply(both[1])) < time(side.apply(both[0])))
              .count());
    }

    private static double time(StudyCell cell) {
      return cell.value(Slowdowns.TIME);
    }

    private static double[] slowdowns(List<Pair[]> common, int which) {
      return common.stream().mapToDouble(both -> both[which].slowdown(Slowdowns.TIME)).toArray();
    }
  }

  /**
   * An arm that only computes: the slowdown of its user time is that of the CPU, and a check of a
   * steady clock.
   *
   * @param mean slowdown of the user time in percent
   * @param perSquare seconds / n² of the base, if the cases are lengths of a list; {@code NaN}
   *     otherwise
   * @param scatter largest deviation of it, in percent
   */
  public record ComputingControl(
      String arm,
      int cases,
      double mean,
      double least,
      double most,
      double perSquare,
      double scatter) {
    /** Beyond this the systems differ in more than Xen. */
    public static final double DOUBTFUL = 5;

    private static final double COMPUTING = 0.97;
    private static final String USER = "user";
    private static final Pattern LENGTH = Pattern.compile("([0-9.]+) ?([kM]?)");

    /** The arms whose every case has its time as user time, on both systems. */
    public static List<ComputingControl> of(StudyData data) {
      return StudyArm.of(data.cells()).stream()
          .filter(ComputingControl::computes)
          .map(ComputingControl::of)
          .toList();
    }

    private static boolean computes(StudyArm arm) {
      List<Pair> pairs = arm.pairs(Slowdowns.TIME);
      return !pairs.isEmpty()
          && pairs.stream().allMatch(pair -> computes(pair.base()) && computes(pair.other()))
          && pairs.stream().allMatch(pair -> sizes(arm, pair).isPresent());
    }

    private static boolean computes(StudyCell cell) {
      return cell.value(USER) >= COMPUTING * cell.value(Slowdowns.TIME);
    }

    private static ComputingControl of(StudyArm arm) {
      List<Pair> pairs = arm.pairs(Slowdowns.TIME);
      double[] slowdowns = Pair.each(pairs, pair -> pair.slowdown(USER));
      double[] squares =
          Pair.each(
              pairs,
              pair -> {
                double n = sizes(arm, pair).orElseThrow();
                return pair.base().value(USER) / (n * n);
              });
      double each = Arrays.stream(squares).average().orElseThrow();
      return new ComputingControl(
          arm.name(),
          pairs.size(),
          Arrays.stream(slowdowns).average().orElseThrow(),
          Arrays.stream(slowdowns).min().orElseThrow(),
          Arrays.stream(slowdowns).max().orElseThrow(),
          each,
          Arrays.stream(squares).map(one -> 100 * Math.abs(one / each - 1)).max().orElseThrow());
    }

    /** The length of the list that a case sorts; empty if its name is no number. */
    private static OptionalDouble sizes(StudyArm arm, Pair pair) {
      Matcher length = LENGTH.matcher(arm.caseOf(pair.base()));
      if (!length.matches()) {
        return OptionalDouble.empty();
      }
      double factor =
          switch (length.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 1e3;
            case "m" -> 1e6;
            default -> 1;
          };
      return OptionalDouble.of(factor * Double.parseDouble(length.group(1)));
    }
  }

  /**
   * The cost of a page fault from a new connection per query compared with a persistent one, in
   * seconds.
   *
   * @param arm one connection per query
   * @param kept the arm with a persistent one
   */
  public record ConnectionCost(String arm, String kept, FaultCost base, FaultCost xen) {
    private static final String CONNECTION = "connection";

    /** Matches an experiment's name that says nothing but that the connection is kept. */
    private static final Pattern KEPT =
        Pattern.compile("(one|single|kept|persistent)[ _-]connection", Pattern.CASE_INSENSITIVE);

    /** The costs from all arms with faults that were also measured with a persistent connection. */
    public static List<ConnectionCost> of(StudyData data) {
      return StudyArm.of(data.cells()).stream()
          .filter(arm -> !arm.pairs(PageFaults.FAULTS, Slowdowns.TIME).isEmpty())
          .flatMap(arm -> partner(data, arm).stream().map(kept -> of(arm, kept)))
          .toList();
    }

    private static ConnectionCost of(StudyArm arm, StudyArm kept) {
      return new ConnectionCost(
          arm.name(), kept.name(), cost(arm, kept, Tiers.BASE), cost(arm, kept, Tiers.XEN));
    }

    private static FaultCost cost(StudyArm arm, StudyArm kept, String tier) {
      List<Pair> pairs =
          arm.on(tier, PageFaults.FAULTS, Slowdowns.TIME).stream()
              .flatMap(cell -> of(arm, kept, cell).stream())
              .toList();
      return FaultCost.ofConnections(pairs);
    }

    private static Stream<Pair> partners(StudyArm kept, StudyCell cell, Map<String, String> of) {
      return kept.cells().find(of, cell.tier()).stream()
          .map(other -> new Pair(cell, other, new StudyCell(of, "", Map.of())));
    }

    private static List<Pair> of(StudyArm arm, StudyArm kept, StudyCell cell) {
      Map<String, String> of = new TreeMap<>(kept.conditions());
      arm.columns().forEach(column -> of.put(column, cell.of().get(column)));
      return partners(kept, cell, of).toList();
    }

    /** The arm that differs from one with a connection per query only by keeping its connection. */
    static Optional<StudyArm> partner(StudyData data, StudyArm arm) {
      return StudyArm.of(data.cells()).stream()
          .filter(other -> other.columns().equals(arm.columns()))
          .filter(other -> !other.pairs(Slowdowns.TIME).isEmpty())
          .filter(other -> keeps(arm, other))
          .findFirst();
    }

    private static boolean keeps(StudyArm arm, StudyArm other) {
      if (arm.conditions().containsKey(CONNECTION)) {
        Map<String, String> like = new TreeMap<>(arm.conditions());
        return "query".equals(like.put(CONNECTION, "one")) && like.equals(other.conditions());
      }
      Map<String, String> mine = new TreeMap<>(arm.conditions());
      Map<String, String> others = new TreeMap<>(other.conditions());
      String name = mine.remove("experiment");
      String kept = others.remove("experiment");
      return name != null
          && kept != null
          && mine.equals(others)
          && !KEPT.matcher(name).matches()
          && KEPT.matcher(kept).matches();
    }
  }
}
