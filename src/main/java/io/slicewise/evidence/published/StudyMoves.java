package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.Violation;
import io.slicewise.stats.table.MedianPolish;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds impossible or doubtful shares that nevertheless add up: cells of a domain's two-way tables
 * (profiles by users) that do not fit their row and column.
 *
 * <p>Moved: both run and wait are beyond the outer fences, by the same amount, one up and one down.
 * Something was moved from one to the other, usually a digit. A jump: one share is beyond the outer
 * fences, or two are beyond the inner ones, and no other cell of its row and column is.
 */
final class StudyMoves {
  /**
   * The maximum difference from rounding two shares and their neighbours to a tenth of a percent.
   */
  private static final double ALIKE = 1;

  /** Percentage points, and fraction of the fitting share, below which a share does not jump. */
  private static final double POINTS = 2;

  private static final double PART = 0.1;
  private static final List<String> SHARES = List.of("run", "wait", "block");
  private static final String DIGIT =
      "a digit was mistyped and the rest computed from it, or two numbers were swapped";

  private StudyMoves() {}

  /** A domain's shares, by row of profiles and column of loads. */
  private record Grid(
      List<Row> runs,
      List<String> profiles,
      List<Integer> loads,
      Map<String, double[][]> shares,
      Map<String, MedianPolish> polished) {
    static Grid of(StudyTable table, List<Row> runs) {
      List<String> profiles = runs.stream().map(Row::profile).distinct().toList();
      List<Integer> loads = runs.stream().map(Row::users).distinct().toList();
      Map<String, double[][]> shares = new LinkedHashMap<>();
      Map<String, MedianPolish> polished = new LinkedHashMap<>();
      for (String share : SHARES) {
        double[][] grid = new double[profiles.size()][loads.size()];
        for (Row run : runs) {
          grid[profiles.indexOf(run.profile())][loads.indexOf(run.users())] =
              share.equals("run") ? run.mean() : StudyShares.share(table, run, share);
        }
        shares.put(share, grid);
        if (isWhole(runs.size(), grid)) {
          polished.put(share, MedianPolish.of(grid));
        }
      }
      return new Grid(runs, profiles, loads, shares, polished);
    }

    private static boolean isWhole(int cells, double[][] grid) {
      boolean whole = grid.length > 0 && cells == grid.length * grid[0].length;
      for (double[] row : grid) {
        for (double value : row) {
          whole &= Double.isFinite(value);
        }
      }
      return whole;
    }

    int row(Row run) {
      return profiles.indexOf(run.profile());
    }

    int column(Row run) {
      return loads.indexOf(run.users());
    }

    double residual(String share, Row run) {
      return polished.get(share).residual(row(run), column(run));
    }

    double value(String share, Row run) {
      return shares.get(share)[row(run)][column(run)];
    }

    boolean isFarOut(String share, Row run) {
      return polished.containsKey(share) && polished.get(share).isFarOut(row(run), column(run));
    }

    /** Whether a share deviates enough to be reported. */
    boolean isOutside(String share, Row run) {
      if (!polished.containsKey(share)) {
        return false;
      }
      double off = Math.abs(residual(share, run));
      double fitting = value(share, run) - residual(share, run);
      return off >= POINTS
          && off >= PART * Math.abs(fitting)
          && polished.get(share).isOutside(row(run), column(run));
    }

    boolean isMoved(Row run) {
      return isFarOut("run", run)
          && isFarOut("wait", run)
          && Math.abs(residual("run", run) + residual("wait", run)) <= ALIKE;
    }

    /** The shares that jump in a cell; empty if none do. */
    List<String> jumps(Row run) {
      List<String> out = SHARES.stream().filter(share -> isOutside(share, run)).toList();
      boolean far = out.stream().anyMatch(share -> isFarOut(share, run));
      return far || out.size() > 1 ? out : List.of();
    }

    /** Whether no other cell of its row and column deviates by half as much. */
    boolean isAlone(Row run) {
      return runs.stream()
          .filter(other -> !other.equals(run))
          .filter(other -> row(other) == row(run) || column(other) == column(run))
          .filter(other -> isMoved(other) || !jumps(other).isEmpty())
          .allMatch(other -> deviation(other) < deviation(run) / 2);
    }

    private double deviation(Row run) {
      return SHARES.stream()
          .filter(polished::containsKey)
          .mapToDouble(share -> Math.abs(residual(share, run)))
          .max()
          .orElse(0);
    }
  }

  static List<Violation> findings(StudyTable table) {
    List<Violation> findings = new ArrayList<>();
    for (Grid grid : grids(table)) {
      for (Row run : grid.runs()) {
        if (grid.isMoved(run)) {
          findings.add(moved(grid, run));
        } else if (!grid.jumps(run).isEmpty() && grid.isAlone(run)) {
          findings.add(jumped(grid, run));
        }
      }
    }
    return findings;
  }

