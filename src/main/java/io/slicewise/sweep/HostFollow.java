package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.StopFile;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.run.result.TrialFault;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.guard.DeadMan;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.sweep.window.Sitting;
import io.slicewise.workload.Traffic;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A host whose settings are changed again and again, by the rules of a sweep: the settings found
 * are journalled first, every change before it is sent, a dead man's switch waits at each of them,
 * everything is read back, and restored at the end.
 */
public final class HostFollow {
  private static final int ATTEMPTS = 3;

  private final Sitting sitting;
  private final Hypervisor hypervisor;
  private final SettingsGuard guard;
  private final HostLock lock;
  private final HostWatch watch;
  private Optional<String> kept = Optional.empty();
  private Optional<Instant> missing = Optional.empty();

  private HostFollow(
      Sitting sitting, Hypervisor hypervisor, SettingsGuard guard, HostLock lock, HostWatch watch) {
    this.sitting = sitting;
    this.hypervisor = hypervisor;
    this.guard = guard;
    this.lock = lock;
    this.watch = watch;
  }

  /**
   * Opens the host of an experiment, lets the work change its settings, and restores them.
   *
   * @param experiment whose profiles may be set; its host has a dead man's switch
   * @param name the beginning of the run directory's name
   * @param right whether the host, by its address and its vendor, is the right one
   * @throws SlicewiseException with {@code NOT_RESTORED} if the host is left changed
   */
  public static RunDirectory during(
      Experiment experiment,
      Path results,
      String name,
      SweepOptions options,
      StopRequest stop,
      Clock clock,
      Consumer<String> notices,
      Consumer<Identity> right,
      Consumer<HostFollow> work) {
    RunDirectory run = RunDirectory.begin(results, name, experiment, clock.instant());
    SweepListener listener =
        new SweepListener() {
          @Override
          public void notice(String sentence) {
            notices.accept(sentence);
          }
        };
    Sitting sitting =
        new Sitting(experiment, run, options, listener, stop, LoadGenerator.forked(), clock);
    try {
      during(sitting, right, work);
      return run;
    } catch (RuntimeException | Error fault) {
      if (run.began().isEmpty()) {
        run.discard();
      }
      throw fault;
    }
  }

  /** How a host is recognized. */
  public record Identity(String address, String vendor) {}

  private static void during(Sitting sitting, Consumer<Identity> right, Consumer<HostFollow> work) {
    HostSpec spec = sitting.experiment().namedHost();
    RunDirectory run = sitting.run();
    try (RunLock ours = RunLock.take(run.root());
        StopFile asked = StopFile.of(run, sitting.stop());
        Journal journal = Journal.open(run.journalFile());
        RemoteShell shell = HostShells.open(spec)) {
      Hypervisor hypervisor = HostShells.hypervisor(shell, sitting.experiment());
      right.accept(new Identity(spec.address(), SweepRunner.vendor(shell)));
      try (HostLock lock = HostLock.take(shell, sitting.experiment(), run, sitting.options());
          DeadMan deadMan = new DeadMan(shell, spec, lock, run, sitting.clock(), sitting::notice)) {
        Settable.check(sitting.experiment(), hypervisor, shell.address(), false);
        journal.append(ThisProcess.takesUpRun(sitting.clock(), shell.address()));
        SettingsGuard guard =
            new SettingsGuard(
                hypervisor, journal, run.record(), sitting.clock(), Optional.of(deadMan));
        guard.rememberFound();
        guard.takeOverSwitches(sitting.experiment());
        HostWatch watch = new HostWatch(hypervisor, sitting);
        HostFollow host = new HostFollow(sitting, hypervisor, guard, lock, watch);
        host.work(work, journal);
      }
    }
  }

  private void work(Consumer<HostFollow> work, Journal journal) {
    try {
      untilStopped(work);
    } catch (RuntimeException | Error fault) {
      end(journal, state(fault), FileFault.reason(fault), Optional.of(fault));
      throw fault;
    }
    end(journal, RunState.DONE, "ended as asked", Optional.empty());
  }

  private void untilStopped(Consumer<HostFollow> work) {
    try {
      work.accept(this);
    } catch (StopRequest.StoppedNow asked) {
      // To end at once is no fault.
      return;
    }
  }

