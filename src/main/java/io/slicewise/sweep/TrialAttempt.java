package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Trial;
import io.slicewise.host.HypervisorException;
import io.slicewise.run.StopRequest;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.run.journal.StorageFault;
import io.slicewise.run.result.TrialFault;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.window.CleanUp;
import io.slicewise.sweep.window.RefusedCandidate;
import io.slicewise.sweep.window.Sitting;
import io.slicewise.sweep.window.TrialRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs trials and journals their outcomes; nothing else may fail the run. */
final class TrialAttempt {
  /** The outcome of an attempt. */
  enum Outcome {
    FINISHED,
    FAILED,
    /** The host does not take the settings of a tune's candidate. */
    REFUSED,
    HOST_LOST
  }

  private final Sitting sitting;
  private final Journal journal;
  private final GeneratorQueue generators;
  private final TrialRunner trials;
  private final Consumer<TrialResult> results;
  private final Optional<String> run;
  private Optional<RemoteShellException> lastLoss = Optional.empty();
  private Optional<String> lostGenerator = Optional.empty();

  /**
   * @param results receives every result that is on disk
   */
  TrialAttempt(
      Sitting sitting,
      Journal journal,
      GeneratorQueue generators,
      TrialRunner trials,
      Consumer<TrialResult> results) {
    this.sitting = sitting;
    this.journal = journal;
    this.generators = generators;
    this.trials = trials;
    this.results = results;
    this.run = sitting.run().place().map(RunPlace::run);
  }

  /** The last loss of the host. */
  Optional<RemoteShellException> lastLoss() {
    return lastLoss;
  }

  /** The generator whose loss failed the last attempt. */
  Optional<String> lostGenerator() {
    return lostGenerator;
  }

  /**
   * Runs the trial.
   *
   * @param next the one to prepare while this one is torn down
   */
  Outcome run(PlannedTrial planned, Optional<PlannedTrial> next) {
    sitting.listener().trialStarted(planned.trial());
    return attempt(() -> finish(measured(planned, next)), planned::trial);
  }

  /** Runs a session; a failure belongs to the current window, and earlier windows count. */
  Outcome run(SessionRunner session, PlannedTrial first) {
    return attempt(
        () -> session.run(first, this::begin, this::finish, this::failed),
        () -> session.current().trial());
  }

  private void begin(Trial trial) {
    journal.append(new JournalEvent.TrialStarted(sitting.now(), trial.number(), trial.slug()));
  }

  /**
   * Does the work.
   *
   * @param current the trial to which a failure belongs
   */
  private Outcome attempt(Runnable work, Supplier<Trial> current) {
    lostGenerator = Optional.empty();
    try {
      work.run();
      return Outcome.FINISHED;
    } catch (StopRequest.StoppedNow now) {
      abort(current.get(), "stopped on request");
      throw now;
    } catch (RemoteShellException fault) {
      Trial trial = current.get();
      return HostWatch.isLoss(fault) ? lost(trial, fault) : failed(trial, fault.getMessage());
    } catch (TrialFault | SlicewiseException | HypervisorException fault) {
      if (StorageFault.is(fault) || !journal.place().isInPlace()) {
        throw fault;
      }
      if (isOfOthers(fault)) {
        abort(current.get(), fault.getMessage());
        throw fault;
      }
      lostGenerator = fault instanceof TrialFault trial ? trial.lostGenerator() : Optional.empty();
      return failed(current.get(), fault.getMessage());
    } catch (RefusedCandidate fault) {
      failed(current.get(), fault.getMessage());
      return Outcome.REFUSED;
    } catch (RuntimeException fault) {
      if (!journal.place().isInPlace()) {
        throw fault;
      }
      keepTrace(current.get(), fault);
      return failed(
          current.get(), "an internal error: " + FileFault.reason(fault) + "; see its fault.txt");
    }
  }

  private static boolean isOfOthers(RuntimeException fault) {
    return fault instanceof SlicewiseException known
        && known.errorKind() == ErrorKind.CHANGED_BY_OTHERS;
  }

  private TrialResult measured(PlannedTrial planned, Optional<PlannedTrial> next) {
    Trial trial = planned.trial();
    GeneratorQueue.Ready ready = generators.take(trial);
    CleanUp cleanUp = new CleanUp();
    TrialResult result =
        cleanUp.runAndClean(
            () -> {
              begin(trial);
              return trials.run(
                  planned,
                  ready.directory(),
                  ready.load(),
                  () -> next.map(PlannedTrial::trial).ifPresent(generators::prepare));
            },
            "ending the load generator",
            ready::close);
    return result.withRemarks(cleanUp.warnings());
  }

  /** Finishes the trial; once it is in the journal it counts, whatever happens to its listener. */
  private void finish(TrialResult result) {
    String sum = sitting.run().writeResult(result, run);
    Trial trial = result.trial();
    journal.append(JournalEvent.TrialFinished.of(sitting.now(), result, sum));
    results.accept(result);
    try {
      sitting.listener().trialFinished(result);
    } catch (RuntimeException fault) {
      sitting.notice(
          "trial %s finished, but reporting it failed: %s"
              .formatted(trial.slug(), FileFault.reason(fault)));
    }
  }

  private void abort(Trial trial, String reason) {
    journal.append(
        new JournalEvent.TrialAborted(sitting.now(), trial.number(), trial.slug(), reason));
  }

  private Outcome lost(Trial trial, RemoteShellException fault) {
    abort(trial, fault.getMessage());
    journal.append(new JournalEvent.HostLost(sitting.now(), fault.getMessage()));
    lastLoss = Optional.of(fault);
    sitting.notice(HostWatch.describe(fault));
    return Outcome.HOST_LOST;
  }

  /**
   * @throws SlicewiseException if it failed because the run directory takes no more data: the trial
   *     is not to blame
   */
  private Outcome failed(Trial trial, String reason) {
    if (!sitting.run().takesData()) {
      throw StorageFault.of(
          "trial %s failed (%s), and %s cannot be written"
              .formatted(trial.slug(), reason, sitting.run().root()),
          new IOException("No space left on device"));
    }
    sitting.run().close(sitting.run().trialDirectory(trial.slug()));
    journal.append(
        new JournalEvent.TrialFailed(sitting.now(), trial.number(), trial.slug(), reason));
    sitting.listener().trialFailed(trial, reason);
    return Outcome.FAILED;
  }

  private void keepTrace(Trial trial, RuntimeException fault) {
    StringWriter trace = new StringWriter();
    fault.printStackTrace(new PrintWriter(trace, true));
    Path file = sitting.run().trialDirectory(trial.slug()).resolve("fault.txt");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, trace.toString());
    } catch (IOException e) {
      sitting.notice("cannot write " + file + ": " + FileFault.reason(e));
    }
  }
}
