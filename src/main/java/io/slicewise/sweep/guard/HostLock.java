package io.slicewise.sweep.guard;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.deadman.SwitchProgram;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The exclusive lock on a host: a symbolic link on the host itself, so that two generators cannot
 * drive it at once. Creating a link is atomic, and its target names the owner: a run by its random
 * id, a process and its machine. The lock stays while the run has left the host changed, also when
 * its process ends or is killed, and is only taken over by the run with that id in its journal:
 * another run would take the changed settings for the original ones.
 */
public final class HostLock implements AutoCloseable {
  public static final String LINK = SwitchProgram.LOCK;
  public static final String DIRECTORY = LINK.substring(0, LINK.lastIndexOf('/'));
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
  public static HostLock take(
      RemoteShell shell, Experiment experiment, RunDirectory run, SweepOptions options) {
    boolean sudo = experiment.namedHost().sudo();
    HostLock lock = new HostLock(shell, sudo, run, options.takeLock());
    lock.takeAgain();
    return lock;
  }

  /**
   * Takes the lock unless this process already has it: a rebooted host has lost it.
   *
   * @throws SlicewiseException if another run holds it, or the host refuses the link
   */
  public void takeAgain() {
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
  public void keep() {
    kept = true;
  }

  /** Returns the text that names this run as the holder. */
  public String text() {
    return owner.text();
  }

  /** Returns what keeps a run from taking the lock now; empty if nobody holds it. */
  public static Optional<SlicewiseException> held(RemoteShell shell) {
    return Optional.of(holder(shell)).filter(one -> !one.isEmpty()).map(one -> held(shell, one));
  }

  private static SlicewiseException held(RemoteShell shell, String holder) {
    boolean ended = HostLockOwner.hasEnded(holder);
    return new SlicewiseException(
        ErrorKind.LOCKED,
        "%s is held by %s%s"
            .formatted(
                shell.address(), holder, ended ? ", which has ended without releasing it" : ""),
        (ended ? "" : "wait for it; if that run has ended, ")
            + "'slicewise restore' or 'resume' of its directory on that machine removes the lock"
            + " and restores what the run changed, if anything; its dead man's switch, if it armed"
            + " one, does so when its time is up; --take-lock takes the host's present settings for"
            + " the original ones");
  }

  private SlicewiseException refused(CommandResult made) {
    String words = made.standardError().strip();
    String message =
        "cannot create the lock %s on %s%s"
            .formatted(LINK, shell.address(), words.isEmpty() ? "" : ": " + words);
    return words.contains("File exists")
        ? new SlicewiseException(
            ErrorKind.LOCKED, message, "check with 'ls -l' who owns it, and remove it by hand")
        : new SlicewiseException(ErrorKind.NOT_READY, message, wayOut(sudo));
  }

  /** Returns what to do if the lock cannot be written. */
  public static String wayOut(boolean sudo) {
    return sudo
        ? "let this user run 'sudo -n' without a password, or log in as root"
        : "log in as root, or set 'sudo: true' below 'host:'";
  }

  private static String holder(RemoteShell shell) {
    return shell.run(Command.reading("readlink", LINK)).standardOutput().strip();
  }

  private void unlink() {
    shell.run(changing("rm", "-f", LINK));
  }

  private Command changing(String... words) {
    return Command.changing(words).throughSudo(sudo);
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

  /**
   * The owner of a host's lock, and the earlier owners from which it may take the lock.
   *
   * @param text names the run and its id, the machine's id, and the process
   * @param id of the run now
   * @param earlier ids of the run before its directory was adopted
   */
  private record HostLockOwner(String text, String id, Set<String> earlier) {
    private static final Pattern TEXT =
        Pattern.compile(
            ".* \\(run ([0-9a-f]{16}) of machine ([0-9a-f]{16}), process (\\d{1,9}) on .*\\)");

    static HostLockOwner of(RunDirectory run) {
      String id = run.place().map(RunPlace::run).orElseThrow();
      Set<String> earlier =
          RunDirectory.ids(run.events()).stream()
              .filter(one -> !one.equals(id))
              .collect(Collectors.toUnmodifiableSet());
      String text =
          "%s (run %s of machine %s, %s)"
              .formatted(run.name(), id, ThisProcess.machineId(), ThisProcess.text());
      return new HostLockOwner(text, id, earlier);
    }

    /**
     * Whether the lock may be taken from its holder. The run's own lock may, because no other
     * process works on its directory by then. The lock of the original of an adopted copy may if
     * its process is known to be dead; if it is known to run, not even by force.
     */
    boolean mayTakeFrom(String holder, boolean force) {
      Matcher named = TEXT.matcher(holder);
      if (!named.matches()) {
        return force;
      }
      if (named.group(1).equals(id)) {
        return true;
      }
      if (!earlier.contains(named.group(1))) {
        return force;
      }
      boolean here = named.group(2).equals(ThisProcess.machineId());
      return here ? !lives(Long.parseLong(named.group(3))) : force;
    }

    /** Returns whether a holder's process was on this machine and is known to have ended. */
    static boolean hasEnded(String holder) {
      Matcher named = TEXT.matcher(holder);
      return named.matches()
          && named.group(2).equals(ThisProcess.machineId())
          && ProcessHandle.of(Long.parseLong(named.group(3))).isEmpty();
    }

    private static boolean lives(long process) {
      return Optional.of(process)
          .flatMap(ProcessHandle::of)
          .filter(ProcessHandle::isAlive)
          .filter(one -> one.pid() != ThisProcess.id())
          .isPresent();
    }
  }
}
