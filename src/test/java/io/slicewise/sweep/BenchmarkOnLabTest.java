package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A command of the workload is run in every window, and what it prints is measured or doubted. */
@KeepsTheMachineBusy
class BenchmarkOnLabTest extends SweepsOnLab {
  private static Lab lab;

  @BeforeAll
  static void start() {
    lab = Lab.start(burning());
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private List<TrialResult> results(Path file, String script) {
    try {
      String workload =
          """
          workload:
            name: command
            command: [sh, -c, '%s', sh, "{seconds}"]
            measures: {events: {unit: /s}}
          goal: highest outcome events
          """
              .formatted(script);
      Files.writeString(file, Files.readString(file).replace("workload: observe\n", workload));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    Experiment experiment = LabExperiment.read(file);
    Sweep sweep = sweep(experiment);
    sweep.execute();
    return sweep.run().results();
  }

  private TrialResult result(String script) {
    return results(LabExperiment.asFound(lab, directory), script).get(0);
  }

  private Path kept(TrialResult result, String file) {
    try (var files = Files.walk(directory)) {
      return files
          .filter(path -> path.endsWith(Path.of(result.trial().slug(), "command", file)))
          .findFirst()
          .orElseThrow();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static List<String> outcomes(TrialResult result) {
    return result.findings().stream()
        .filter(found -> found.rule() == Rule.OUTCOMES)
        .filter(Finding::excludes)
        .map(Finding::message)
        .toList();
  }

  @Test
  void measuresWhatItPrintsAndKeepsIt() {
    TrialResult result = result("echo warm; echo more >&2; echo 41.5");

    assertThat(outcomes(result)).isEmpty();
    assertThat(result.valid()).isTrue();
    assertThat(result.measures())
        .singleElement()
        .satisfies(
            measure -> {
              assertThat(measure.name()).isEqualTo("events");
              assertThat(measure.value()).isEqualTo(41.5);
            });
    assertThat(kept(result, "output.txt")).hasContent("warm\n41.5\n");
    assertThat(kept(result, "errors.txt")).hasContent("more\n");
  }

  @Test
  void doesNotCountACommandThatFails() {
    assertThat(outcomes(result("echo 7; echo out of memory >&2; exit 3")))
        .containsExactly("its command ended with status 3: out of memory");
  }

  @Test
  void doesNotCountACommandThatPrintsNoNumber() {
    assertThat(outcomes(result("echo none")))
        .containsExactly("its command did not print events, but 'none'");
  }

  @Test
  void endsACommandThatOutlivesItsWindow() throws IOException {
    Path file = directory.resolve("pid");

    assertThat(outcomes(result("echo $$ > " + file + "; exec sleep 600")))
        .containsExactly("its command had not ended when the window did");
    long pid = Long.parseLong(Files.readString(file).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void measuresEveryWindowOfASession() {
    List<TrialResult> results =
        results(
            LabExperiment.switchback(lab, directory, "sessions: 1, blocks: 2, window: 2s"),
            "echo 5");

    assertThat(results).hasSize(8).allMatch(result -> outcomes(result).isEmpty());
    assertThat(results)
        .allSatisfy(
            result ->
                assertThat(result.measures())
                    .singleElement()
                    .satisfies(measure -> assertThat(measure.value()).isEqualTo(5)));
  }
}
