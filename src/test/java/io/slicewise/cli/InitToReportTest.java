package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.run.RunDirectory;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that {@code init} offers runs on the lab, from the draft to the report. */
@MeasuresInRealTime
class InitToReportTest {
  private static final String LENIENT =
      "limits: {generator-cpu: 100%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%,"
          + " littles-law: 100%, repeat-invalid: 0}";

  @TempDir private Path directory;

  static Stream<String> drafts() {
    return Stream.concat(
        Workloads.types().stream()
            .filter(type -> type.plan() != WorkloadType.Need.MUST && !type.live())
            .map(WorkloadType::name),
        Stream.of("overhead", "interference"));
  }

  @ParameterizedTest
  @MethodSource("drafts")
  void everyDraftEndsWithAReport(String subject) throws IOException {
    endsWithAReport(quick(draft(subject, "xen")));
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({"web-app, libvirt", "stride, libvirt", "observe, libvirt", "overhead, none"})
  void onOtherHostsToo(String subject, String hypervisor) throws IOException {
    endsWithAReport(quick(draft(subject, hypervisor)));
  }

  @Tag("nightly")
  @ParameterizedTest
  @MethodSource("drafts")
  void everyDraftRunsWithItsOwnTimes(String subject) throws IOException {
    endsWithAReport(draft(subject, "xen").replaceAll("repetitions: \\d+", "repetitions: 2"));
  }

  private void endsWithAReport(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("draft.yaml"), text);
    Path results = directory.resolve("results");
    succeeded(
        CommandLines.run(
            "run",
            file.toString(),
            "--results",
            results.toString(),
            "--plain",
            "--allow-plan-code"));
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    assertThat(run.record().failed()).isEmpty();
    assertThat(run.results()).isNotEmpty();
    succeeded(CommandLines.run("report", run.root().toString()));
    assertThat(run.root().resolve("report.html")).isNotEmptyFile();
  }

  /** On a busy machine a trial may finish and not be valid; that is not what is tested here. */
  private static void succeeded(Said said) {
    assertThat(said.exit()).as(said.out() + said.err()).isIn(CommandLines.measured());
  }

  private static String draft(String subject, String hypervisor) {
    Said said = CommandLines.run("init", subject, "--hypervisor", hypervisor);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  /** The same with windows of two seconds, one profile and one repetition. */
  private static String quick(String draft) {
    return draft
            .replaceAll("(?m)^limits:.*\n", "")
            .replaceAll("(?m)^  - \\{name: heavy.*\n", "")
            .replace("lab: {} ", "lab: {demand-factor: 0.3} ")
            .replaceAll("(?m)^users: \\S+( \\S+\\])?", "users: 2")
            .replaceAll("(?m)^repetitions: \\d+", "repetitions: 1")
            .replaceAll("(?m)^ramp: \\w+", "ramp: 0s")
            .replaceAll("(?m)^warm-up: \\w+", "warm-up: 1s")
            .replaceAll("(?m)^measure: \\w+", "measure: 2s")
            .replace("passes: 100 ", "passes: 3 ")
            .replace("interference: [0, 1, 2, 3]", "interference: [0, 1]")
        + LENIENT
        + "\n";
  }
}
