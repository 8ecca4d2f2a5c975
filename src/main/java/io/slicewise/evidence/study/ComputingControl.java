package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.StudyData.Pair;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
