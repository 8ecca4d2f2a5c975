package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.Hypervisors;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.lab.LabOptions;
import io.slicewise.profile.Placement;
import io.slicewise.profile.ProfileFiles;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects where Xen's vCPUs run: profiles pin them under any scheduler, every trial reads it back,
 * and what Xen would refuse is refused before anything is changed.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
class PlacementTest {
  private static final String FOUND = "all / all";

  @TempDir Path directory;

  private static Lab lab(String scheduler) {
    Lab lab =
        Lab.start(LabOptions.sshOnly().withScheduler(Scheduler.ofXenName(scheduler).orElseThrow()));
    try (RemoteShell shell = LabClient.open(lab)) {
      shell.run(Command.changing("xl", "vcpu-pin", "NFS_Server", "0", "0", "1"));
    }
    return lab;
  }

  /** Returns the affinities of a domain's vCPUs, as {@code xl vcpu-list} prints them. */
  private static List<String> places(RemoteShell shell, String domain) {
    return shell
        .run(Command.reading("xl", "vcpu-list", domain))
        .standardOutput()
        .lines()
        .skip(1)
        .map(line -> line.strip().replaceFirst(".*\\d\\.\\d +", ""))
        .toList();
  }

  private Path experiment(Lab lab, String scheduler, String places) throws IOException {
    Path file = LabExperiment.asFound(lab, directory);
    return Files.writeString(
        file,
        Files.readString(file)
            + "  - {name: pinned, scheduler: %s, placement: {%s}}%n".formatted(scheduler, places));
  }

  @Test
  void theUndoOfANumberOfVcpusKnowsThoseBetweenAndNoOthers() {
    try (Lab lab = lab("credit");
        RemoteShell shell = LabClient.open(lab)) {
      Hypervisor host = Hypervisors.probe(shell, false, Optional.empty(), Optional.empty());
      Setting found =
          host.settings().stream()
              .filter(one -> one.target().name().equals("placement of Apache_Server"))
              .findFirst()
              .orElseThrow();
      SchedulerParameters of = found.parameters().with(Placement.VCPUS, 4);
      Undo.Change change =
          new Undo.Change(
              of,
              Set.of(Placement.VCPUS.key()),
              List.of(of.with(Placement.VCPUS, 2), of.with(Placement.VCPUS, 0)));
      String known =
          host.undo(found.target(), change).orElseThrow().parts().get(0).known().lines().get(0);
      int id = ((Target.Place) found.target()).domain().id();
      assertThat(IntStream.rangeClosed(0, 44))
          .filteredOn(
              vcpus ->
                  Pattern.compile(known)
                      .matcher("Apache_Server %d  512 %d  -b----  7.5".formatted(id, vcpus))
                      .find())
          .containsExactly(2, 3, 4);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "credit | Apache_Server: {affinity: 0} | affinity 0 soft-affinity as-found",
        "credit2 | Apache_Server: {affinity: '0-1', soft-affinity: 1} | affinity 0-1 soft-affinity 1",
        "rtds | 'Apache_Server: {affinity: 1}, NFS_Server: {affinity: [1, 0]}' | affinity 1 soft-affinity as-found",
      })
  void aProfilePinsUnderAnySchedulerAndEveryTrialReadsItBack(
      String scheduler, String places, String text) throws IOException {
    try (Lab lab = lab(scheduler);
        RemoteShell shell = LabClient.open(lab)) {
      List<String> nfs = places(shell, "NFS_Server");
      Path results = directory.resolve("results");
      LocalSweep.of(ExperimentFiles.read(experiment(lab, scheduler, places)))
          .begin(results)
          .execute();
      List<TrialResult> trials =
          RunDirectory.newest(results).orElseThrow().results().stream()
              .filter(TrialResult::valid)
              .toList();
      assertThat(trials).hasSize(2);
      assertThat(trials)
          .filteredOn(result -> result.trial().profile().equals("pinned"))
          .singleElement()
          .satisfies(
              result ->
                  assertThat(result.host().after().get("placement of Apache_Server"))
                      .hasToString("placement " + text.replace(" soft-affinity as-found", "")));
      assertThat(places(shell, "Apache_Server")).containsOnly(FOUND);
      assertThat(places(shell, "NFS_Server")).isEqualTo(nfs).contains("0 / 1");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Apache_Server: {affinity: 9} | affinity 9 of Apache_Server names pCPU 9, and the host has"
            + " 0-",
        "Apache_Server: {affinity: 1} | affinity 1 of Apache_Server has no pCPU of its cpupool"
            + " Pool-0",
        "Apache_Server: {affinity: [0, 0, 0]} | names pCPUs for 3 vCPUs",
        "Apache_Server: {affinity: [0, 2, 0]} | names pCPUs for 3 vCPUs",
      })
  void whatXenWouldRefuseIsRefusedBeforeAnythingIsChanged(String places, String sentence)
      throws IOException {
    try (Lab lab = lab("credit");
        RemoteShell shell = LabClient.open(lab)) {
      shell.run(Command.changing("xl", "vcpu-pin", "NFS_Server", "all", "all", "all"));
      shell.run(Command.changing("xl", "cpupool-cpu-remove", "Pool-0", "1"));
      LocalSweep sweep = LocalSweep.of(ExperimentFiles.read(experiment(lab, "credit", places)));
      assertThatThrownBy(() -> sweep.begin(directory.resolve("results")).execute())
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining(sentence);
      assertThat(places(shell, "Apache_Server")).containsOnly(FOUND);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "credit | affinity: none | must be pCPUs as in",
        "credit | pinning: 0 | unknown key 'pinning' of Apache_Server",
        "cfs | affinity: 0 | 'placement has no meaning for cfs: it is Xen''s; use pinning'",
      })
  void aFaultInAPlacementIsNamed(String scheduler, String place, String sentence)
      throws IOException {
    Path file = directory.resolve("profiles.yaml");
    Files.writeString(
        file,
        "profiles:%n  other: {scheduler: %s, placement: {Apache_Server: {%s}}}%n"
            .formatted(scheduler, place));
    assertThatThrownBy(() -> ProfileFiles.read(file)).hasMessageContaining(sentence);
  }
}
