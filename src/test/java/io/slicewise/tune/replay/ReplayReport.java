package io.slicewise.tune.replay;

import java.util.List;

/**
 * The results of a replay by load.
 *
 * @param loads in the order of the table
 */
public record ReplayReport(List<Load> loads) {
  public ReplayReport {
    loads = List.copyOf(loads);
  }

  /** The results of the methods at one load. */
  public record Load(int users, List<Score> methods) {
    public Load {
      methods = List.copyOf(methods);
    }
  }

  /**
   * The mean of all replications of a method.
   *
   * @param runs used, in units of one trial
   * @param goodSelection share whose choice is within δ of the best
   * @param expectedLoss of the choice relative to the best, as a share of the best
   * @param falseClaims share of all replications that claimed "within δ" falsely
   * @param claims share that claimed "within δ"
   */
  public record Score(
      String name,
      double runs,
      double goodSelection,
      double expectedLoss,
      double falseClaims,
      double claims) {}
}
