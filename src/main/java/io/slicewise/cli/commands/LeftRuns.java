package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ErrorPrinter;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.ssh.SshAddress;
import io.slicewise.sweep.HostApply;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The runs in a directory that left a host changed. */
final class LeftRuns {
  private final PrintWriter err;
  private final List<Left> found = new ArrayList<>();
  private boolean allRead = true;

  private LeftRuns(PrintWriter err) {
    this.err = err;
  }

  private record Left(RunDirectory run, Instant begun) {}

  /** Reads every run in the directory; reports those that cannot be read and continues. */
  static LeftRuns below(Path results, String address, PrintWriter err) {
    LeftRuns runs = new LeftRuns(err);
    SshAddress where = SshAddress.typed(address);
    RunDirectory.below(results).stream()
        .flatMap(run -> Stream.concat(Stream.of(run), HostApply.below(run).stream()))
        .sorted()
        .forEach(run -> runs.look(run, where));
    return runs;
  }

  private void look(Path root, SshAddress where) {
    try {
      RunDirectory run = RunDirectory.open(root);
      LoadedRun loaded = run.load();
      boolean here =
          loaded
              .record()
              .lastStart()
              .filter(start -> SshAddress.of(start.host()).leadsWhere(where))
              .isPresent();
      boolean doubt = loaded.settingsInDoubt();
      if (doubt && loaded.events().isEmpty()) {
        Damages.report(err, loaded);
        allRead = false;
      } else if (here && (doubt || !loaded.record().touched().isEmpty())) {
        found.add(new Left(run, loaded.events().get(0).at()));
      }
    } catch (SlicewiseException unreadable) {
      ErrorPrinter.print(err, unreadable);
      allRead = false;
    }
  }

  /**
   * Returns the runs, newest first: the oldest run found the original settings, so it must be
   * restored last.
   */
  List<RunDirectory> newestFirst() {
    return found.stream()
        .sorted(Comparator.comparing(Left::begun).reversed())
        .map(Left::run)
        .toList();
  }

  /** Returns whether every run could be read; if not, other changes may remain on the host. */
  boolean allRead() {
    return allRead;
  }
}
