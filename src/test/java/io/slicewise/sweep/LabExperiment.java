package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFiles;
import io.slicewise.lab.Lab;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Experiment files on a lab that is reached by its address, as any host is. */
final class LabExperiment {
  private LabExperiment() {}

  /** An experiment that only watches: profiles weight 512, 1024 and cap 50 on Apache_Server. */
  static Path observe(Lab lab, Path directory, int repetitions, String measure) {
    return write(
        lab,
        directory,
        """
        name: watched
        host:
          address: 127.0.0.1
          user: root
          port: %d
          identity: %s
          known-hosts: %s
        domains: {main: [Apache_Server], other: [NFS_Server]}
        workload: observe
        profiles:
          - as-found
          - name: w512
            scheduler: credit
            domains: {Apache_Server: {weight: 512}}
          - name: w1024
            scheduler: credit
            domains: {Apache_Server: {weight: 1024}, NFS_Server: {weight: 128}}
          - name: cap50
            scheduler: credit
            domains: {Apache_Server: {cap: 50}}
        baseline: as-found
        repetitions: %d
        warm-up: 0s
        ramp: 0s
        measure: %s
        cool-down: 0s
        seed: 7
        """,
        repetitions,
        measure);
  }

  private static Path write(Lab lab, Path directory, String text, int repetitions, String measure) {
    try {
      return Files.writeString(
          directory.resolve("experiment.yaml"),
          text.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts(), repetitions, measure));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Experiment read(Path file) {
    return ExperimentFiles.read(file);
  }
}
