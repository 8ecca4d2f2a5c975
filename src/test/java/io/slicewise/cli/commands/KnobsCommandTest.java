package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the list of knobs: each comes from its description, with the host's own reading. */
class KnobsCommandTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scheduler: credit | weight | 256 | 1..65535 | xl sched-credit",
        "scheduler: credit | cap | 0 | 0..200 | xl sched-credit",
        "scheduler: rtds | affinity | all | pCPUs 0-3, all | xl vcpu-pin",
        "hypervisor: libvirt | pinning | 0-3 | pCPUs 0-3 | virsh vcpupin",
        "hypervisor: libvirt | vcpu-quota | none | none, 1ms.. | virsh schedinfo",
      })
  void listsWhatADomainHas(String lab, String knob, String now, String range, String tool)
      throws Exception {
    String row =
        CommandLines.run("knobs", experiment(lab).toString(), "--format", "json")
            .out()
            .replaceAll("\\s+", " ");
    assertThat(row)
        .containsPattern(
            "\"name\" ?: ?\"%s\", ?\"target\" ?: ?\"Apache_Server\", ?\"value\" ?: ?\"%s\", ?\"range\" ?: ?\"%s"
                .formatted(knob, now, Pattern.quote(range)));
    assertThat(row).contains(tool);
  }

  @Test
  void listsPoolsAndWhatOnlyABootChanges() throws Exception {
    assertThat(CommandLines.run("knobs", experiment("scheduler: credit").toString()).out())
        .containsPattern("cpupool Pool-0 +timeslice +30 ms +1ms..1s +cpupool")
        .containsPattern("host +scheduler +credit +credit, credit2, rtds, null +host");
  }

  private Path experiment(String lab) throws Exception {
    return Files.writeString(
        directory.resolve("experiment.yaml"),
        """
        name: knobs
        lab: {%s, pcpus: 4, guests: [{name: Apache_Server, vcpus: 2}]}
        domains: {main: [Apache_Server]}
        profiles: [as-found]
        workload: observe
        repetitions: 1
        """
            .formatted(lab));
  }
}
