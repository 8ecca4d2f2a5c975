package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects the command {@code look}: the shape of its data, and one sentence for each mistake. */
@KeepsTheMachineBusy
class LookCommandTest {
  @Test
  void looksAtTheLabAndItsVisitors() throws IOException {
    Said said = CommandLines.run("look", "--lab", "--for", "3s", "--format", "json", "-q");
    assertThat(said.err()).isEmpty();
    assertThat(said.exit()).isZero();
    JsonNode look = Json.mapper().readTree(said.out());
    assertThat(look.fieldNames())
        .toIterable()
        .containsExactly(
            "answer",
            "sentences",
            "host",
            "start",
            "seconds",
            "platform",
            "monitor",
            "doubt",
            "guests",
            "pressure",
            "requests",
            "notes",
            "next");
    assertThat(look.get("answer").asText()).isIn("gain", "saturated");
    assertThat(look.get("next").asText()).startsWith("slicewise try --lab '");
    JsonNode guest = look.get("guests").get(0);
    assertThat(guest.fieldNames())
        .toIterable()
        .containsExactly(
            "name", "vcpus", "run", "waiting", "held", "others", "settings", "ceiling", "note");
    assertThat(guest.get("name").asText()).isEqualTo("batch");
    assertThat(guest.get("ceiling").fieldNames())
        .toIterable()
        .containsExactly("verdict", "closed", "open");
    assertThat(look.get("requests").get("count").asLong()).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "look --for 1s | --for 1s is not within 2s and 1h",
        "look --for 30 | '30' needs a unit",
        "look dom0 --lab | --lab is a host of its own",
        "look --hypervisor zen | 'zen' is not a hypervisor",
        "look --log a.log --log-format iis | --log-format 'iis' is not one of nginx, apache",
        "knobs localhost --hypervisor zen | 'zen' is not a hypervisor",
      })
  void aMistakeIsOneSentence(String line, String sentence) {
    Said said = CommandLines.run(line.split(" "));
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).contains(sentence);
  }
}
