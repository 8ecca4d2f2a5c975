package io.slicewise.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.math3.linear.MatrixUtils;
import org.apache.commons.math3.linear.QRDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * What the previous setting leaves in windows, found in two ways, each by setting and as one share.
 *
 * <ul>
 *   <li><b>halves</b>: the mean of ln(second half / first half) by setting, with the scatter pooled
 *       over settings; and the share of τ(current) − τ(previous) by which windows still change from
 *       half to half, by regression.
 *   <li><b>previous</b>: ordinary least squares of ln x on block, current setting and previous
 *       setting, each previous setting against the baseline as the previous one; and the share of
 *       τ(previous) that is left in a window, beside block and current setting.
 * </ul>
 *
 * <p>τ is a setting's mean deviation from its blocks, over complete blocks other than the window's
 * own and its neighbours, so that a window's noise is not in it. A share is one number in the place
 * of many, and so shows much smaller remains. All intervals together have at least 95 %: 1 % for
 * each share and 0.5 % for the settings of each way are 3 % for independent windows (Bonferroni),
 * which leaves room for windows whose noise outlasts them.
 *
 * <p>Source: B. Jones and M. G. Kenward, <i>Design and Analysis of Cross-Over Trials</i> (3rd ed.
 * 2014), chapter 5, on first-order carry-over in the additive model; R. Frisch and F. V. Waugh,
 * <i>Partial time regressions as compared with individual trends</i>, Econometrica 1 (1933), on
 * taking blocks off by their means.
 *
 * <p>Worked example of halves: one setting with 0.01, 0.03: mean 0.02, s = 0.014142; t(1 − 0.005/2;
 * 1) = 127.3213, half-width 1.273213.
 *
 * @param halves by current setting; empty when there are too few windows
 * @param previous by previous setting, without the baseline
 * @param halvesShare of the difference to the previous setting
 * @param previousShare of the previous setting's effect
 * @param span largest less smallest τ: what a share is a share of
 */
