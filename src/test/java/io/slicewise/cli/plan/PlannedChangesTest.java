package io.slicewise.cli.plan;

import static io.slicewise.host.xen.ScriptedShell.recorded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.plan.PlanOutline.Arm;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.xen.ScriptedShell;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.sweep.guard.SettingChange;
import io.slicewise.sweep.preflight.Preflight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plan names the exact commands and their undo, what waits for another scheduler, and what the
 * host would refuse, and sends nothing that changes anything.
 */
class PlannedChangesTest {
  private static final String POOLS =
      """
      name: pools
      host: {address: dom0.example}
      domains: {main: [web], other: [vmm-bench-01]}
      profiles:
        - as-found
        - {name: light, scheduler: credit2, domains: {web: {weight: 128}}}
        - {name: bench, scheduler: credit, other: {weight: 512, cap: 50}}
        - {name: edf, scheduler: sedf, main: {period: 10ms, slice: 2ms}}
      workload: observe
      warm-up: 2s
      measure: 8s
      repetitions: 2
      """;

  @TempDir private Path directory;

  private final ScriptedShell shell =
      new ScriptedShell()
          .answering("xl info", recorded("xl-4.17-info-excerpt.txt"))
          .answering("xl list -c", recorded("xl-4.17-list-cpupool.txt"))
          .answering("xl cpupool-list", recorded("xl-4.17-cpupool-list.txt"))
          .answering(
              "xl vcpu-list 3",
              """
              Name                                ID  VCPU   CPU State   Time(s) Affinity (Hard / Soft)
              web                                  3     0    1   -b-     123.4  1 / all
              """)
          .answering(
              "xl sched-credit2",
              """
              Cpupool Pool-0: ratelimit=1000us
              Name                                ID Weight  Cap
              Domain-0                             0    512    0
              web                                  3    256    0
              """)
          .answering(
              "xl sched-credit",
              """
              Cpupool bench: tslice=30ms ratelimit=1000us migration-delay=0us
              Name                                ID Weight  Cap
              vmm-bench-01                         7    100  150
              """);

  @Test
  void namesTheCommandsAndTheirUndo() throws IOException {
    PlanOutline plan = plan(POOLS);
    assertThat(arm(plan, "light").changes())
        .containsExactly(
            new SettingChange(
                "web",
                "weight 256 cap 0",
                "weight 128 cap 0",
                List.of("xl sched-credit2 -d 3 -w 128 -c 0"),
                List.of("xl sched-credit2 -d 3 -w 256 -c 0")));
    assertThat(arm(plan, "bench").changes())
        .extracting(SettingChange::commands, SettingChange::undo)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                List.of("xl sched-credit -d 7 -w 512 -c 50"),
                List.of("xl sched-credit -d 7 -w 100 -c 150")));
    assertThat(arm(plan, "as-found").changes()).isEmpty();
    assertThat(shell.changes()).isEmpty();
  }

  @Test
  void setsTrialsAsideThatNeedAnotherScheduler() throws IOException {
    PlanOutline plan = plan(POOLS);
    assertThat(arm(plan, "edf").needs()).contains("sched=sedf");
    assertThat(plan.time().trials()).isEqualTo(6);
    assertThat(plan.time().now()).isEqualTo(Duration.ofMinutes(1));
    assertThat(plan.time().later()).containsEntry("sched=sedf", Duration.ofSeconds(20));
    assertThat(plan.remarks().problems())
        .containsExactly(
            "profile edf: needs sedf, which Xen 4.17.0 lacks: correct the profile, or use a host"
                + " that can take it");
    assertThat(plan.remarks().notes()).anyMatch(note -> note.contains("differences between boots"));
    assertThat(new PlanScreen(plan, 100).lines(true, true))
        .anyMatch(line -> line.contains("edf needs sched=sedf"))
        .anyMatch(line -> line.contains("undo  xl sched-credit2 -d 3 -w 256 -c 0"))
        .anyMatch(line -> line.contains("waits  block 1  edf"));
  }

  @Test
  void foreseesWhatTheHostWouldRefuse() throws IOException {
    String faulty =
        POOLS
            .replace("address: dom0.example", "address: dom0.example, cpupool: bench")
            .replace("weight: 128", "weight: 128, cap: 150")
            .replace("main: [web]", "main: [web, gone]")
            .replaceFirst(".*name: edf.*\n", "");
    assertThat(plan(faulty).remarks().problems())
        .hasSize(3)
        .anyMatch(problem -> problem.contains("web runs in cpupool Pool-0, not in bench"))
        .anyMatch(problem -> problem.contains("gone does not run on the host"))
        .anyMatch(problem -> problem.contains("cap 150") && problem.contains("0..100"));
  }

  @Test
  void printsNoCommandsThatTheHostWouldRefuse() throws IOException {
    shell.answering(
        "xl vcpu-list",
        """
        Name                                ID  VCPU   CPU State   Time(s) Affinity (Hard / Soft)
        web                                  3     0    1   -b-     123.4  all / all
        """);
    PlanOutline plan =
        plan(POOLS.replace("domains: {web: {weight: 128}}", "placement: {web: {affinity: 9}}"));
    assertThat(arm(plan, "light").changes()).isEmpty();
    assertThat(plan.remarks().problems())
        .anyMatch(
            problem -> problem.contains("affinity 9 of web names pCPU 9, and the host has 0-7"));
  }

  /** As the doctor does: a billion arrivals a second need more memory than this machine has. */
  @Test
  void foreseesALoadThatThisMachineCannotGenerate() throws IOException {
    PlanOutline plan =
        plan(
            POOLS.replace(
                "workload: observe",
                "workload: {name: web-app, target: \"http://web.example/\"}\nrate: 1000000000"));
    assertThat(plan.remarks().problems().stream().map(PlannedChangesTest::withoutNumbers))
        .containsAll(
            Preflight.obstaclesHere(ExperimentFiles.read(directory.resolve("pools.yaml"))).stream()
                .map(PlannedChangesTest::withoutNumbers)
                .toList());
  }

  private static String withoutNumbers(String text) {
    return text.replaceAll("\\d+", "N");
  }

  private PlanOutline plan(String text) throws IOException {
    Experiment experiment =
        ExperimentFiles.read(Files.writeString(directory.resolve("pools.yaml"), text));
    HostView host =
        HostView.of(
            "dom0.example", Hypervisors.probe(shell, false, Optional.empty(), Optional.empty()));
    return new PlanDraft(experiment, host, Clock.systemUTC()).outline(PlanDraft.Scatter.ASSUMED);
  }

  private static Arm arm(PlanOutline plan, String name) {
    assertThat(plan.profiles()).extracting(Arm::profile).contains(SchedulerProfile.AS_FOUND.name());
    return plan.profiles().stream()
        .filter(arm -> arm.profile().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
