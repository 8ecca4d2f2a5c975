package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerParameters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Puts a host back as a killed run found it, from the run's journal alone. */
public final class HostRestore {
  private HostRestore() {}

  /**
   * What was put back and what could not be.
   *
   * @param restored settings read back, by domain; empty when nothing of the run was left on the
   *     host
   * @param complaints by domain, why it could not be put back
   */
  public record Receipt(
      RunDirectory run,
      Map<String, SchedulerParameters> restored,
      Map<String, String> complaints) {}

  /**
   * Restores the host of one run.
   *
   * @param experiment the run's own, or the same on another address of the host
   */
  public static Receipt restore(
      RunDirectory run, Experiment experiment, SweepOptions options, Clock clock) {
    try (RunLock ours = RunLock.take(run.root());
        HostSession session = HostSession.open(Sweep.hostOf(experiment));
        HostLock lock = HostLock.take(session.shell(), experiment, run, options);
        Journal journal = Journal.open(run.journalFile())) {
      SettingsGuard guard = new SettingsGuard(session.toolstack(), journal, run.record(), clock);
      SettingsGuard.Restoration restoration = guard.restore();
      return new Receipt(run, restoration.restored(), restoration.complaints());
    }
  }

  /** All runs below the directory that left that host changed, newest last. */
  public static List<RunDirectory> unrestored(Path results, String address) {
    if (!Files.isDirectory(results)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(results)) {
      return children
          .filter(child -> Files.exists(child.resolve("journal.jsonl")))
          .sorted()
          .map(RunDirectory::open)
          .filter(run -> leftChanged(run.record(), address))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean leftChanged(RunRecord record, String address) {
    return !record.touched().isEmpty()
        && record.lastStart().map(start -> start.host().contains(address)).orElse(false);
  }
}
