package io.slicewise.workload.tpc;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.lab.guest.Scenes;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.SweepListener;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.LocalSweep;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Runs a database workload on the lab, through an experiment file, as on any host. */
final class LabRun {
  private static final String EXPERIMENT =
      """
      name: lab-run
      host: {address: 127.0.0.1, user: root, port: %d, identity: %s, known-hosts: %s}
      domains: {main: [Database]}
      profiles: [as-found]
      workload:
        name: %s
        %s
      users: [1, 2]
      repetitions: 1
      ramp: 0s
      warm-up: 1s
      measure: %s
      limits:
        {errors: 0.5%%, generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%%, repeat-invalid: 0}
      """;

  private LabRun() {}

  static Lab lab(String workload) {
    return Lab.start(
        LabOptions.defaults()
            .withScheduler(Scheduler.CREDIT)
            .withScene(Scenes.named(workload).orElseThrow()));
  }

  /** The sign-in to a database of the lab as a YAML map of one line, without its braces. */
  static String signIn(Map<String, Object> options) {
    return "database: '%s', database-user: '%s', database-password-file: '%s'"
        .formatted(
            options.get("database"),
            options.get("database-user"),
            options.get("database-password-file"));
  }

  /**
   * Runs one trial at one user and one at two.
   *
   * @param options lines of the experiment's workload, indented by two
   * @param beforeTearDown called when the load is over and the tables are still there
   */
  static List<TrialResult> run(
      Lab lab,
      String workload,
      String options,
      String measure,
      Path directory,
      BiConsumer<Trial, List<String>> beforeTearDown)
      throws IOException {
    return run(lab, workload, options, measure, directory, beforeTearDown, trial -> {});
  }

  /** The same, calling {@code during} again and again while the load is on. */
  static List<TrialResult> run(
      Lab lab,
      String workload,
      String options,
      String measure,
      Path directory,
      BiConsumer<Trial, List<String>> beforeTearDown,
      Consumer<Trial> during)
      throws IOException {
    List<TrialResult> results = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    SweepListener listener =
        new SweepListener() {
          @Override
          public void step(Trial trial, Step step, Duration expected) {
            if (step == Step.TEAR_DOWN) {
              beforeTearDown.accept(trial, failures);
            }
          }

          @Override
          public void progress(Trial trial, Step step, Duration elapsed, LoadProgress load) {
            during.accept(trial);
          }

          @Override
          public void trialFinished(TrialResult result) {
            results.add(result);
          }

          @Override
          public void trialFailed(Trial trial, String reason) {
            failures.add(reason);
          }
        };
    LocalSweep.of(experiment(lab, workload, options, measure, directory))
        .with(new SweepOptions(false, Duration.ofSeconds(10)))
        .with(listener)
        .begin(directory.resolve("results"))
        .execute();
    if (!failures.isEmpty()) {
      throw new AssertionError(failures);
    }
    return results;
  }

  private static Experiment experiment(
      Lab lab, String workload, String options, String measure, Path directory) throws IOException {
    Path file = directory.resolve("experiment.yaml");
    Files.writeString(
        file,
        EXPERIMENT.formatted(
            lab.sshPort(),
            lab.privateKey(),
            lab.knownHosts(),
            workload,
            options.indent(2).strip(),
            measure));
    return ExperimentFiles.read(file);
  }
}
