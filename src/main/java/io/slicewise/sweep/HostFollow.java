package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.Journal;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.RunState;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.ThisProcess;
import io.slicewise.run.TrialFault;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.workload.Traffic;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
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
    HostSpec spec = Sweep.hostOf(sitting.experiment());
    RunDirectory run = sitting.run();
    try (RunLock ours = RunLock.take(run.root());
        Journal journal = Journal.open(run.journalFile());
        RemoteShell shell = HostShells.open(spec)) {
      Hypervisor hypervisor = HostShells.hypervisor(shell, spec);
      right.accept(new Identity(spec.address(), SweepRunner.vendor(shell)));
      try (HostLock lock = HostLock.take(shell, sitting.experiment(), run, sitting.options());
          DeadMan deadMan = new DeadMan(shell, spec, lock, run, sitting.clock(), sitting::notice)) {
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
    Optional<RuntimeException> fault = Optional.empty();
    try {
      work.accept(this);
    } catch (RuntimeException ended) {
      fault = Optional.of(ended);
    }
    boolean restored = new PatientRestore(lock, guard, watch, sitting.listener()).restore();
    RunState state = restored ? state(fault) : RunState.NOT_RESTORED;
    if (restored) {
      endSwitches();
    } else {
      lock.keep();
    }
    String why = fault.map(FileFault::reason).orElse("ended as asked");
    journal.appendFromReserve(new JournalEvent.RunEnded(sitting.now(), state, why));
    if (!restored) {
      throw new SlicewiseException(
          ErrorKind.NOT_RESTORED,
          "the host is not restored; its dead man's switch restores it when its time is up (%s)"
              .formatted(why),
          "slicewise restore " + sitting.run().root(),
          fault.orElse(null));
    }
    fault.ifPresent(
        ended -> {
          throw ended;
        });
  }

  private static RunState state(Optional<RuntimeException> fault) {
    if (fault.isEmpty()) {
      return RunState.DONE;
    }
    return fault.get() instanceof SlicewiseException known
            && known.errorKind() == ErrorKind.CHANGED_BY_OTHERS
        ? RunState.CHANGED_BY_OTHERS
        : RunState.HOST_LOST;
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

  /** Returns the running domains, with the CPU time that they have used. */
  public List<Domain> domains() {
    return hypervisor.domains();
  }

  /** Returns the access log that a site's experiment names, if its workload is traffic. */
  public static Optional<Traffic> traffic(Experiment site) {
    return site.workload().live() ? ExperimentWorkload.of(site).traffic() : Optional.empty();
  }

  /**
   * Sets a profile and reads it back; waits for a host that is lost.
   *
   * @throws SlicewiseException if someone else changed a value
   * @throws TrialFault if the host does not take it
   */
  public void switchTo(SchedulerProfile profile) {
    attempt(() -> guard.apply(sitting.experiment(), profile));
  }

  /**
   * Makes sure that the dead man's switch still waits, and reports if it restored the host.
   *
   * @return whether the settings found are in force, although a profile was set
   */
  public boolean isRestored() {
    boolean changed = guard.leftChanged();
    attempt(guard::collectSwitches);
    return changed && !guard.leftChanged();
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
      } catch (TrialFault acted) {
        if (attempt > 1) {
          throw acted;
        }
      }
    }
  }
}
