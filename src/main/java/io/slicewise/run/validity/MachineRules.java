package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.observe.DiskCounters;
import io.slicewise.observe.MachineCounters;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.run.validity.Judgement.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks what machines' own kernels counted, against the hypervisor and against each other. Only a
 * reboot and a missing machine that is needed exclude a trial.
 */
final class MachineRules {
  private static final double POINTS = 0.02;
  private static final double CLEAR_WAIT = 0.01;
  private static final double SHARE_OF_BYTES = 0.01;
  private static final double LEAST_BYTES = 1e6;
  private static final double SHARE_OF_TIME = 0.01;

  /** A few requests that end between the readings of two machines. */
  private static final double SLACK_BYTES = 1e5;

  /** Several ticks of a CPU, which short windows cannot resolve. */
  private static final double SLACK_SECONDS = 0.05;

  /** Monitors whose wait includes all of it and nothing else. */
  private static final Set<String> EXACT = Set.of("xenalyze", "schedstat");

  private MachineRules() {}

  static List<Finding> judge(TrialFacts facts) {
    List<Finding> findings = new ArrayList<>();
    facts
        .conduct()
        .machines()
        .forEach(
            (name, machine) -> {
              if (machine.rebooted()) {
                findings.add(
                    Finding.excluding(
                        Rule.GUEST_REBOOTED,
                        "%s rebooted in the measured window".formatted(name),
                        "it crashed, ran out of memory, or somebody restarted it"));
              }
              if (machine.measured()) {
                adds(name, machine, findings);
                buffers(name, machine, findings);
              }
              if (machine.tier() == Tier.GUEST && machine.measured()) {
                steal(name, machine, facts, findings);
                passes(name, machine, facts, findings);
              }
            });
    for (String needed : facts.conduct().needed()) {
      MachineCounters machine = facts.conduct().machines().get(needed);
      if (machine == null || !(machine.measured() || machine.rebooted())) {
        findings.add(
            Finding.excluding(
                Rule.NEEDED,
                "%s was not read, and the experiment needs it".formatted(needed),
                "its login failed, or the machine was too busy to answer"));
      }
    }
    return findings;
  }

  /** The states of proc(5) leave out no time of a CPU. */
  private static void adds(String name, MachineCounters machine, List<Finding> findings) {
    double there = machine.cpus() * machine.seconds();
    double counted = machine.allCpuSeconds();
    double allowed = Math.max(SHARE_OF_TIME * there, SLACK_SECONDS * machine.cpus());
    if (there > 0 && counted > 0 && Math.abs(counted - there) > allowed) {
      findings.add(
          Finding.warning(
              Rule.CPU_TIME,
              Phrase.of(
                  "%s counts %.1f s of CPU time by state, and its %d CPUs had %.1f s",
                  name, counted, machine.cpus(), there),
              "its clock jumped, CPUs came or went, or its kernel omits a state"));
    }
  }

  /** Disks that read less than what they serve did not serve all of it. */
  private static void buffers(String name, MachineCounters machine, List<Finding> findings) {
    double served =
        machine.counted().backends().values().stream().mapToDouble(DiskCounters::bytesRead).sum();
    double read = machine.ownDisks().stream().mapToDouble(DiskCounters::bytesRead).sum();
    if (served > LEAST_BYTES && read < (1 - SHARE_OF_BYTES) * served) {
      findings.add(
          Finding.warning(
              Rule.PASSES,
              Phrase.of(
                  "%s served %.1f MB and read %.1f MB of its disks",
                  name, served / 1e6, read / 1e6),
              "it buffers what its guests read, as a loop device without direct I/O does"));
    }
  }

  private static void steal(
      String name, MachineCounters machine, TrialFacts facts, List<Finding> findings) {
    double steal = machine.share(MachineCounters.STEAL);
    double wait =
        facts.shares().stream()
            .filter(shares -> shares.domain().equals(name))
            .mapToDouble(DomainShares::held)
            .findFirst()
            .orElse(Double.NaN);
    if (!EXACT.contains(facts.host().monitor().source())
        || Double.isNaN(steal)
        || Double.isNaN(wait)) {
      return;
    }
    if (steal == 0 && wait > CLEAR_WAIT) {
      findings.add(
          Finding.warning(
              Rule.STEAL_WAIT,
              Phrase.of(
                  "%s counts no stolen time, and %s saw it wait %.1f %%",
                  name, facts.host().monitor().source(), wait * 100),
              "its kernel does not count stolen time, so its 0 means unknown"));
    } else if (Math.abs(steal - wait) > POINTS + machine.doubt(MachineCounters.STEAL)) {
      findings.add(
          Finding.warning(
              Rule.STEAL_WAIT,
              Phrase.of(
                  "%s counts %.1f %% stolen, and %s saw it wait %.1f %%",
                  name, steal * 100, facts.host().monitor().source(), wait * 100),
              "the readings were apart, or its kernel counts stolen time in another way"));
    }
  }

  private static void passes(
      String name, MachineCounters machine, TrialFacts facts, List<Finding> findings) {
    for (Map.Entry<String, MachineCounters> server : facts.conduct().machines().entrySet()) {
      server
          .getValue()
          .counted()
          .backends()
          .forEach(
              (backend, behind) -> {
                DiskCounters disk =
                    backend.startsWith(name + "/")
                        ? machine.counted().disks().get(backend.substring(name.length() + 1))
                        : null;
                if (disk != null) {
                  passes(backend, "read", disk.bytesRead(), behind.bytesRead(), findings);
                  passes(backend, "wrote", disk.bytesWritten(), behind.bytesWritten(), findings);
                }
              });
    }
  }

  private static void passes(
      String disk, String verb, double guest, double backend, List<Finding> findings) {
    double most = Math.max(guest, backend);
    if (most > LEAST_BYTES && Math.abs(guest - backend) > SHARE_OF_BYTES * most + SLACK_BYTES) {
      findings.add(
          Finding.warning(
              Rule.PASSES,
              Phrase.of(
                  "%s %s %.1f MB by the guest's count and %.1f MB by its backend's",
                  disk, verb, guest / 1e6, backend / 1e6),
              "the readings were apart while the disk was busy, or the names do not match"));
    }
  }
}
