package io.slicewise.evidence.study;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.RunDirectory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Runs of the bare machine and of a guest as the data of an overhead study. A block is one boot of
 * each; boots are paired in their order in time.
 *
 * @param notes how the boots were paired, and what is missing
 */
public record OverheadRuns(StudyData data, List<String> notes) {
  private static final double MEMORY = 0.05;

  /** Facts of an experiment that differ between the two systems by their nature. */
  private static final List<String> OWN =
      List.of("main domains", "other domains", "control domains", "order", "lab");

  public OverheadRuns {
    notes = List.copyOf(notes);
  }

  /**
   * The data of some runs.
   *
   * @param accepted whether the two systems may differ in what a comparison needs to be equal
   * @throws SlicewiseException if a system has no run, or they differ
   */
  public static OverheadRuns of(List<RunDirectory> directories, boolean accepted) {
    List<OverheadRun> runs =
        directories.stream()
            .map(OverheadRun::of)
            .sorted(Comparator.comparing(OverheadRun::begun))
            .toList();
    List<OverheadRun> base = runs.stream().filter(OverheadRun::base).toList();
    List<OverheadRun> xen = runs.stream().filter(run -> !run.base()).toList();
    if (base.isEmpty() || xen.isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          base.isEmpty()
              ? "none of these runs is of a machine without a hypervisor"
              : "none of these runs is of a guest",
          "name at least one run of each; host: {hypervisor: none} measures the bare machine");
    }
    List<String> differences = differences(base, xen);
    if (!differences.isEmpty() && !accepted) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          "base and guest differ in more than Xen: " + String.join("; ", differences),
          "measure both alike, or use --accept-differences");
    }
    return paired(base, xen, differences);
  }

  private static OverheadRuns paired(
      List<OverheadRun> base, List<OverheadRun> xen, List<String> differences) {
    List<String> notes = new ArrayList<>();
    int pairs = Math.min(base.size(), xen.size());
    List<Cells> blocks = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      notes.add("pair %d: %s, %s".formatted(i + 1, base.get(i).name(), xen.get(i).name()));
      blocks.add(joined(base.get(i), xen.get(i)));
    }
    for (List<OverheadRun> side : List.of(base, xen)) {
      side.stream()
          .skip(pairs)
          .forEach(run -> notes.add("left out, without a partner: " + run.name()));
    }
    if (pairs == 1) {
      notes.add("one boot of each system: boot and Xen cannot be distinguished");
    }
    differences.forEach(one -> notes.add("accepted difference, base / guest: " + one));
    List<Cells> passes = new ArrayList<>();
    if (pairs == 1) {
      passes.addAll(base.get(0).passes());
      passes.addAll(xen.get(0).passes());
    }
    return new OverheadRuns(new StudyData(CellMeans.of(blocks), blocks, passes), notes);
  }

  private static Cells joined(OverheadRun base, OverheadRun xen) {
    List<StudyCell> cells = new ArrayList<>(base.mean().all());
    cells.addAll(xen.mean().all());
    return new Cells(cells);
  }

  private static List<String> differences(List<OverheadRun> base, List<OverheadRun> xen) {
    Set<String> all = new LinkedHashSet<>();
    for (OverheadRun one : base) {
      for (OverheadRun other : xen) {
        one.run().conditions().differences(other.run().conditions()).stream()
            .filter(difference -> OWN.stream().noneMatch(difference::startsWith))
            .forEach(all::add);
        if (one.cpus() > 0 && other.cpus() > 0 && one.cpus() != other.cpus()) {
          all.add("CPUs %d / %d vCPUs".formatted(one.cpus(), other.cpus()));
        }
        memory(one, other).ifPresent(all::add);
      }
    }
    return List.copyOf(all);
  }

  private static Optional<String> memory(OverheadRun base, OverheadRun xen) {
    return Math.abs(base.memory() / xen.memory() - 1) > MEMORY
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "memory %.0f / %.0f MB",
                base.memory() / (1 << 20),
                xen.memory() / (1 << 20)))
        : Optional.empty();
  }
}
