package io.slicewise.cli.commands;

import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.run.RunDirectory;
import io.slicewise.sweep.HostApply;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.commons.io.FileUtils;

/**
 * Removes old runs that nightly made. A run that is a baseline, is being worked on, or left a host
 * changed stays, and so does every run that was started by hand.
 */
record OldNights(Path results, Baselines baselines, PrintWriter err) {
  /** Keeps the newest nights of an experiment. */
  void prune(String experiment, int keep) {
    try {
      Set<String> never = baselines.runs();
      List<RunDirectory> nights =
          RunDirectory.below(results).stream()
              .filter(root -> NightRecord.isIn(root, experiment))
              .map(RunDirectory::open)
              .sorted(Comparator.comparing(OldNights::begun).reversed())
              .toList();
      for (RunDirectory night : nights.subList(Math.min(keep, nights.size()), nights.size())) {
        if (!never.contains(night.name()) && isOver(night)) {
          remove(night);
        }
      }
    } catch (SlicewiseException unreadable) {
      say("no old night was removed: " + unreadable.getMessage());
    }
  }

  private static String begun(RunDirectory night) {
    return night.began().map(Object::toString).orElse("");
  }

  private static boolean isOver(RunDirectory night) {
    return !night.isWorkedOn()
        && night.record().touched().isEmpty()
        && HostApply.below(night.root()).stream()
            .allMatch(applied -> RunDirectory.open(applied).record().touched().isEmpty());
  }

  private void remove(RunDirectory night) {
    try {
      // Without its journal a directory is no run any more, should the removal be cut short.
      Files.deleteIfExists(night.journalFile());
      FileUtils.deleteDirectory(night.root().toFile());
      say("removed %s".formatted(night.root()));
    } catch (IOException fault) {
      say("%s could not be removed: %s".formatted(night.root(), FileFault.reason(fault)));
    }
  }

  private void say(String what) {
    err.println(what);
  }
}
