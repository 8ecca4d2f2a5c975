package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.validity.Judgement.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** Checks the shares of vCPU time that a monitor measured. */
public final class ShareRules {
  /** The maximum deviation of run + wait + blocked from the whole. */
  static final double SUM_TOLERANCE = 0.02;

  private static final double PCPU_TOLERANCE = 0.02;

  /** The tolerance of a cap, which is enforced in steps of the accounting period. */
  private static final double CAP_TOLERANCE = 0.10;

  private static final double CAP_SLACK_PCPUS = 0.02;

  /** The share of its own vCPU time below which a serving domain does only housekeeping. */
  static final double IDLE = 0.005;

  /** The share of its own vCPU time above which a guest without a load is not idle. */
  public static final double UNLOADED = 0.02;

  private static final double FULL_COVERAGE = 0.9;

  /** The monitors write a record each second, so a short window misses up to one of its ends. */
  private static final double RECORD_SECONDS = 1;

  private ShareRules() {}

  static List<Finding> judge(TrialFacts facts) {
    List<Finding> findings = new ArrayList<>();
    for (DomainShares shares : facts.shares()) {
      sum(shares, findings);
      ceiling(shares, facts, findings);
      idle(shares, facts, findings);
      unloaded(shares, facts, findings);
    }
    unseen(facts, findings);
    pcpus(facts, findings);
    coverage(facts, findings);
    return findings;
  }

  private static void sum(DomainShares shares, List<Finding> findings) {
    double sum = shares.run() + shares.waiting() + shares.blocked();
    double least = Math.min(shares.run(), Math.min(shares.waiting(), shares.blocked()));
    if (Math.abs(sum - 1) > SUM_TOLERANCE) {
      findings.add(
          Finding.excluding(
              Rule.SHARES,
              Phrase.of(
                  "%s: run + wait + blocked = %.1f %%, not 100 %%", shares.domain(), 100 * sum),
              "records were lost or counted twice, or the shares are not of the domain's own vCPU"
                  + " time"));
    } else if (least < -SUM_TOLERANCE) {
      findings.add(
          Finding.excluding(
              Rule.SHARES,
              Phrase.of("%s: a share is %.1f %%, below zero", shares.domain(), 100 * least),
              "run and wait together exceed the domain's vCPU time: the vCPU count is wrong, or"
                  + " records overlap"));
    }
  }

  private static void ceiling(DomainShares shares, TrialFacts facts, List<Finding> findings) {
    SchedulerParameters applied = facts.settings().before().get(shares.domain());
    if (applied == null) {
      return;
    }
    OptionalDouble ceiling = applied.ceiling(shares.vcpus());
    double used = shares.run() * shares.vcpus();
    if (ceiling.isPresent()
        && used > ceiling.getAsDouble() * (1 + CAP_TOLERANCE) + CAP_SLACK_PCPUS) {
      findings.add(
          Finding.excluding(
              Rule.CAP,
              Phrase.of(
                  "%s ran on %.2f pCPUs, its settings allow %.2f",
                  shares.domain(), used, ceiling.getAsDouble()),
              "the setting had no effect, or the domain was confused with another one"));
    }
  }

  private static void idle(DomainShares shares, TrialFacts facts, List<Finding> findings) {
    boolean loaded = facts.load().map(load -> load.samples() > 0).orElse(false);
    if (loaded && facts.host().serving().contains(shares.domain()) && shares.run() < IDLE) {
      findings.add(
          Finding.excluding(
              Rule.IDLE,
              Phrase.of(
                  "%s ran %.2f %% of its vCPU time while it served %.1f requests/s",
                  shares.domain(), 100 * shares.run(), facts.load().orElseThrow().throughput()),
              "the load went to another machine or a cache, or the numbers are those of an idle"
                  + " domain"));
    }
  }

  private static void unloaded(DomainShares shares, TrialFacts facts, List<Finding> findings) {
    if (facts.conduct().unloaded().contains(shares.domain()) && shares.run() > UNLOADED) {
      findings.add(
          Finding.excluding(
              Rule.UNLOADED,
              Phrase.of(
                  "%s ran %.1f %% of its vCPU time without a load (limit %.0f %%)",
                  shares.domain(), 100 * shares.run(), 100 * UNLOADED),
              "it has work of its own: stop that, pause the guest, or shut it down"));
    }
  }

  /** A guest that is not among the monitor's was shut down; without a monitor, nothing is known. */
  private static void unseen(TrialFacts facts, List<Finding> findings) {
    if (!facts.conduct().unloaded().isEmpty() && facts.shares().isEmpty()) {
      findings.add(
          Finding.excluding(
              Rule.UNLOADED,
              "no monitor shows whether %s %s idle"
                  .formatted(
                      String.join(", ", new TreeSet<>(facts.conduct().unloaded())),
                      facts.conduct().unloaded().size() == 1 ? "was" : "were"),
              "'slicewise doctor' lists the monitors that the host lacks"));
    }
  }

  private static void pcpus(TrialFacts facts, List<Finding> findings) {
    double used =
        facts.shares().stream()
            .mapToDouble(shares -> shares.run() * shares.vcpus())
            .filter(Double::isFinite)
            .sum();
    if (facts.host().pcpus() > 0 && used > facts.host().pcpus() * (1 + PCPU_TOLERANCE)) {
      findings.add(
          Finding.excluding(
              Rule.PCPUS,
              Phrase.of("domains together ran on %.2f of %d pCPUs", used, facts.host().pcpus()),
              "records counted twice, or the elapsed time of the monitor is wrong"));
    }
  }

  private static void coverage(TrialFacts facts, List<Finding> findings) {
    Window covered = facts.host().monitor().covered();
    Duration asked = facts.window().length();
    boolean unwatched = facts.host().monitor().source().equals(MonitorResult.NONE);
    if (unwatched || facts.shares().isEmpty() || asked.isZero()) {
      return;
    }
    double share = covered.seconds() / facts.window().seconds();
    double missed = facts.window().seconds() - covered.seconds();
    if (share < FULL_COVERAGE && missed > RECORD_SECONDS) {
      findings.add(
          Finding.warning(
              Rule.COVERAGE,
              Phrase.of(
                  "%s covers %.0f %% of the measured window",
                  facts.host().monitor().source(), 100 * share),
              "the monitor started late, lost records or ended early"));
    }
  }
}
