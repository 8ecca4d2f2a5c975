package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.util.ArrayList;
import java.util.List;

/**
 * The exclusive lock on a host: a symbolic link on the host itself, so that two generators cannot
 * drive it at once. Making a link is atomic, and its target holds the owner's words. A lock left by
 * a killed process is taken over by the run it belonged to, and by nobody else unasked: that run
 * may have settings to put back.
 */
final class HostLock implements AutoCloseable {
  private static final String LINK = "/var/run/slicewise.lock";

  private final RemoteShell shell;
  private final boolean sudo;
  private final String owner;

  private HostLock(RemoteShell shell, boolean sudo, String owner) {
    this.shell = shell;
    this.sudo = sudo;
    this.owner = owner;
  }

  /** Takes the lock for the run; a run that holds it already takes its own lock over. */
  static HostLock take(
      RemoteShell shell, Experiment experiment, RunDirectory run, SweepOptions options) {
    boolean sudo = Sweep.hostOf(experiment).sudo();
    HostLock lock = new HostLock(shell, sudo, run.name() + " (" + ThisProcess.words() + ")");
    if (lock.link()) {
      return lock;
    }
    String holder = lock.holder();
    boolean ours = holder.isEmpty() || holder.startsWith(run.name() + " (");
    if (!ours && !options.takeLock()) {
      throw new SlicewiseException(
          ExitCode.LOCKED,
          shell.address() + " is held by " + holder,
          "wait for it; if that run was killed, 'slicewise restore' or 'resume' its directory first;"
              + " --take-lock takes it all the same");
    }
    lock.unlink();
    if (!lock.link()) {
      throw new SlicewiseException(
          ExitCode.LOCKED,
          "cannot take the lock " + LINK + " on " + shell.address(),
          "is that directory writable? holder: " + (holder.isEmpty() ? "unknown" : holder));
    }
    return lock;
  }

  private boolean link() {
    CommandResult made = shell.run(changing("ln", "-s", owner, LINK));
    return made.succeeded() && holder().equals(owner);
  }

  private String holder() {
    return shell.run(Command.reading("readlink", LINK)).standardOutput().strip();
  }

  private void unlink() {
    shell.run(changing("rm", "-f", LINK));
  }

  private Command changing(String... words) {
    List<String> all = new ArrayList<>(sudo ? List.of("sudo", "-n") : List.of());
    all.addAll(List.of(words));
    return Command.changing(all.toArray(String[]::new));
  }

  @Override
  public void close() {
    try {
      if (holder().equals(owner)) {
        unlink();
      }
    } catch (RemoteShellException lost) {
      // The host is out of reach; the lock stays, and its words say whose it is.
      return;
    }
  }
}
