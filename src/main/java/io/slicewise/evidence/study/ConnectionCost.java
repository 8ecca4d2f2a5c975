package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.PageFaults.FaultCost;
import io.slicewise.evidence.study.StudyData.Pair;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
