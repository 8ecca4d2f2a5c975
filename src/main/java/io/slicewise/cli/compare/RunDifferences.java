package io.slicewise.cli.compare;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.MeasuredRun.MeasuredCell;
import io.slicewise.run.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Warnings about what limits a comparison of two runs. */
record RunDifferences(
    MeasuredRun before, String name, MeasuredRun now, List<Comparison> comparisons) {
  private static final double LEVEL = 0.05;

  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    List<String> conditions = before.conditions().differences(now.conditions());
    if (!conditions.isEmpty()) {
      warnings.add("the runs measured different things: " + String.join("; ", conditions));
    }
    List<String> unknown = before.conditions().unknown(now.conditions());
    if (!unknown.isEmpty()) {
      warnings.add(
          ("these options of the workload are unknown for one run: %s, so it cannot be"
                  + " checked that they are the same")
              .formatted(String.join(", ", unknown)));
    }
    if (before.host().isPresent() && now.host().isPresent()) {
      List<String> hosts = before.host().get().differences(now.host().get());
      if (!hosts.isEmpty()) {
        warnings.add(
            "not the same host: " + String.join("; ", hosts) + "; that may cause a change below");
      }
    } else {
      warnings.add(
          "the host of one run is unknown, so it cannot be checked that both are the same");
    }
    if (now.origin().kind() != Origin.Kind.HOST) {
      warnings.add(now.origin().sentence());
    }
    warnings.addAll(settings());
    warnings.addAll(chosen());
    alone(before, name, now).ifPresent(warnings::add);
    alone(now, now.name(), before).ifPresent(warnings::add);
    unfinished(before, name).ifPresent(warnings::add);
    unfinished(now, now.name()).ifPresent(warnings::add);
    excluded(before, name).ifPresent(warnings::add);
    excluded(now, now.name()).ifPresent(warnings::add);
    disagreeing(warnings);
    warnings.add(
        "two runs share no block: differences between nights are part of the change but not of its"
            + " interval; slicewise history separates them");
    return warnings;
  }

  /** Returns a warning for selected cells that only one of the runs has. */
  private static Optional<String> alone(MeasuredRun run, String its, MeasuredRun other) {
    List<String> cells =
        run.cells().stream()
            .filter(cell -> !cell.control() && !other.has(cell.profile(), cell.load()))
            .map(cell -> cell.profile() + " at " + cell.load().text())
            .toList();
    return cells.isEmpty()
        ? Optional.empty()
        : Optional.of("only in " + its + ", not compared: " + String.join(", ", cells));
  }

  private static Optional<String> unfinished(MeasuredRun run, String its) {
    return run.finished() < run.planned()
        ? Optional.of(
            run.finished() + " of " + run.planned() + " trials of " + its + " have finished so far")
        : Optional.empty();
  }

  private static Optional<String> excluded(MeasuredRun run, String its) {
    return run.excluded() == 0
        ? Optional.empty()
        : Optional.of(
            run.excluded() + " of " + run.finished() + " trials of " + its + " are excluded");
  }

  /** Returns a warning for profiles of the same name with different settings. */
  private Set<String> settings() {
    Set<String> warnings = new TreeSet<>();
    for (MeasuredCell cell : now.cells()) {
      before
          .cell(cell.profile(), cell.load())
          .filter(other -> !other.settings().equals(cell.settings()))
          .ifPresent(
              other ->
                  warnings.add(
                      "profile %s sets something else in %s: %s / %s"
                          .formatted(cell.profile(), name, other.settings(), cell.settings())));
    }
    return warnings;
  }

  /** Returns a warning for each cell that only one of the runs measured to confirm it. */
  private List<String> chosen() {
    return now.cells().stream()
        .filter(
            cell ->
                before
                    .cell(cell.profile(), cell.load())
                    .filter(other -> other.confirmation() != cell.confirmation())
                    .isPresent())
        .map(
            cell ->
                "%s at %s: only the values of %s are of a confirmation; others of a tune also"
                        .formatted(
                            cell.profile(),
                            cell.load().text(),
                            cell.confirmation() ? now.name() : name)
                    + " chose between candidates")
        .toList();
  }

  private void disagreeing(List<String> warnings) {
    comparisons.stream()
        .filter(c -> c.kind() == Kind.PRIMARY)
        .filter(c -> c.verdict().isChange())
        .filter(c -> c.rankP() > LEVEL)
        .map(
            c ->
                "%s at %s: the rank test disagrees; check the individual trials"
                    .formatted(c.profile(), c.load().text()))
        .forEach(warnings::add);
  }
}
