package io.slicewise.host.xen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Sedf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects the understanding of what a real Xen 4.17 was recorded to answer. */
class RealHostTest {
  private static final Domain APACHE = new Domain("Apache_Server", 1, 1, 0, "Pool-0");

  /** The host of a recording; each command answers as it did, in order. */
  private static ScriptedShell host(String recording) {
    ScriptedShell shell = new ScriptedShell();
    ObjectMapper mapper = new ObjectMapper();
    for (String line : ScriptedShell.recorded("real-" + recording).lines().toList()) {
      try {
        JsonNode answer = mapper.readTree(line);
        shell.answering(
            answer
                .get("command")
                .asText()
                .replace("xl list --cpupool", "xl list -c")
                .replace("-d Apache_Server", "-d 1"),
            answer.get("exit").asInt(),
            answer.get("stdout").asText(),
            answer.get("stderr").asText());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return shell;
  }

  private static Hypervisor probe(ScriptedShell shell) {
    return new Xen().probe(shell, false, Optional.empty());
  }

  @Test
  void setsCreditAndReadsItBack() {
    Hypervisor.Applied applied =
        probe(host("4.17.7-credit.jsonl")).apply(APACHE, Credit.of(512, 50));
    assertThat(applied.matches()).isTrue();
    assertThat(applied.read()).isEqualTo(Credit.of(512, 50));
  }

  @Test
  void tellsPoolsApartWhoseSchedulersPrintTheSameColumns() {
    ScriptedShell shell = host("4.17.7-credit2.jsonl");
    assertThat(probe(shell).settings())
        .filteredOn(setting -> setting.target() instanceof Domain)
        .extracting(
            setting ->
                setting.target().name()
                    + " "
                    + ((Domain) setting.target()).cpupool()
                    + " "
                    + setting.parameters())
        .contains(
            "Apache_Server pool2 " + Credit.of(256, 0), "Domain-0 Pool-0 " + Credit2.of(256, 0));
  }

  @Test
  void believesThePoolsAndNotTheBootParameter() {
    HostDescription host = probe(host("4.17.7-credit.jsonl")).describe();
    assertThat(host.bootScheduler()).isEqualTo("credit");
    assertThat(host.cpupools()).containsExactly(new CpuPool("Pool-0", 4, "credit", 4));
    assertThat(host.version()).hasToString("4.17.7");
  }

  @Test
  void saysWhichSchedulerRuns() {
    assertThatThrownBy(() -> probe(host("4.17.5-rtds.jsonl")).apply(APACHE, Credit.of(256, 0)))
        .hasMessage("Apache_Server is in cpupool Pool-0, which runs rtds, not credit.");
  }

  @Test
  void knowsThatSedfIsGone() {
    assertThatThrownBy(
            () ->
                probe(host("4.17.7-credit.jsonl"))
                    .apply(APACHE, Sedf.of(Duration.ZERO, Duration.ZERO, Duration.ZERO, true, 0)))
        .isInstanceOf(HypervisorException.class)
        .hasMessageContaining("xl of Xen 4.17.7 has no settings for the sedf scheduler");
  }
}
