package io.slicewise.sweep.guard;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.HostSpec.HostLimits;
import io.slicewise.experiment.Watching.Login;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.Scope;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.recording.HostAnswer;
import io.slicewise.run.recording.HostRecording;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import io.slicewise.ssh.Shells.ShellListener;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Opens the host of an experiment. */
public final class HostShells {
  private static final String MORE_TIME =
      "A slow host needs a longer command-limit below host: in the experiment.";

  private HostShells() {}

  /** A shell on the host, logged in. */
  public static RemoteShell open(HostSpec spec) {
    RemoteShell shell = spec.local() ? Shells.local() : Shells.open(connection(spec));
    return Shells.limited(shell, spec.limits().command(), MORE_TIME);
  }

  /** Returns what keeps a run from locking the host now; empty if nobody holds it. */
  public static Optional<SlicewiseException> held(RemoteShell shell) {
    return HostLock.held(shell);
  }

  /** A shell on the host whose answers are kept in the run directory. */
  public static RemoteShell recorded(HostSpec spec, RunDirectory run) {
    return Shells.observed(open(spec), new AnswerKeeper(run));
  }

  /**
   * Opens a shell on a machine whose kernel is read.
   *
   * @param limits those of the host
   */
  public static RemoteShell open(Login login, HostLimits limits) {
    return Shells.open(
        new Connection(
            login.address().orElseThrow(HostShells::noAddress), login.ssh(), limits.signIn()));
  }

  private static RemoteShellException noAddress() {
    return new RemoteShellException(
        RemoteShellException.Kind.UNREACHABLE,
        "Its login has no address, and the lab has no such guest.",
        "Name a guest of the lab.",
        null);
  }

  private static Connection connection(HostSpec spec) {
    return new Connection(spec.address(), spec.login(), spec.limits().signIn());
  }

  /** Returns the hypervisor found on the host, with the experiment's toolstack, if set. */
  public static Hypervisor hypervisor(RemoteShell shell, HostSpec spec) {
    return Hypervisors.probe(shell, spec.sudo(), spec.hypervisor(), spec.toolstack());
  }

  /** Like {@link #hypervisor}, with the kernel of the host if the experiment sets it. */
  public static Hypervisor hypervisor(RemoteShell shell, Experiment experiment) {
    HostSpec spec = experiment.namedHost();
    Hypervisor found = hypervisor(shell, spec);
    return experiment.targets().stream().anyMatch(Scope::ofHost)
        ? Hypervisors.withKernel(found, shell, spec.sudo())
        : found;
  }

  /** Keeps the answers of a run's host in its directory. */
  static final class AnswerKeeper implements ShellListener {
    private final Path root;
    private final HostRecording recording;

    AnswerKeeper(RunDirectory run) {
      this.root = run.root().toAbsolutePath();
      this.recording = HostRecording.in(root);
    }

    @Override
    public void answered(CommandResult result, boolean input) {
      recording.add(
          HostAnswer.of(
              now(),
              result.command().words(),
              input,
              result.exitStatus(),
              result.standardOutput(),
              result.standardError()));
    }

    @Override
    public void ended(Command command) {
      recording.add(HostAnswer.ended(now(), command.words()));
    }

    @Override
    public void fetched(String remoteFile, Path localFile) {
      Path local = localFile.toAbsolutePath();
      if (local.startsWith(root)) {
        recording.add(HostAnswer.file(now(), remoteFile, root.relativize(local).toString()));
      }
    }

    private static Instant now() {
      return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
  }
}
