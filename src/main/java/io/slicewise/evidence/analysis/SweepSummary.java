package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.run.Origin;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A sweep reduced to cells: the content of {@code summary.json} and the source of all tables.
 *
 * @param host its address, or that it was the embedded lab
 * @param origin the source of the numbers: measured on a host or on the lab, or simulated
 * @param cells by load, then in the experiment's order of profiles
 * @param notes footnotes of every table
 * @param sessions evidence from the sessions of a switchback design; empty for trials
 */
public record SweepSummary(
    String experiment,
    String workload,
    String host,
    Origin origin,
    @JsonUnwrapped Trials trials,
    List<CellSummary> cells,
    @JsonUnwrapped Exclusions exclusions,
    List<String> notes,
    @JsonInclude(Include.NON_ABSENT) Optional<SessionEvidence> sessions) {
  public SweepSummary {
    cells = List.copyOf(cells);
    notes = List.copyOf(notes);
  }

  /** Returns a copy with only these cells. */
  public SweepSummary with(List<CellSummary> some) {
    return copy(host, origin, some, notes);
  }

  /** Returns a copy with another origin. */
  public SweepSummary from(Origin other) {
    return copy(other.isSimulated() ? "none: simulated" : host, other, cells, notes);
  }

  /** Returns a copy with a note before all others. */
  public SweepSummary noting(String note) {
    return copy(host, origin, cells, Stream.concat(Stream.of(note), notes.stream()).toList());
  }

  private SweepSummary copy(
      String place, Origin source, List<CellSummary> some, List<String> said) {
    return new SweepSummary(
        experiment, workload, place, source, trials, some, exclusions, said, sessions);
  }

  /** Returns what a result is: {@code trial} or {@code window}. */
  public String unit() {
    return sessions.isPresent() ? "window" : "trial";
  }

  /**
   * The number of trials.
   *
   * @param planned of all blocks so far; a {@code stop} may add more
   * @param finished trials with a result, regardless of the number of attempts
   */
  public record Trials(
      @JsonProperty("trialsPlanned") int planned, @JsonProperty("trialsFinished") int finished) {}

  /**
   * What does not count.
   *
   * @param excluded invalid attempts at trials without a valid one
   * @param replaced invalid attempts at trials of which another attempt counts
   * @param failed trials without a result, with reasons
   */
  public record Exclusions(
      List<Exclusion> excluded, List<Exclusion> replaced, List<Exclusion> failed) {
    public Exclusions {
      excluded = List.copyOf(excluded);
      replaced = List.copyOf(replaced);
      failed = List.copyOf(failed);
    }

    /** Returns the number of excluded trials, each with one or several attempts. */
    public int trials() {
      return (int) excluded.stream().mapToInt(Exclusion::trial).distinct().count();
    }
  }

  /** An attempt that does not count, and the reasons. */
  public record Exclusion(int trial, String slug, List<String> reasons) {
    public Exclusion {
      reasons = List.copyOf(reasons);
    }
  }
}
