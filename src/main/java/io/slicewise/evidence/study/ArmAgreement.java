package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.stats.Correlation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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
