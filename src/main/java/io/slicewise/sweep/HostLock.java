package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.RunDirectory;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.deadman.SwitchProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The exclusive lock on a host: a symbolic link on the host itself, so that two generators cannot
 * drive it at once. Creating a link is atomic, and its target names the owner: a run by its random
 * id, a process and its machine. The lock stays while the run has left the host changed, also when
 * its process ends or is killed, and is only taken over by the run with that id in its journal:
 * another run would take the changed settings for the original ones.
 */
final class HostLock implements AutoCloseable {
  static final String LINK = SwitchProgram.LOCK;
  private static final int ATTEMPTS = 3;

  private final RemoteShell shell;
  private final boolean sudo;
  private final HostLockOwner owner;
  private final RunDirectory run;
  private final boolean force;
  private boolean kept;

  private HostLock(RemoteShell shell, boolean sudo, RunDirectory run, boolean force) {
    this.shell = shell;
    this.sudo = sudo;
    this.owner = HostLockOwner.of(run);
    this.run = run;
    this.force = force;
  }

  /** Takes the lock for the run; a run takes over its own lock. */
  static HostLock take(
      RemoteShell shell, Experiment experiment, RunDirectory run, SweepOptions options) {
    boolean sudo = Sweep.hostOf(experiment).sudo();
    HostLock lock = new HostLock(shell, sudo, run, options.takeLock());
    lock.takeAgain();
    return lock;
  }

  /**
   * Takes the lock unless this process already has it: a rebooted host has lost it.
   *
   * @throws SlicewiseException if another run holds it, or the host refuses the link
   */
  void takeAgain() {
    CommandResult refused = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      refused = shell.run(changing("ln", "-s", owner.text(), LINK));
      String holder = holder(shell);
      if (holder.equals(owner.text())) {
        return;
      }
      if (holder.isEmpty()) {
        // Released in the meantime, or never created: try again; no lock of others is removed.
        continue;
      }
      if (!owner.mayTakeFrom(holder, force)) {
        throw held(shell, holder);
      }
      unlink();
    }
    throw refused(refused);
  }

  /** Keeps the lock at the end, whatever the run directory says: the host is not restored. */
  void keep() {
    kept = true;
  }

  /** Returns the text that names this run as the holder. */
  String text() {
    return owner.text();
  }

  /** Returns what keeps a run from taking the lock now; empty if nobody holds it. */
  static Optional<SlicewiseException> held(RemoteShell shell) {
    return Optional.of(holder(shell)).filter(one -> !one.isEmpty()).map(one -> held(shell, one));
  }

  private static SlicewiseException held(RemoteShell shell, String holder) {
    return new SlicewiseException(
        ErrorKind.LOCKED,
        shell.address() + " is held by " + holder,
        "wait for it; if that run has ended, it left the host changed: 'slicewise restore' or"
            + " 'resume' its directory on that machine, or take the host's present settings for the"
            + " original ones with --take-lock");
  }

  private SlicewiseException refused(CommandResult made) {
    String words = made.standardError().strip();
    String message =
        "cannot create the lock %s on %s%s"
            .formatted(LINK, shell.address(), words.isEmpty() ? "" : ": " + words);
    return words.contains("File exists")
        ? new SlicewiseException(
            ErrorKind.LOCKED, message, "check with 'ls -l' who owns it, and remove it by hand")
        : new SlicewiseException(
            ErrorKind.NOT_READY, message, "log in as root, or set 'sudo: true' below 'host:'");
  }

  private static String holder(RemoteShell shell) {
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

  /** Releases the lock, unless the run has left the host changed. */
  @Override
  public void close() {
    try {
      if (!kept && !run.record().leavesHostChanged() && holder(shell).equals(owner.text())) {
        unlink();
      }
    } catch (RemoteShellException lost) {
      // The host is unreachable; the lock stays, and its text names the owner.
      return;
    }
  }
}