  /** Restores the host, whatever ended the work, and journals it. */
  private void end(Journal journal, RunState reached, String why, Optional<Throwable> fault) {
    boolean restored = new PatientRestore(lock, guard, watch, sitting.listener()).restore();
    if (restored) {
      endSwitches();
    } else {
      lock.keep();
    }
    RunState state = restored ? reached : RunState.NOT_RESTORED;
    try {
      journal.appendFromReserve(new JournalEvent.RunEnded(sitting.now(), state, why));
    } catch (SlicewiseException unwritten) {
      sitting.notice(unwritten.getMessage());
    }
    if (!restored) {
      throw new SlicewiseException(
          ErrorKind.NOT_RESTORED,
          "the host is not restored; its dead man's switch restores it when its time is up (%s)"
              .formatted(why),
          "slicewise restore " + sitting.run().root(),
          fault.orElse(null));
    }
  }

  /** Only a host that no longer answers is a lost one. */
  private static RunState state(Throwable fault) {
    if (fault instanceof RemoteShellException lost) {
      return HostWatch.isLoss(lost) ? RunState.HOST_LOST : RunState.INTERRUPTED;
    }
    return fault instanceof HintedException known
        ? switch (known.errorKind()) {
          case CHANGED_BY_OTHERS -> RunState.CHANGED_BY_OTHERS;
          case STORAGE -> RunState.DISK_FULL;
          case DIRECTORY_GONE -> RunState.DIRECTORY_GONE;
          default -> RunState.INTERRUPTED;
        }
        : RunState.INTERRUPTED;
  }

  private void endSwitches() {
    try {
      guard.endSwitches();
    } catch (RuntimeException unended) {
      sitting.notice(
          "a dead man's switch may still be on the host and end by itself: "
              + FileFault.reason(unended));
    }
  }

  /** Returns the directory of the journal. */
  public RunDirectory run() {
    return sitting.run();
  }

  /** Returns the running domains, with the CPU time that they have used; waits for a lost host. */
  public List<Domain> domains() {
    List<Domain> found = new ArrayList<>();
    attempt(
        () -> {
          found.clear();
          found.addAll(hypervisor.domains());
        });
    return found;
  }

  /** Returns the access log that a site's experiment names, if its workload is traffic. */
  public static Optional<Traffic> traffic(Experiment site) {
    return site.workload().live() ? ExperimentWorkload.of(site).traffic() : Optional.empty();
  }

  /**
   * Makes sure that a profile is in force: sets what differs from it, also after a guest or the
   * host was restarted or its dead man's switch has acted, and reads it back. Waits for a host that
   * is lost.
   *
   * @return why it is not in force now: a guest that it sets does not run; empty if it is
   * @throws SlicewiseException if someone else changed a value
   * @throws TrialFault if the host does not take it, or if a guest has been missing for too long
   */
  public Optional<String> keep(SchedulerProfile profile) {
    try {
      attempt(() -> set(profile));
      missing = Optional.empty();
      kept = Optional.of(profile.name());
      return Optional.empty();
    } catch (TrialFault fault) {
      Instant since = missing.orElseGet(sitting::now);
      Duration patience = sitting.options().hostPatience();
      if (allRun() || since.plus(patience).isBefore(sitting.now())) {
        throw fault;
      }
      missing = Optional.of(since);
      return Optional.of(fault.getMessage());
    }
  }

  private void set(SchedulerProfile profile) {
    SettingsGuard.Switched switched = guard.switchTo(sitting.experiment(), profile);
    if (!switched.mismatches().isEmpty()) {
      throw new TrialFault(String.join("; ", switched.mismatches()));
    }
    if (kept.filter(profile.name()::equals).isPresent() && !switched.changed().isEmpty()) {
      sitting.notice(
          "%s no longer had the settings of %s, as after a restart; they are set again"
              .formatted(String.join(", ", switched.changed()), profile.name()));
    }
  }

  private boolean allRun() {
    Set<String> running = Set.copyOf(Domain.names(domains()).values());
    return sitting.experiment().domains().values().stream().allMatch(running::containsAll);
  }

  private void attempt(Runnable action) {
    for (int attempt = 1; true; attempt++) {
      try {
        action.run();
        return;
      } catch (RemoteShellException lost) {
        if (attempt == ATTEMPTS || !HostWatch.isLoss(lost)) {
          throw lost;
        }
        sitting.notice(HostWatch.describe(lost));
        if (!watch.awaitReturn()) {
          throw lost;
        }
        lock.takeAgain();
      } catch (TrialFault | HypervisorException acted) {
        if (attempt > 1) {
          throw acted;
        }
        watch.pauseEvenIfStopped(attempt);
      }
    }
  }
}
