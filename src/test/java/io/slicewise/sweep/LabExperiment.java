package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.Lab;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Experiment files on a lab that is reached by its address, as any host is. */
public final class LabExperiment {
  private LabExperiment() {}

  private static final String HEAD =
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
      baseline: as-found
      repetitions: 1
      warm-up: 0s
      ramp: 0s
      measure: 1s
      cool-down: 0s
      seed: 7
      limits: {lab-lateness: 9s}
      profiles:
        - as-found
        - name: w512
          scheduler: credit
          domains: {Apache_Server: {weight: 512}}
      """;

  private static final String BOTH =
      """
        - name: w1024
          scheduler: credit
          domains: {Apache_Server: {weight: 1024}, NFS_Server: {weight: 128}}
      """;

  private static final String MORE =
      """
        - name: cap50
          scheduler: credit
          domains: {Apache_Server: {cap: 50}}
      """;

  /** An experiment that only watches, and changes nothing. */
  public static Path asFound(Lab lab, Path directory) {
    return write(lab, directory, HEAD.substring(0, HEAD.indexOf("  - name: w512")));
  }

  /** An experiment that only watches, with the profiles as-found and w512. */
  public static Path two(Lab lab, Path directory) {
    return write(lab, directory, HEAD);
  }

  /** The same with two more profiles: w1024, which also sets NFS_Server, and cap50. */
  public static Path four(Lab lab, Path directory) {
    return write(lab, directory, HEAD + BOTH + MORE);
  }

  /** As-found, and w1024, which sets both guests. */
  public static Path pair(Lab lab, Path directory) {
    return write(lab, directory, HEAD.substring(0, HEAD.indexOf("  - name: w512")) + BOTH);
  }

  /** The same four as windows of sessions; the design's other keys as written there. */
  public static Path switchback(Lab lab, Path directory, String design) {
    return write(lab, directory, windows(HEAD, design) + BOTH + MORE);
  }

  /** The same pair as windows of sessions; the design's other keys as written there. */
  public static Path switchbackPair(Lab lab, Path directory, String design) {
    String head = HEAD.substring(0, HEAD.indexOf("  - name: w512"));
    return write(lab, directory, windows(head, design) + BOTH);
  }

  /**
   * As-found and w1024 as pairs for the run share of Apache_Server; the design's keys as written.
   */
  public static Path pairs(Lab lab, Path directory, String design) {
    String head = HEAD.substring(0, HEAD.indexOf("  - name: w512"));
    return write(
        lab,
        directory,
        windows(head, design).replace("kind: switchback", "kind: pairs")
            + BOTH
            + "goal: highest run share of Apache_Server\n");
  }

  private static String windows(String head, String design) {
    return head.replace("repetitions: 1\n", "design: {kind: switchback, " + design + "}\n")
        .replace("measure: 1s\n", "");
  }

  /** A tune of the weight of Apache_Server for the highest share of the pCPUs, in sessions. */
  public static Path tune(Lab lab, Path directory, String design, String budget) {
    String head = HEAD.substring(0, HEAD.indexOf("  - name: w512"));
    return write(
        lab,
        directory,
        windows(head, design)
            + """
            tune:
              goal: highest run share of Apache_Server
              budget: {%s}
              search: {Apache_Server: {weight: [1024, 2048, 4096]}}
            """
                .formatted(budget));
  }

  private static Path write(Lab lab, Path directory, String text) {
    try {
      return Files.writeString(
          directory.resolve("experiment.yaml"),
          text.formatted(lab.sshPort(), lab.privateKey(), lab.knownHosts()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Experiment read(Path file) {
    return ExperimentFiles.read(file);
  }

  /** Resumes a run in this process, with nobody at the screen. */
  public static RunOutcome resume(RunDirectory run, Experiment experiment) {
    return LocalSweep.of(experiment).resume(run).execute();
  }
}