public record CarryOver(
    List<Remains> halves,
    List<Remains> previous,
    Optional<Share> halvesShare,
    Optional<Share> previousShare,
    double span) {
  /**
   * Of each share, and of all settings in one way: 3 % together. Where noise outlasts a window,
   * shares are outside more often than their level says, simulated up to 1.7 times as often.
   */
  private static final double SHARE_LEVEL = 0.01;

  private static final double SETTINGS_LEVEL = 0.005;
  private static final double TOGETHER = 0.05;

  public CarryOver {
    halves = List.copyOf(halves);
    previous = List.copyOf(previous);
  }

  /**
   * One window.
   *
   * @param session any number that is the same for all windows of a session and for no others
   * @param block of the session, in order
   * @param setting counted from 0, the baseline
   * @param previous setting in the session; -1 for the first window
   * @param log ln x
   * @param halves ln(second half / first half); {@code NaN} unknown
   */
  public record Window(
      int session, int block, int setting, int previous, double log, double halves) {}

  /**
   * A setting's effect on logarithms, with its interval.
   *
   * @param p of "nothing is left", so that below 0.05 the interval excludes it
   */
  public record Remains(int setting, double logRatio, double low, double high, double p) {
    boolean exceeds(Band band) {
      return band.isExceededBy(low, high);
    }
  }

  /**
   * A share of a difference on logarithms, 0..1 unless by noise, with its interval.
   *
   * @param p of "nothing is left", so that below 0.05 the interval excludes it
   */
  public record Share(double share, double low, double high, double p) {
    boolean exceeds(Band band, double span) {
      return band.isExceededBy(low * span, high * span);
    }
  }

  /**
   * Returns what is left.
   *
   * @param settings how many there are, the baseline among them
   */
  public static CarryOver of(List<Window> windows, int settings) {
    return new Finding(windows, settings).all();
  }

  /** Whether an interval excludes "nothing left" and reaches beyond the band. */
  public boolean isFound(Band band) {
    return found(band).findAny().isPresent();
  }

  /**
   * Returns the p of "nothing is left" over all intervals together; {@code NaN} without any. Each
   * interval has its part of the 5 %, and only one that reaches beyond the band counts.
   */
  public double p(Band band) {
    if (halves.isEmpty()
        && previous.isEmpty()
        && halvesShare.isEmpty()
        && previousShare.isEmpty()) {
      return Double.NaN;
    }
    return found(band).mapToDouble(Left::p).min().orElse(1);
  }

  /** Returns the largest log ratio among the intervals that exclude nothing; 0 without any. */
  public double largest(Band band) {
    return found(band).mapToDouble(left -> Math.abs(left.log())).max().orElse(0);
  }

  /** What an interval that excludes "nothing left", and exceeds the band, estimates. */
  private record Left(double log, double p) {}

  private Stream<Left> found(Band band) {
    return Stream.concat(
        Stream.of(halves, previous)
            .flatMap(List::stream)
            .filter(one -> one.exceeds(band))
            .map(one -> new Left(one.logRatio(), one.p())),
        Stream.of(halvesShare, previousShare)
            .flatMap(Optional::stream)
            .filter(share -> share.exceeds(band, span))
            .map(share -> new Left(share.share() * span, share.p())));
  }

  /** Whether shares are known and lie inside the band with their whole intervals. */
  public boolean isCovered(Band band) {
    return halvesShare.filter(share -> inside(share, band)).isPresent()
        && previousShare.filter(share -> inside(share, band)).isPresent();
  }

  private boolean inside(Share share, Band band) {
    return share.low() * span > band.low() && share.high() * span < band.high();
  }

  private static final class Finding {
    private final List<Window> windows;
    private final int settings;
    private final Levels levels;

    Finding(List<Window> windows, int settings) {
      this.windows = windows;
      this.settings = settings;
      this.levels = new Levels(windows, settings);
    }

    CarryOver all() {
      return new CarryOver(halves(), previous(), halvesShare(), previousShare(), levels.span());
    }

    private List<Remains> halves() {
      Map<Integer, double[]> known = new TreeMap<>();
      for (int setting = 0; setting < settings; setting++) {
        int at = setting;
        double[] changes =
            windows.stream()
                .filter(window -> window.setting() == at)
                .mapToDouble(Window::halves)
                .filter(Double::isFinite)
                .toArray();
        if (changes.length > 0) {
          known.put(setting, changes);
        }
      }
      int freedom = known.values().stream().mapToInt(changes -> changes.length - 1).sum();
      if (freedom == 0) {
        return List.of();
      }
      double squares =
          known.values().stream()
              .filter(changes -> changes.length > 1)
              .mapToDouble(x -> Math.pow(Sample.deviation(x), 2) * (x.length - 1))
              .sum();
      double scatter = Math.sqrt(squares / freedom);
      List<Remains> shifts = new ArrayList<>();
      known.forEach(
          (setting, changes) ->
              shifts.add(
                  remains(
                      setting,
                      Sample.mean(changes),
                      scatter / Math.sqrt(changes.length),
                      freedom,
                      SETTINGS_LEVEL / known.size())));
      return shifts;
    }

    private static Remains remains(
        int setting, double mean, double error, int freedom, double level) {
      double half = StudentT.factor(1 - level, freedom) * error;
      return new Remains(setting, mean, mean - half, mean + half, p(mean, error, freedom, level));
    }

    /** Returns the p of one interval among all of them: its own, by its part of the 5 %. */
    private static double p(double mean, double error, int freedom, double level) {
      return error == 0
          ? mean == 0 ? 1 : 0
          : Math.min(1, StudentT.twoSided(mean / error, freedom) * TOGETHER / level);
    }

    private List<Remains> previous() {
      List<Window> used = inCompany(followers());
      double[][] x = new double[used.size()][2 * (settings - 1)];
      for (int i = 0; i < x.length; i++) {
        mark(x[i], used.get(i).setting(), 0);
        mark(x[i], used.get(i).previous(), settings - 1);
      }
      List<Remains> remains = new ArrayList<>();
      fit(used, x)
          .ifPresent(
              fit -> {
                for (int setting = 1; setting < settings; setting++) {
                  int column = settings - 2 + setting;
                  remains.add(
                      remains(
                          setting,
                          fit.coefficients().get(column),
                          fit.errors().get(column),
                          fit.freedom(),
                          SETTINGS_LEVEL / (settings - 1)));
                }
              });
      return remains;
    }

    private Optional<Share> previousShare() {
      List<Window> used = inCompany(followers().stream().filter(levels::areKnownWithout).toList());
      double[][] x = new double[used.size()][settings];
      for (int i = 0; i < x.length; i++) {
        mark(x[i], used.get(i).setting(), 0);
        x[i][settings - 1] = levels.without(used.get(i))[used.get(i).previous()];
      }
      return fit(used, x).map(fit -> share(fit, settings - 1));
    }

    private Optional<Share> halvesShare() {
      List<Window> used =
          followers().stream()
              .filter(window -> Double.isFinite(window.halves()))
              .filter(levels::areKnownWithout)
              .toList();
      double[][] x = new double[used.size()][];
      double[] y = new double[used.size()];
      for (int i = 0; i < x.length; i++) {
        double[] tau = levels.without(used.get(i));
        x[i] = new double[] {1, tau[used.get(i).setting()] - tau[used.get(i).previous()]};
        y[i] = used.get(i).halves();
      }
      return LeastSquares.of(x, y, 0).map(fit -> share(fit, 1));
    }

    private static Share share(LeastSquares fit, int column) {
      double share = fit.coefficients().get(column);
      double error = fit.errors().get(column);
      double half = StudentT.factor(1 - SHARE_LEVEL, fit.freedom()) * error;
      return new Share(
          share, share - half, share + half, p(share, error, fit.freedom(), SHARE_LEVEL));
    }

    private List<Window> followers() {
      return windows.stream().filter(window -> window.previous() >= 0).toList();
    }

    /** Leaves out windows that are alone in their block, which say nothing. */
    private static List<Window> inCompany(List<Window> windows) {
      Map<List<Integer>, Long> sizes =
          windows.stream().collect(Collectors.groupingBy(Finding::key, Collectors.counting()));
      return windows.stream().filter(one -> sizes.get(key(one)) > 1).toList();
    }

    private static List<Integer> key(Window window) {
      return List.of(window.session(), window.block());
    }

    private static void mark(double[] row, int setting, int from) {
      if (setting > 0) {
        row[from + setting - 1] = 1;
      }
    }

    /** The fit of ln x with blocks taken off. */
    private static Optional<LeastSquares> fit(List<Window> windows, double[][] x) {
      double[] y = windows.stream().mapToDouble(Window::log).toArray();
      Map<List<Integer>, List<Integer>> blocks =
          IntStream.range(0, y.length)
              .boxed()
              .collect(Collectors.groupingBy(i -> key(windows.get(i))));
      for (List<Integer> rows : blocks.values()) {
        double mean = rows.stream().mapToDouble(i -> y[i]).average().orElseThrow();
        rows.forEach(i -> y[i] -= mean);
        for (int column = 0; column < x[0].length; column++) {
          int at = column;
          double share = rows.stream().mapToDouble(i -> x[i][at]).average().orElseThrow();
          rows.forEach(i -> x[i][at] -= share);
        }
      }
      return LeastSquares.of(x, y, blocks.size());
    }
  }

  /** τ of each setting, over complete blocks. */
  private static final class Levels {
    private static final int FEWEST = 2;

    private final Map<List<Integer>, double[]> complete = new TreeMap<>(Levels::compare);
    private final int settings;

    Levels(List<Window> windows, int settings) {
      this.settings = settings;
      Map<List<Integer>, List<Window>> blocks =
          windows.stream().collect(Collectors.groupingBy(Finding::key));
      blocks.forEach(
          (key, block) -> {
            double[] logs = new double[settings];
            for (int setting = 0; setting < settings; setting++) {
              int at = setting;
              logs[setting] =
                  block.stream()
                      .filter(window -> window.setting() == at)
                      .mapToDouble(Window::log)
                      .average()
                      .orElse(Double.NaN);
            }
            double mean = Arrays.stream(logs).average().orElse(Double.NaN);
            if (Double.isFinite(mean)) {
              complete.put(key, Arrays.stream(logs).map(log -> log - mean).toArray());
            }
          });
    }

    private static int compare(List<Integer> one, List<Integer> other) {
      int sessions = Integer.compare(one.get(0), other.get(0));
      return sessions == 0 ? Integer.compare(one.get(1), other.get(1)) : sessions;
    }

    double span() {
      double[] tau = mean(complete.values().stream().toList());
      return Arrays.stream(tau).max().orElse(Double.NaN)
          - Arrays.stream(tau).min().orElse(Double.NaN);
    }

    boolean areKnownWithout(Window window) {
      return apart(window).size() >= FEWEST;
    }

    double[] without(Window window) {
      return mean(apart(window));
    }

    private List<double[]> apart(Window window) {
      return complete.entrySet().stream()
          .filter(
              block ->
                  block.getKey().get(0) != window.session()
                      || Math.abs(block.getKey().get(1) - window.block()) > 1)
          .map(Map.Entry::getValue)
          .toList();
    }

    private double[] mean(List<double[]> blocks) {
      double[] mean = new double[settings];
      Arrays.setAll(
          mean, i -> blocks.stream().mapToDouble(block -> block[i]).average().orElse(Double.NaN));
      return mean;
    }
  }

  /**
   * An ordinary least-squares fit: coefficients and their standard errors s·√((XᵀX)⁻¹)_jj, with X =
   * QR and s² = residual squares / freedom.
   *
   * <p>Source: N. R. Draper and H. Smith, <i>Applied Regression Analysis</i> (3rd ed. 1998),
   * chapter 5; computed by Apache Commons Math.
   *
   * <p>Worked example: y 1, 2, 4 on x 1, 2, 3 without intercept: 17/14 = 1.214286, residual squares
   * 0.357143, with 2 degrees of freedom a standard error of 0.112938.
   */
  record LeastSquares(List<Double> coefficients, List<Double> errors, int freedom) {
    private static final double SINGULAR = 1e-9;

    /**
     * Returns the fit; empty when the observations do not determine all coefficients and the
     * scatter.
     *
     * @param taken degrees of freedom that were taken from the observations before
     */
    static Optional<LeastSquares> of(double[][] x, double[] y, int taken) {
      int columns = x.length == 0 ? 0 : x[0].length;
      int freedom = y.length - taken - columns;
      if (columns == 0 || freedom < 1) {
        return Optional.empty();
      }
      RealMatrix matrix = MatrixUtils.createRealMatrix(x);
      QRDecomposition parts = new QRDecomposition(matrix, SINGULAR);
      if (!parts.getSolver().isNonSingular()) {
        return Optional.empty();
      }
      RealVector observed = MatrixUtils.createRealVector(y);
      RealVector fitted = parts.getSolver().solve(observed);
      RealVector residuals = observed.subtract(matrix.operate(fitted));
      double scatter = Math.sqrt(residuals.dotProduct(residuals) / freedom);
      RealMatrix inverse =
          MatrixUtils.inverse(parts.getR().getSubMatrix(0, columns - 1, 0, columns - 1));
      double[] errors = new double[columns];
      Arrays.setAll(
          errors, j -> scatter * Math.sqrt(Arrays.stream(inverse.getRow(j)).map(w -> w * w).sum()));
      return Optional.of(
          new LeastSquares(
              Arrays.stream(fitted.toArray()).boxed().toList(),
              Arrays.stream(errors).boxed().toList(),
              freedom));
    }
  }
}
