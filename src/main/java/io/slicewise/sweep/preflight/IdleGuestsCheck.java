package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.run.validity.ShareRules;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Looks which guests are idle, and so count as not there, where trials load some of them: paused
 * ones, too, since they do not run.
 */
final class IdleGuestsCheck {
  /** Listings resolve 0.1 s of CPU time: 1 % of one vCPU. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private static final double RESOLUTION = 0.1;

  private IdleGuestsCheck() {}

  static List<CheckResult> check(Experiment experiment, Reached host) {
    Set<String> unloaded = new TreeSet<>();
    experiment.loads().forEach(load -> unloaded.addAll(experiment.unloaded(load)));
    if (unloaded.isEmpty()) {
      return List.of();
    }
    List<Domain> before = host.hypervisor().domains();
    long began = System.nanoTime();
    try {
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return List.of();
    }
    List<Domain> after = host.hypervisor().domains();
    return judge(unloaded, before, after, (System.nanoTime() - began) / 1e9);
  }

  /**
   * @param seconds between both listings
   */
  static List<CheckResult> judge(
      Set<String> unloaded, List<Domain> before, List<Domain> after, double seconds) {
    List<String> idle = new ArrayList<>();
    List<CheckResult> findings = new ArrayList<>();
    for (Domain now : after) {
      Optional<Domain> then = before.stream().filter(now::isSame).findFirst();
      if (then.isPresent() && unloaded.contains(now.name())) {
        double used = now.cpuSeconds() - then.get().cpuSeconds();
        double share = used / seconds / now.vcpus();
        if ((used - RESOLUTION) / seconds / now.vcpus() > ShareRules.UNLOADED) {
          findings.add(
              CheckResult.warning(
                  "idle guests",
                  Phrase.of(
                      "%s ran %.1f %% of its vCPU time without a load (limit %.0f %%), and trials in"
                          + " which it should be idle would not count",
                      now.name(), 100 * share, 100 * ShareRules.UNLOADED),
                  "stop its work, pause it, or shut it down"));
        } else {
          idle.add(Phrase.of("%s (%.1f %%)", now.name(), 100 * share));
        }
      }
    }
    if (!idle.isEmpty()) {
      findings.add(
          0,
          CheckResult.ok(
              "idle guests",
              Phrase.of(
                  "count as not there while they are not loaded, by their vCPU time in %.0f s: %s",
                  seconds, String.join(", ", idle))));
    }
    return findings;
  }
}
