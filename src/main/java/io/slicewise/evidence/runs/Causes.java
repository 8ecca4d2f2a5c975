package io.slicewise.evidence.runs;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.run.Environment;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Causes of changes, and the reliability of the monitor that measured them.
 *
 * @param caveat why its wait shares are in doubt; empty if they are not
 * @param witnesses what guests' own kernels say about the waits, in sentences
 */
public record Causes(List<Cause> changes, String caveat, List<String> witnesses) {
  public static final Causes NONE = new Causes(List.of(), "", List.of());

  public Causes {
    changes = List.copyOf(changes);
    witnesses = List.copyOf(witnesses);
  }

  /**
   * Returns the causes with the caveat of the monitor that measured the trials.
   *
   * @param environment of their run, with the hypervisor's version
   */
  public static Causes of(
      List<Cause> changes, List<TrialResult> results, Optional<Environment> environment) {
    return new Causes(
        changes,
        environment
            .flatMap(
                found ->
                    results.stream()
                        .map(trial -> trial.monitor().source())
                        .distinct()
                        .flatMap(monitor -> HypervisorShares.caveat(monitor, found.host()).stream())
                        .findFirst())
            .orElse(""),
        GuestWaits.of(results));
  }

  /**
   * What guests' own kernels count as stolen, compared with the wait that the hypervisor's monitor
   * saw.
   */
  public static final class GuestWaits {
    private static final double POINTS = 0.02;

    private GuestWaits() {}

    /** A guest's shares in one trial. */
    private record Both(double steal, double doubt, double waiting) {}

    /** Returns a sentence for each guest with both; means over the valid trials. */
    public static List<String> of(List<TrialResult> results) {
      List<TrialResult> valid = results.stream().filter(TrialResult::valid).toList();
      TreeSet<String> guests = new TreeSet<>();
      valid.forEach(trial -> guests.addAll(trial.machines().keySet()));
      List<String> sentences = new ArrayList<>();
      for (String guest : guests) {
        List<Both> known =
            valid.stream()
                .map(trial -> both(trial, guest))
                .filter(both -> Double.isFinite(both.steal() + both.waiting()))
                .toList();
        if (!known.isEmpty()) {
          double steal = known.stream().mapToDouble(Both::steal).average().orElseThrow();
          double wait = known.stream().mapToDouble(Both::waiting).average().orElseThrow();
          double doubt = known.stream().mapToDouble(Both::doubt).average().orElseThrow();
          sentences.add(sentence(guest, steal, wait, POINTS + doubt));
        }
      }
      return sentences;
    }

    private static Both both(TrialResult trial, String guest) {
      MachineCounters machine = trial.machines().get(guest);
      double wait =
          trial.shares().stream()
              .filter(shares -> shares.domain().equals(guest))
              .mapToDouble(DomainShares::held)
              .findFirst()
              .orElse(Double.NaN);
      boolean known = machine != null && machine.tier() == Tier.GUEST && machine.measured();
      return known
          ? new Both(
              machine.share(MachineCounters.STEAL), machine.doubt(MachineCounters.STEAL), wait)
          : new Both(Double.NaN, Double.NaN, wait);
    }

    private static String sentence(String guest, double steal, double wait, double points) {
      String relation =
          steal == 0 && wait > POINTS / 2
              ? "is not counted by its kernel, so it cannot be compared with"
              : Math.abs(steal - wait) <= points ? "agrees with" : "differs from";
      return Phrase.of(
          "steal in %s %s the hypervisor's wait (%.1f %% and %.1f %%)",
          guest, relation, 100 * steal, 100 * wait);
    }
  }
}
