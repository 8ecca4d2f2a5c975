package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunState;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.window.DeadLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A generator that is lost twice in a row ends the run with its name. */
@Tag("lab")
class LostTwiceTest extends SweepsOnLab {
  private static final Path PAGE =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "page.jmx");

  @Test
  void theSameGeneratorTwiceInARowEndsTheRun() throws IOException {
    List<String> notices = new ArrayList<>();
    RunDirectory run = losing(List.of("gen2", "gen1", "gen1", "gen2"), notices);

    assertThat(run.record().failed().values())
        .extracting(failed -> failed.reason())
        .containsExactly("generator gen2 ended", "generator gen1 ended", "generator gen1 ended");
    assertThat(notices)
        .contains(
            "generator gen1 was lost twice in a row; the run ends here. Repair it, or remove it"
                + " from 'generators' in the run's experiment.yaml, then resume");
  }

  /** Runs four trials, each of which loses a generator. */
  private RunDirectory losing(List<String> generators, List<String> notices) throws IOException {
    try (Lab lab = Lab.start(burning())) {
      Path file = LabExperiment.four(lab, directory);
      Files.writeString(
          file,
          Files.readString(file)
              .replace(
                  "workload: observe",
                  "workload: {name: plan, plan: %s, target: 'http://127.0.0.1:9/'}\nusers: [2]"
                      .formatted(PAGE))
              .replace("warm-up: 0s", "warm-up: 1s"));
      Experiment experiment = LabExperiment.read(file);
      RunState end =
          Sweep.begin(
                  experiment,
                  directory.resolve("results"),
                  SweepOptions.DEFAULT,
                  LocalSweep.atEachNotice(notices::add),
                  stop,
                  new Losing(generators.iterator()),
                  Clock.systemUTC())
              .execute()
              .state();
      assertThat(end).isEqualTo(RunState.TRIALS_FAILED);
      return RunDirectory.newest(directory.resolve("results")).orElseThrow();
    }
  }

  /** Each load loses the next of these generators at once. */
  private record Losing(Iterator<String> generators) implements LoadGenerator {
    @Override
    public PreparedLoad prepare(LoadRequest request) {
      return new PreparedLoad() {
        @Override
        public RunningLoad begin() {
          return new Lost(generators.next());
        }

        @Override
        public void close() {
          // Nothing runs.
        }
      };
    }
  }

  private record Lost(String generator) implements DeadLoad {
    @Override
    public Optional<String> failure() {
      return Optional.of("generator " + generator + " ended");
    }

    @Override
    public Optional<String> lostGenerator() {
      return Optional.of(generator);
    }
  }
}
