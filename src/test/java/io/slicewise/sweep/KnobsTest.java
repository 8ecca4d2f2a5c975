package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects every kind of knob of a Xen host in one session: each is set, read back and undone when
 * the next profile's turn comes. {@link KilledAndRestoredTest} kills such runs.
 */
@KeepsTheMachineBusy
class KnobsTest {
  private static final String SPLIT = "split: {Pool-0: {cpus: 2-3, domains: [Apache_Server]}}";
  private static final String HOST =
      "host: {huge-pages: never, swappiness: 10}, disks: {xvda: {io-scheduler: mq-deadline}}";

  /** A profile for each knob. */
  private static final List<String> EVERY_KNOB =
      List.of(
          "name: weight, scheduler: credit, main: {weight: 512, cap: 40}",
          "name: placed, scheduler: credit, placement: {Apache_Server: {affinity: 1}}",
          "name: fewer, scheduler: credit, placement: {NFS_Server: {vcpus: 1}}",
          "name: pool, scheduler: credit, pools: {Pool-0: {timeslice: 5ms, ratelimit: 500us,"
              + " migration-delay: 2ms}}",
          "name: host, scheduler: credit, " + HOST,
          "name: rtds, scheduler: rtds, main: {budget: 3ms}, " + SPLIT,
          "name: unshared, scheduler: null, " + SPLIT);

  @RegisterExtension static final SharedLab LAB = new SharedLab(KilledRuns::xen);

  @TempDir Path directory;

  /** As-found and profiles, in a session of one block. */
  private Path session(String window, List<String> profiles) throws IOException {
    Path file = LabExperiment.asFound(LAB.lab(), directory);
    StringBuilder text =
        new StringBuilder(
            Files.readString(file)
                .replace(
                    "repetitions: 1\n",
                    "design: {kind: switchback, sessions: 1, blocks: 1, window: %s}\n"
                        .formatted(window))
                .replace("measure: 1s\n", ""));
    for (String profile : profiles) {
      text.append("  - {%s}%n".formatted(profile));
    }
    return Files.writeString(file, text);
  }

  @Test
  void oneSessionSetsEveryKindOfKnob() throws IOException {
    String asFound = LAB.state();
    Path file = session("1s", EVERY_KNOB);
    Path results = directory.resolve("results");
    LocalSweep.of(ExperimentFiles.read(file)).begin(results).execute();
    Map<String, String> set = new TreeMap<>();
    for (TrialResult result : RunDirectory.newest(results).orElseThrow().results()) {
      assertThat(result.valid()).as(result.trial().profile()).isTrue();
      set.put(result.trial().profile(), result.host().after().toString());
    }
    assertThat(set).hasSize(EVERY_KNOB.size() + 1);
    assertThat(set.get("fewer")).contains("vcpus 1");
    assertThat(set.get("pool")).contains("migration-delay 2 ms");
    assertThat(set.get("host"))
        .contains("huge-pages never", "swappiness 10", "disk xvda", "mq-deadline");
    assertThat(set.get("as-found")).contains("huge-pages madvise", "io-scheduler none");
    assertThat(LAB.state()).isEqualTo(asFound);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "disks: {sdz: {io-scheduler: none}} | io-scheduler of disk sdz is /sys/block/sdz/queue/scheduler, which this host does not have",
        "host: {governor: performance} | governor of the host is /sys/devices/system/cpu/cpufreq/policy*/scaling_governor, which this host does not have",
        "placement: {NFS_Server: {vcpus: 9}} | vcpus 9 of NFS_Server is more than the 2 with which it was started",
      })
  void whatAHostDoesNotHaveIsRefusedBeforeAnythingIsChanged(String knob, String sentence)
      throws IOException {
    String asFound = LAB.state();
    Path file = session("1s", List.of("name: other, scheduler: credit, " + knob));
    LocalSweep sweep = LocalSweep.of(ExperimentFiles.read(file));
    assertThatThrownBy(() -> sweep.begin(directory.resolve("results")).execute())
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining(sentence);
    assertThat(LAB.state()).isEqualTo(asFound);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "host: {huge-pages: sometimes} | is not one of",
        "host: {swappines: 1} | did you mean",
        "host: {swappiness: 900} | 900",
        "disks: {} | disks lists no disk",
      })
  void aFaultInAHostKnobIsNamed(String knob, String sentence) throws IOException {
    Path file = session("1s", List.of("name: other, scheduler: credit, " + knob));
    assertThatThrownBy(() -> ExperimentFiles.read(file)).hasMessageContaining(sentence);
  }

  @Test
  void trialsRefuseWhatAllGuestsHaveInCommon() throws IOException {
    Path file = LabExperiment.asFound(LAB.lab(), directory);
    Files.writeString(
        file,
        Files.readString(file)
            + "  - {name: other, scheduler: credit, host: {huge-pages: never}}\n");
    assertThatThrownBy(() -> ExperimentFiles.read(file))
        .hasMessageContaining(
            "profile other sets the host, which all guests have in common: trials cannot compare"
                + " that");
  }
}