  private static List<Grid> grids(StudyTable table) {
    List<Row> runs = StudyRules.rows(table, "run");
    return runs.stream()
        .map(Row::vm)
        .distinct()
        .map(vm -> Grid.of(table, runs.stream().filter(run -> run.vm().equals(vm)).toList()))
        .toList();
  }

  /** Domains whose shares are not printed for every profile and load, and cannot be compared. */
  static List<Row> incomplete(StudyTable table) {
    return grids(table).stream()
        .filter(grid -> grid.polished().size() < SHARES.size())
        .map(grid -> grid.runs().get(0))
        .toList();
  }

  private static Violation moved(Grid grid, Row run) {
    double moved = grid.residual("run", run);
    double wait = grid.value("wait", run);
    return TableRule.MOVED.broken(
        run.place(),
        Phrase.of(
            "%s, %s: run %.1f %% and wait %.1f %% deviate by %.1f points in opposite directions;"
                + " %.1f and %.1f would fit",
            run.cell(),
            run.vm(),
            run.mean(),
            wait,
            Math.abs(moved),
            run.mean() - moved,
            wait + moved),
        DIGIT);
  }

  private static Violation jumped(Grid grid, Row run) {
    List<String> shares =
        grid.jumps(run).stream()
            .map(
                share ->
                    Phrase.of(
                        "%s %.1f %% where %.1f %% would fit",
                        share,
                        grid.value(share, run),
                        grid.value(share, run) - grid.residual(share, run)))
            .toList();
    boolean far = grid.jumps(run).stream().anyMatch(share -> grid.isFarOut(share, run));
    return TableRule.JUMP.doubted(
        run.place(),
        "%s, %s: %s (beyond the %s fences of the residuals of a median polish)"
            .formatted(run.cell(), run.vm(), String.join(", ", shares), far ? "outer" : "inner"),
        DIGIT);
  }

  /** Checks a study's shares of time. */
  static final class StudyShares {
    /** The tolerance of a sum of three numbers that are rounded to a tenth of a percent. */
    private static final double ROUNDING = 0.1501;

    private static final double MUCH_WAIT = 50;
    private static final double BUSY = 90;
    static final String CONTROL_DOMAIN = "dom0";

    private StudyShares() {}

    static List<Violation> findings(StudyTable table) {
      List<Violation> findings = new ArrayList<>();
      for (Row run : StudyRules.rows(table, "run")) {
        sum(table, run).ifPresent(findings::add);
      }
      normalisation(table).forEach(findings::add);
      return findings;
    }

    private static Optional<Violation> sum(StudyTable table, Row run) {
      double sum = run.mean() + share(table, run, "block") + share(table, run, "wait");
      if (!(Math.abs(sum - 100) > ROUNDING)) {
        return Optional.empty();
      }
      return Optional.of(
          TableRule.SHARES.broken(
              run.place(),
              Phrase.of("%s, %s: block + run + wait = %.2f %%", run.cell(), run.vm(), sum),
              Math.abs(sum - 100) > 2
                  ? "a digit or a number was mistyped or swapped"
                  : "more than rounding: the three come from different records, or a digit is"
                      + " wrong"));
    }

    /**
     * Finds impossible waits: Xen's schedulers leave no pCPU idle while a vCPU waits for one, so a
     * guest cannot wait while most of the machine is idle. Reported once per guest.
     */
    private static List<Violation> normalisation(StudyTable table) {
      Map<String, List<Row>> suspects = new LinkedHashMap<>();
      double busiest = 0;
      for (Row wait : StudyRules.rows(table, "wait")) {
        double busy = StudyRules.sameCell(table, wait, "run").stream().mapToDouble(Row::mean).sum();
        if (busy < BUSY && wait.mean() > MUCH_WAIT && !wait.vm().equals(CONTROL_DOMAIN)) {
          suspects.computeIfAbsent(wait.vm(), vm -> new ArrayList<>()).add(wait);
          busiest = Math.max(busiest, busy);
        }
      }
      double most = busiest;
      return suspects.entrySet().stream()
          .map(entry -> normalised(entry.getKey(), entry.getValue(), most))
          .toList();
    }

    private static Violation normalised(String vm, List<Row> waits, double busiest) {
      return TableRule.NORMALISATION.broken(
          waits.get(0).place(),
          Phrase.of(
              "%s: printed wait of %.1f to %.1f %% in %d cells, but all domains together used at most"
                  + " %.1f %% of the machine",
              vm,
              waits.stream().mapToDouble(Row::mean).min().orElseThrow(),
              waits.stream().mapToDouble(Row::mean).max().orElseThrow(),
              waits.size(),
              busiest),
          "shares were divided by all pCPUs instead of the guest's vCPUs, and wait is the remainder:"
              + " time on pCPUs that the guest cannot use counts as wait");
    }

    static double share(StudyTable table, Row run, String metric) {
      return StudyRules.sameCell(table, run, metric).stream()
          .filter(row -> row.vm().equals(run.vm()))
          .mapToDouble(Row::mean)
          .findFirst()
          .orElse(Double.NaN);
    }
  }
}
