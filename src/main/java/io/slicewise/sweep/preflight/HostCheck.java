package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.HostShells;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whether the host can be reached, is known, lets us in, and has a hypervisor that obeys us. */
final class HostCheck {
  /** A host that passed, for the other checks. */
  record Reached(
      RemoteShell shell,
      Hypervisor hypervisor,
      HostDescription description,
      List<Domain> domains,
      boolean sudo)
      implements AutoCloseable {
    @Override
    public void close() {
      shell.close();
    }
  }

  /** How {@code test} and the shell end where writing is not allowed; others did not look. */
  private static final List<Integer> REFUSED = List.of(1, 126);

  /** What sudo prints where it refuses, and a shell or this machine where there is no sudo. */
  private static final Pattern SUDO = Pattern.compile("sudo(: | cannot be started)");

  private final Experiment experiment;
  private final HostSpec spec;
  private final Function<HostSpec, RemoteShell> opened;
  private final List<CheckResult> findings = new ArrayList<>();

  /**
   * @param opened opens a shell on the host
   */
  HostCheck(Experiment experiment, Function<HostSpec, RemoteShell> opened) {
    this.experiment = experiment;
    this.spec = experiment.namedHost();
    this.opened = opened;
  }

  List<CheckResult> findings() {
    return List.copyOf(findings);
  }

  /** Connects and checks; empty if something blocks, and then nothing is left open. */
  Optional<Reached> reach() {
    try {
      RemoteShell shell = opened.apply(spec);
      try {
        return Optional.of(look(shell));
      } catch (RuntimeException e) {
        shell.close();
        throw e;
      }
    } catch (RemoteShellException e) {
      findings.add(CheckResult.blocking("host", e.getMessage(), e.hint()));
    } catch (HypervisorException e) {
      findings.add(CheckResult.blocking("toolstack", e.getMessage(), e.hint()));
    }
    return Optional.empty();
  }

  private Reached look(RemoteShell shell) {
    CommandResult who = shell.run(Command.reading("id", "-u"));
    findings.add(
        CheckResult.ok(
            "host",
            spec.local()
                ? "this machine, without SSH"
                : shell.address() + " answers, its key is known, the login works"));
    Hypervisor hypervisor = HostShells.hypervisor(shell, experiment);
    HostDescription description = hypervisor.describe();
    if (hypervisor.kind().bare()) {
      findings.add(
          CheckResult.ok(
              "machine",
              "%s, %s".formatted(description.hypervisor(), Plural.of(description.pcpus(), "CPU"))));
    } else {
      findings.add(permissions(shell, who.standardOutput().strip(), description.toolstack()));
      findings.add(
          CheckResult.ok(
              "toolstack",
              "%s through %s, %s"
                  .formatted(
                      description.hypervisor(),
                      description.toolstack(),
                      Plural.of(description.pcpus(), "pCPU"))));
      findings.add(CheckResult.ok("schedulers", pools(description)));
    }
    HostShells.held(shell)
        .ifPresent(
            held -> findings.add(CheckResult.warning("lock", held.getMessage(), held.hint())));
    hypervisor.remarks().forEach(remark -> findings.add(finding(remark)));
    return new Reached(shell, hypervisor, description, hypervisor.domains(), spec.sudo());
  }

  private static CheckResult finding(Hypervisor.Remark remark) {
    return remark.wayOut().isEmpty()
        ? CheckResult.ok(remark.subject(), remark.sentence())
        : CheckResult.warning(remark.subject(), remark.sentence(), remark.wayOut());
  }

  /**
   * The toolstack has answered, so reading is allowed, which may need less than writing: what a run
   * writes first is its lock.
   */
  private CheckResult permissions(RemoteShell shell, String userId, String hypervisor) {
    CommandResult lock =
        shell.run(Command.reading("test", "-w", HostLock.DIRECTORY).throughSudo(spec.sudo()));
    String refused = lock.standardError().strip();
    if (REFUSED.contains(lock.exitStatus()) || (spec.sudo() && SUDO.matcher(refused).find())) {
      return CheckResult.blocking(
          "permissions",
          "user %s may not write to %s, where a run takes its lock%s"
              .formatted(userId, HostLock.DIRECTORY, refused.isEmpty() ? "" : ": " + refused),
          HostLock.wayOut(spec.sudo()));
    }
    return CheckResult.ok(
        "permissions",
        spec.sudo()
            ? "sudo -n works without a password"
            : userId.equals("0") ? "logged in as root" : hypervisor + " works for user " + userId);
  }

  private static String pools(HostDescription description) {
    if (description.cpupools().isEmpty()) {
      return description.bootScheduler() + " on all pCPUs";
    }
    return description.cpupools().stream().map(HostCheck::pool).collect(Collectors.joining("; "));
  }

  private static String pool(CpuPool pool) {
    return "%s in %s (%s, %s)"
        .formatted(
            pool.scheduler(),
            pool.name(),
            Plural.of(pool.pcpus(), "pCPU"),
            Plural.of(pool.domains(), "domain"));
  }
}
