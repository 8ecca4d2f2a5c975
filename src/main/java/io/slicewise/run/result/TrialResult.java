package io.slicewise.run.result;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.Observation;
import io.slicewise.observe.Observation.Topic;
import io.slicewise.run.validity.Judgement;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of one trial: the content of its {@code trial.json}. It contains all facts for the
 * rules of validity, so that {@code check} can judge it again.
 *
 * @param findings the rules it breaks, each with its likely cause, as judged when it was measured
 * @param remarks other problems, such as a failed tear-down; the observers' remarks are in their
 *     observations
 * @param observations one for each observer, at most one of each topic
 */
public record TrialResult(
    Trial trial,
    List<Finding> findings,
    List<String> remarks,
    TrialTimes times,
    TrialHost host,
    TrialLoad loaded,
    List<Observation> observations) {
  public TrialResult {
    findings = List.copyOf(findings);
    remarks = List.copyOf(remarks);
    observations = List.copyOf(observations);
  }

  /** Returns a trial that is not judged yet, without remarks. */
  public TrialResult(
      Trial trial,
      TrialTimes times,
      TrialHost host,
      TrialLoad loaded,
      List<Observation> observations) {
    this(trial, List.of(), List.of(), times, host, loaded, observations);
  }

  /** Returns this result with additional remarks. */
  public TrialResult withRemarks(List<String> more) {
    List<String> all = Stream.concat(remarks.stream(), more.stream()).toList();
    return new TrialResult(trial, findings, all, times, host, loaded, observations);
  }

  /** Returns this result with the findings of the rules. */
  public TrialResult judged(Judgement judgement) {
    return new TrialResult(trial, judgement.findings(), remarks, times, host, loaded, observations);
  }

  /** Returns this result with what it has of one label as its whole load. */
  public TrialResult ofLabel(String label) {
    TrialLoad its = loaded.ofLabel(label);
    return new TrialResult(trial, findings, remarks, times, host, its, observations);
  }

  /** Returns this result with other durations of its steps. */
  public TrialResult withStepSeconds(Map<String, Double> seconds) {
    TrialTimes taken = new TrialTimes(times.warmUp(), times.window(), seconds, times.cut());
    return new TrialResult(trial, findings, remarks, taken, host, loaded, observations);
  }

  public Window warmUp() {
    return times.warmUp();
  }

  public Window window() {
    return times.window();
  }

  /** The results of the samples; empty if nothing was loaded ({@code observe}). */
  public Optional<LoadResult> load() {
    return loaded.result();
  }

  public List<Measure> measures() {
    return loaded.measures();
  }

  public Optional<Observation> observed(Topic topic) {
    return observations.stream()
        .filter(seen -> seen.topic().name().equals(topic.name()))
        .findFirst();
  }

  /** Returns what the hypervisor's monitor observed; nothing if there was none. */
  public Observation monitor() {
    return observed(HypervisorShares.TOPIC)
        .orElseGet(() -> HypervisorShares.none(window().start()));
  }

  /** Returns the shares of each domain by the hypervisor's monitor. */
  public List<DomainShares> shares() {
    return HypervisorShares.shares(monitor());
  }

  /** Returns what the kernels of machines counted, by machine; empty where none was asked. */
  public Map<String, MachineCounters> machines() {
    Map<String, MachineCounters> all = new LinkedHashMap<>();
    observations.forEach(seen -> all.putAll(seen.machines()));
    return all;
  }

  /** Whether the trial counts. */
  public boolean valid() {
    return new Judgement(findings).valid();
  }

  /** Whether it does not count because other programs used the machine. */
  public boolean disturbed() {
    return !valid() && findings.stream().anyMatch(found -> found.rule() == Rule.OTHER_WORK);
  }

  /** Why the trial does not count, in sentences; empty if it does. */
  public List<String> reasons() {
    return new Judgement(findings).reasons();
  }

  /**
   * Doubts that do not make the trial invalid: remarks of the observers and the trial, and warnings
   * of the rules.
   */
  public List<String> warnings() {
    return Stream.of(
            observations.stream().flatMap(seen -> seen.remarks().stream()),
            remarks.stream(),
            new Judgement(findings).warnings().stream())
        .flatMap(sentences -> sentences)
        .toList();
  }
}
