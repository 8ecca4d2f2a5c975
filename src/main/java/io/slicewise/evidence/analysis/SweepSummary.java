package io.slicewise.evidence.analysis;

import io.slicewise.run.Origin;
import java.util.List;
import java.util.stream.Stream;

/**
 * A sweep reduced to cells: what {@code summary.json} holds and every table prints.
 *
 * @param host its address, or that it was the embedded lab
 * @param origin where the numbers come from: measured on a host or on the lab, or simulated
 * @param trialsPlanned of all blocks so far; a {@code stop} may add more
 * @param trialsFinished those of them that gave a result, however often they were tried
 * @param cells by load, then in the experiment's order of profiles
 * @param excluded attempts that left by a rule, each with its reasons
 * @param failed trials that gave no result at all, each with its reason
 * @param notes in words: footnotes that belong under every table
 */
public record SweepSummary(
    String experiment,
    String workload,
    String host,
    Origin origin,
    int trialsPlanned,
    int trialsFinished,
    List<CellSummary> cells,
    List<Exclusion> excluded,
    List<Exclusion> failed,
    List<String> notes) {
  public SweepSummary {
    cells = List.copyOf(cells);
    excluded = List.copyOf(excluded);
    failed = List.copyOf(failed);
    notes = List.copyOf(notes);
  }

  /** The same with some of its cells alone. */
  public SweepSummary with(List<CellSummary> some) {
    return copy(host, origin, some, notes);
  }

  /** The same, of a run whose numbers come from there. */
  public SweepSummary from(Origin other) {
    return copy(other.isSimulated() ? "none: simulated" : host, other, cells, notes);
  }

  /** The same with one more note, before all others. */
  public SweepSummary noting(String note) {
    return copy(host, origin, cells, Stream.concat(Stream.of(note), notes.stream()).toList());
  }

  private SweepSummary copy(
      String place, Origin source, List<CellSummary> some, List<String> said) {
    return new SweepSummary(
        experiment,
        workload,
        place,
        source,
        trialsPlanned,
        trialsFinished,
        some,
        excluded,
        failed,
        said);
  }

  /** How many trials left by a rule and were made good by no later attempt. */
  public int trialsExcluded() {
    return (int)
        excluded.stream()
            .filter(attempt -> !attempt.replaced())
            .mapToInt(Exclusion::trial)
            .distinct()
            .count();
  }

  /**
   * An attempt at a trial that does not count, and why.
   *
   * @param replaced whether another attempt counts in its place
   */
  public record Exclusion(int trial, String slug, boolean replaced, List<String> reasons) {
    public Exclusion {
      reasons = List.copyOf(reasons);
    }
  }
}
