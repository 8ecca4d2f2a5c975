package io.slicewise.run;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunPlace;
import io.slicewise.run.journal.StorageFault;
import io.slicewise.run.journal.ThisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/**
 * Verifies, before a host is changed, that a directory is the run itself and not a copy: a copy
 * that restored the host would interfere with the original run.
 *
 * @param adopt whether the user declares a copy to be the run
 */
public record RunClaim(RunDirectory run, boolean adopt) {
  /** The first file of a bundle, which somebody may have unpacked by hand. */
  public static final String ARCHIVE_MANIFEST = "manifest.json";

  /** A file in the directory into which a command unpacked a bundle. */
  public static final String ARCHIVE_MARK = ".slicewise-bundle";

  /**
   * Rejects what was unpacked from an archive, always: its settings and its undo are somebody's
   * text. Rejects a copy that is not adopted, and any copy while the original exists. Writes
   * nothing.
   */
  public void check() {
    refuseArchive();
    run.place()
        .filter(place -> !isAt(place))
        .ifPresent(
            place -> {
              if (isHere(place)) {
                throw refused(
                    place,
                    RunLock.isHeld(Path.of(place.directory()))
                        ? "a process is working on the original"
                        : "a copy never changes a host, and the original exists",
                    "use the original: " + place.directory());
              }
              if (!adopt) {
                throw refused(
                    place,
                    "a copy never changes a host",
                    "use the original; if it no longer exists, --adopt makes this directory the"
                        + " run");
              }
            });
  }

  private void refuseArchive() {
    Path root = run.root().toAbsolutePath().normalize();
    boolean marked = Files.exists(root.resolve(ARCHIVE_MANIFEST));
    for (Path at = root; at != null && !marked; at = at.getParent()) {
      marked = Files.exists(at.resolve(ARCHIVE_MARK));
    }
    if (marked) {
      throw new SlicewiseException(
          ErrorKind.LOCKED,
          run.name() + " was read from a bundle: an archive never changes a host",
          "use the run directory from which the bundle was made");
    }
  }

  /** Journals the run's id and place if they are new; call it after {@link #check}. */
  public void settle(Journal journal, Clock clock) {
    if (run.place().filter(this::isAt).isEmpty()) {
      try {
        RunPlace place = RunPlace.fresh(run.journalFile());
        journal.append(new JournalEvent.Placed(clock.instant(), place));
      } catch (IOException e) {
        throw StorageFault.of("cannot write the journal " + run.journalFile(), e);
      }
    }
  }

  private boolean isAt(RunPlace place) {
    try {
      return place.isAt(run.journalFile());
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Whether the original is on this machine. */
  private static boolean isHere(RunPlace place) {
    return place.machine().equals(ThisProcess.machineId())
        && holds(Path.of(place.directory()), place.run());
  }

  /** Whether the run is still at the place from which it was copied. */
  private static boolean holds(Path directory, String id) {
    return Files.isDirectory(directory)
        && Optional.of(directory)
            .map(RunDirectory::at)
            .flatMap(RunDirectory::place)
            .filter(there -> there.run().equals(id))
            .isPresent();
  }

  private SlicewiseException refused(RunPlace place, String why, String hint) {
    String where =
        place.machine().equals(ThisProcess.machineId())
            ? place.directory()
            : "%s on another machine".formatted(place.directory());
    return new SlicewiseException(
        ErrorKind.LOCKED,
        "%s is a copy of the run in %s: %s".formatted(run.root(), where, why),
        hint);
  }
}
