package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.HostState.Disturbance;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.profile.SchedulerParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the trial ran as planned: on the same guests throughout, in a window of the planned
 * length.
 */
final class ConductRules {
  private static final double LONGEST_SLIP_SECONDS = 1;
  private static final double LARGEST_SLIP = 0.02;

  /** Of the pCPUs' time; less changes what the studied guests get by less than the repetitions. */
  private static final double LARGEST_DISTURBANCE = 0.05;

  /** Of the vCPUs' time in the window. */
  private static final double LONGEST_PAUSE = 0.01;

  private ConductRules() {}

  static List<Finding> judge(TrialFacts facts) {
    List<Finding> findings = new ArrayList<>();
    for (String change : facts.conduct().changes()) {
      findings.add(
          Finding.excluding(
              Rule.HOST, change, "somebody else administered the host while the trial ran"));
    }
    facts.shares().forEach(shares -> paused(shares, facts).ifPresent(findings::add));
    for (Disturbance disturbance : facts.conduct().disturbances()) {
      findings.add(disturbance(disturbance, facts));
    }
    window(facts, findings);
    return findings;
  }

  /** Without a cap, vCPUs are offline only while their guest is paused. */
  private static Optional<Finding> paused(DomainShares shares, TrialFacts facts) {
    SchedulerParameters applied = facts.settings().before().get(shares.domain());
    double offline = shares.held() - shares.waiting();
    boolean uncapped = applied != null && applied.ceiling(shares.vcpus()).isEmpty();
    return uncapped && offline > LONGEST_PAUSE
        ? Optional.of(
            Finding.excluding(
                Rule.HOST,
                Phrase.of(
                    "%s: its vCPUs were offline for %.1f %% of the window, and it has no cap"
                        + " (limit %.0f %%)",
                    shares.domain(), 100 * offline, 100 * LONGEST_PAUSE),
                "somebody paused the guest while the trial ran"))
        : Optional.empty();
  }

  /** A guest that came or went disturbs as much as it ran; unmeasured, as much as it could. */
  private static Finding disturbance(Disturbance disturbance, TrialFacts facts) {
    double measured =
        facts.shares().stream()
            .filter(shares -> shares.domain().equals(disturbance.guest()))
            .mapToDouble(shares -> shares.run() * shares.vcpus() / facts.pcpus())
            .findFirst()
            .orElse(Double.NaN);
    boolean known = Double.isFinite(measured);
    double used = known ? measured : (double) disturbance.vcpus() / facts.pcpus();
    String cause = "somebody else used the host while the trial ran";
    return used > LARGEST_DISTURBANCE
        ? Finding.excluding(
            Rule.HOST,
            Phrase.of(
                "%s, and %s %.1f %% of the host's CPU in the window (limit %.0f %%)",
                disturbance.sentence(),
                known ? "used" : "may have used up to",
                100 * used,
                100 * LARGEST_DISTURBANCE),
            cause)
        : Finding.warning(Rule.HOST, disturbance.sentence(), cause);
  }

  private static void window(TrialFacts facts, List<Finding> findings) {
    double planned = facts.conduct().planned().toNanos() / 1e9;
    double slip = facts.window().seconds() - planned;
    double allowed = Math.max(LONGEST_SLIP_SECONDS, LARGEST_SLIP * planned);
    if (planned > 0 && Math.abs(slip) > allowed) {
      findings.add(
          Finding.excluding(
              Rule.WINDOW,
              Phrase.of(
                  "the window lasted %.1f s instead of %.1f s (%.1f s off > %.1f s)",
                  facts.window().seconds(), planned, Math.abs(slip), allowed),
              "the connection broke, or the host or this machine was paused"));
    }
  }
}
