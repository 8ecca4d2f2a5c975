package io.slicewise.sweep.preflight;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Undo.Change;
import io.slicewise.profile.Role;
import io.slicewise.run.RunDirectory;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.GuestMemory;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.preflight.CheckResult.Level;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** All checks before a run of an experiment, in a sensible order. */
public final class Preflight {
  private Experiment experiment;
  private final Path results;
  private final Function<HostSpec, RemoteShell> opened;
  private boolean recording;
  private final List<CheckResult> findings = new ArrayList<>();

  private Preflight(Experiment experiment, Path results, Function<HostSpec, RemoteShell> opened) {
    this.experiment = experiment;
    this.results = results;
    this.opened = opened;
  }

  /**
   * Checks everything the experiment needs and changes nothing. Problems are findings, never
   * exceptions.
   *
   * @param results the directory for run directories; need not exist
   */
  public static List<CheckResult> examine(Experiment experiment, Path results) {
    return new Preflight(experiment, results, HostShells::open).examine();
  }

  /**
   * Sends the host the commands of all checks, and those that read what a run reads of it, and
   * keeps the answers in the run directory.
   */
  public static List<CheckResult> record(Experiment experiment, RunDirectory run) {
    Preflight preflight =
        new Preflight(experiment, run.root(), spec -> HostShells.recorded(spec, run));
    preflight.recording = true;
    preflight.host();
    return List.copyOf(preflight.findings);
  }

  /** Reads what a run reads around each trial. */
  private static List<CheckResult> readAll(Reached host) {
    host.hypervisor().settings();
    host.hypervisor().guests();
    host.hypervisor().state();
    return List.of();
  }

  /** Whether the findings prevent a run. */
  public static boolean blocks(List<CheckResult> findings) {
    return findings.stream().anyMatch(finding -> finding.level() == Level.BLOCKING);
  }

  private List<CheckResult> examine() {
    host();
    check("workload", this::workload);
    check("generator", () -> GeneratorsCheck.check(experiment));
    check("disk here", () -> List.of(SpaceCheck.here(experiment, results)));
    return List.copyOf(findings);
  }

  private List<CheckResult> workload() {
    List<CheckResult> found = new ArrayList<>();
    experiment = GuestMemory.sized(experiment, said -> found.add(CheckResult.ok("workload", said)));
    found.addAll(WorkloadCheck.check(experiment));
    return found;
  }

  private void host() {
    if (experiment.host().isEmpty()) {
      findings.add(
          CheckResult.blocking(
              "host", "the experiment names no host", "add 'host:' with its address"));
      return;
    }
    HostCheck check = new HostCheck(experiment, opened);
    Optional<Reached> reached = check.reach();
    findings.addAll(check.findings());
    if (reached.isEmpty()) {
      return;
    }
    try (Reached host = reached.get()) {
      if (GuestPatterns.hasAny(experiment)) {
        check("domains", () -> resolve(host));
      }
      check("domains", () -> DomainsCheck.check(experiment, host));
      check("profiles", () -> ProfilesCheck.check(experiment, host));
      check("other tuning", () -> RivalsCheck.check(experiment, host));
      check("idle guests", () -> IdleGuestsCheck.check(experiment, host));
      check("dead man", () -> SwitchCheck.check(experiment, host));
      check("monitor", () -> MonitorCheck.check(host));
      check("machines", () -> MachinesCheck.check(experiment, host));
      if (recording) {
        check("state", () -> readAll(host));
      }
      check("disk there", () -> List.of(SpaceCheck.there(experiment, host)));
    }
  }

  private List<CheckResult> resolve(Reached host) {
    experiment = GuestPatterns.resolved(experiment, host.hypervisor().guests().keySet());
    return List.of();
  }

  private void check(String subject, Supplier<List<CheckResult>> check) {
    try {
      findings.addAll(check.get());
    } catch (RemoteShellException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    } catch (HypervisorException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    } catch (SlicewiseException e) {
      findings.add(CheckResult.blocking(subject, e.getMessage(), e.hint()));
    }
  }

  /** Checks that the experiment's domains run on the host, each in the right pool. */
  private static final class DomainsCheck {
    private DomainsCheck() {}

