package io.slicewise.cli.lab;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.WholeFile;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostLimits;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.replay.ReplayLab;
import io.slicewise.run.RunClaim;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.bundle.OpenedBundle;
import io.slicewise.run.journal.Journal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.commons.io.FileUtils;

/**
 * The host of a bundle's run, answering as it was recorded, and a copy of the run whose experiment
 * names that host.
 */
final class ReplayedHost implements AutoCloseable {
  private final ReplayLab lab;
  private final RunDirectory run;
  private final Path directory;
  private final boolean temporary;

  private ReplayedHost(ReplayLab lab, RunDirectory run, Path directory, boolean temporary) {
    this.lab = lab;
    this.run = run;
    this.directory = directory;
    this.temporary = temporary;
  }

  /**
   * Unpacks a bundle and starts its host.
   *
   * @param chosen receives the run, keys and files; empty for a temporary directory
   * @throws SlicewiseException if the file is no intact bundle, or has no recording
   */
  static ReplayedHost start(Path bundle, Optional<Path> chosen, int port) {
    try {
      Path directory =
          chosen.isPresent()
              ? Files.createDirectories(chosen.get())
              : Files.createTempDirectory("slicewise-replay-");
      try {
        return start(bundle, directory, chosen.isEmpty(), port);
      } catch (IOException | RuntimeException refused) {
        remove(directory, chosen.isEmpty());
        throw refused;
      }
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.STORAGE,
          "cannot replay %s: %s".formatted(bundle, FileFault.reason(fault)),
          "name another directory with --directory",
          fault);
    }
  }

  private static ReplayedHost start(Path bundle, Path directory, boolean temporary, int port)
      throws IOException {
    Path root;
    try (OpenedBundle opened = OpenedBundle.open(bundle)) {
      root = opened.unpack(directory);
    }
    RunDirectory run = RunDirectory.open(root);
    Experiment recorded = ExperimentFiles.read(run.experimentFile());
    ReplayLab lab = ReplayLab.start(root, directory, port);
    try {
      Experiment replayed = recorded.answeredBy(host(lab, recorded.host().orElseThrow()));
      WholeFile.write(run.experimentFile(), ExperimentFiles.toYaml(replayed));
      try (Journal journal = Journal.open(run.journalFile())) {
        new RunClaim(run, true).settle(journal, Clock.systemUTC());
      }
      return new ReplayedHost(lab, run, directory, temporary);
    } catch (IOException | RuntimeException refused) {
      lab.close();
      throw refused;
    }
  }

  private static HostSpec host(ReplayLab lab, HostSpec recorded) {
    return new HostSpec(
        "127.0.0.1",
        false,
        Optional.of("root"),
        OptionalInt.of(lab.port()),
        Optional.of(lab.privateKey()),
        Optional.of(lab.knownHosts()),
        recorded.sudo(),
        recorded.cpupool(),
        recorded.hypervisor(),
        recorded.toolstack(),
        HostLimits.DEFAULT,
        recorded.deadMan());
  }

  void print(PrintWriter out) {
    out.println("Replay    127.0.0.1 port %d, %d answers".formatted(lab.port(), lab.answers()));
    out.println("Run       " + run.root());
    out.println("Try       slicewise doctor " + run.experimentFile());
    out.println("Press Ctrl-C to stop.");
  }

  private static void remove(Path directory, boolean temporary) {
    if (temporary) {
      FileUtils.deleteQuietly(directory.toFile());
    }
  }

  @Override
  public void close() {
    lab.close();
    remove(directory, temporary);
  }
}
