package io.slicewise.run;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.Dom0Use;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.validity.Finding;
import io.slicewise.run.validity.Judgement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one trial gave: the content of its {@code trial.json}. It holds every fact the rules of
 * validity need, so that {@code check} can judge it again.
 *
 * @param findings the rules it breaks, each with its likely cause, as judged when it was measured
 * @param remarks what went wrong beside the rules: lost records, a failed tear-down
 * @param pcpus of the host; 0 when unknown
 * @param applied what was read back after applying, by domain name
 * @param after what was read again after the load; empty when it was not
 * @param load empty when nothing was loaded ({@code observe})
 * @param generator empty when nothing was loaded, or its health is not known
 * @param measures what the workload told beside throughput and response times
 * @param dom0 what the control domain's kernel counted; empty when it was not read
 * @param surroundings guests and pools at both ends; empty when they were not read
 * @param stepSeconds how long each step took, in order
 * @param labLatenessMillis how late the embedded lab was in the window, 99th percentile; {@code
 *     NaN} on a host
 */
public record TrialResult(
    Trial trial,
    List<Finding> findings,
    List<String> remarks,
    Window warmUp,
    Window window,
    int pcpus,
    Map<String, SchedulerParameters> applied,
    Map<String, SchedulerParameters> after,
    Optional<LoadResult> load,
    MonitorResult monitor,
    Optional<GeneratorHealth> generator,
    List<Measure> measures,
    Optional<Dom0Use> dom0,
    Optional<Surroundings> surroundings,
    Map<String, Double> stepSeconds,
    double labLatenessMillis) {
  public TrialResult {
    findings = List.copyOf(findings);
    remarks = List.copyOf(remarks);
    applied = Map.copyOf(applied);
    after = Map.copyOf(after);
    // Absent from the trial.json of a run made before there were measures, or before dom0 or
    // the surroundings were read.
    measures = measures == null ? List.of() : List.copyOf(measures);
    dom0 = dom0 == null ? Optional.empty() : dom0;
    surroundings = surroundings == null ? Optional.empty() : surroundings;
  }

  /** A trial whose workload tells nothing of its own, and whose dom0 was not read. */
  public TrialResult(
      Trial trial,
      List<Finding> findings,
      List<String> remarks,
      Window warmUp,
      Window window,
      int pcpus,
      Map<String, SchedulerParameters> applied,
      Map<String, SchedulerParameters> after,
      Optional<LoadResult> load,
      MonitorResult monitor,
      Optional<GeneratorHealth> generator,
      Map<String, Double> stepSeconds) {
    this(
        trial,
        findings,
        remarks,
        warmUp,
        window,
        pcpus,
        applied,
        after,
        load,
        monitor,
        generator,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        stepSeconds,
        Double.NaN);
  }

  /** The same with more remarks behind its own. */
  public TrialResult withRemarks(List<String> more) {
    return with(findings, Stream.concat(remarks.stream(), more.stream()).toList(), stepSeconds);
  }

  /** The same with what the rules say of it. */
  public TrialResult judged(Judgement judgement) {
    return with(judgement.findings(), remarks, stepSeconds);
  }

  /** The same with another account of how long its steps took. */
  public TrialResult withStepSeconds(Map<String, Double> seconds) {
    return with(findings, remarks, seconds);
  }

  private TrialResult with(
      List<Finding> itsFindings, List<String> itsRemarks, Map<String, Double> seconds) {
    return new TrialResult(
        trial,
        itsFindings,
        itsRemarks,
        warmUp,
        window,
        pcpus,
        applied,
        after,
        load,
        monitor,
        generator,
        measures,
        dom0,
        surroundings,
        seconds,
        labLatenessMillis);
  }

  /** Whether it counts. */
  public boolean valid() {
    return new Judgement(findings).valid();
  }

  /** Why it does not count, in words; empty when it does. */
  public List<String> reasons() {
    return new Judgement(findings).reasons();
  }

  /** What is in doubt without making it invalid, in words: remarks, then what the rules warn of. */
  public List<String> warnings() {
    return Stream.concat(remarks.stream(), new Judgement(findings).warnings().stream()).toList();
  }
}