    static List<CheckResult> check(Experiment experiment, Reached host) {
      List<CheckResult> findings = new ArrayList<>();
      List<String> present = new ArrayList<>();
      Optional<String> wantedPool = experiment.host().flatMap(HostSpec::cpupool);
      for (Role role : Role.values()) {
        for (String name : experiment.domains().getOrDefault(role, List.of())) {
          Optional<Domain> domain =
              host.domains().stream().filter(each -> each.name().equals(name)).findFirst();
          if (domain.isPresent()) {
            present.add(words(domain.get()));
            elsewhere(domain.get(), role, wantedPool).ifPresent(findings::add);
          } else if (role != Role.DOM0 || host.hypervisor().kind().controlDomain().isPresent()) {
            findings.add(missing(name, host));
          }
        }
      }
      Set<String> set =
          experiment.pools().isEmpty()
              ? Set.of()
              : Setting.byName(host.hypervisor().settings()).keySet();
      experiment.pools().stream()
          .filter(pool -> !set.contains(pool))
          .map(
              pool ->
                  CheckResult.blocking(
                      "cpupools",
                      "%s %s".formatted(pool, host.hypervisor().whyMissing(pool)),
                      "fix the name of the pool or the profile's scheduler"))
          .forEach(findings::add);
      if (!present.isEmpty()) {
        findings.add(0, CheckResult.ok("domains", String.join(", ", present)));
      }
      return findings;
    }

    private static String words(Domain domain) {
      return "%s (%s, %s)"
          .formatted(domain.name(), Plural.of(domain.vcpus(), "vCPU"), domain.cpupool());
    }

    private static CheckResult missing(String name, Reached host) {
      String there =
          host.domains().stream().map(Domain::name).sorted().collect(Collectors.joining(", "));
      return CheckResult.blocking(
          "domains",
          "domain %s %s".formatted(name, host.hypervisor().whyMissing(name)),
          "start it, or fix its name; running are: " + there);
    }

    private static Optional<CheckResult> elsewhere(
        Domain domain, Role role, Optional<String> wantedPool) {
      return wantedPool
          .filter(pool -> role != Role.DOM0 && !pool.equals(domain.cpupool()))
          .map(
              pool ->
                  CheckResult.blocking(
                      "domains",
                      domain.name() + " runs in " + domain.cpupool() + ", not in " + pool,
                      "move it there with cpupool-migrate (its weight and cap are then reset), or set"
                          + " "
                          + domain.cpupool()
                          + " in the experiment"));
    }
  }

  /** Checks that the host can run a dead man's switch; changes nothing. */
  private static final class SwitchCheck {
    /** Prints what is missing. */
    private static final String LOOK =
        """
        for program in setsid readlink grep sed tr cut mv; do
          command -v $program >/dev/null || echo "$program"
        done
        [ -r /proc/uptime ] || echo /proc/uptime
        [ -w /var/lib ] || echo "a writable /var/lib"
        """;

    private SwitchCheck() {}

    static List<CheckResult> check(Experiment experiment, Reached host) {
      HostSpec spec = experiment.host().orElseThrow();
      return spec.deadMan()
          .map(limit -> List.of(check(spec, experiment.targets(), host, limit)))
          .orElse(List.of());
    }

    private static CheckResult check(
        HostSpec spec, Set<String> targets, Reached host, Duration limit) {
      List<String> words = new ArrayList<>(spec.sudo() ? List.of("sudo", "-n") : List.of());
      words.addAll(List.of("sh", "-c", LOOK));
      CommandResult looked = host.shell().run(Command.reading(words.toArray(String[]::new)));
      List<String> missing = new ArrayList<>(looked.standardOutput().lines().toList());
      if (!looked.succeeded() && missing.isEmpty()) {
        missing.add("sh");
      }
      host.hypervisor().settings().stream()
          .filter(one -> targets.contains(one.target().name()) && isInexpressible(host, one))
          .forEach(one -> missing.add("the commands to restore " + one.target().name()));
      return missing.isEmpty()
          ? CheckResult.ok(
              "dead man",
              "the host can restore itself %s after the last heartbeat: setsid, sh and a writable /var/lib"
                  .formatted(DurationText.of(limit)))
          : CheckResult.blocking(
              "dead man",
              "the host lacks %s for a dead man's switch".formatted(String.join(", ", missing)),
              "install it (setsid is in util-linux and busybox), or remove dead-man below host:");
    }

    private static boolean isInexpressible(Reached host, Setting found) {
      return host.hypervisor().unrestorable(found.parameters()).isEmpty()
          && host.hypervisor().undo(found.target(), Change.ofAll(found.parameters())).isEmpty();
    }
  }
}
