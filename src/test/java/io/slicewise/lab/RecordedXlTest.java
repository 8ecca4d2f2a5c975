package io.slicewise.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.CommandResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds {@code xl} of 4.17 to what a real Xen 4.17 printed: every recorded command whose answer the
 * state determines is sent, in the order of the recording, to a lab set up alike; standard output,
 * standard error and exit status must be the same, times and places of running vCPUs aside.
 */
@Tag("lab")
class RecordedXlTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(strings = {"credit", "credit2", "rtds"})
  void answersAsRealXenDid(String scheduler) throws IOException {
    LabOptions alike =
        LabOptions.sshOnly()
            .withScheduler(Scheduler.ofXenName(scheduler).orElseThrow())
            .withCpus(4, 2)
            .withGuests(
                new LabGuest("Apache_Server", 1, 128, true, false),
                new LabGuest("NFS_Server", 1, 128, false, false),
                new LabGuest("SQL_Server", 1, 128, false, false));
    SoftAssertions softly = new SoftAssertions();
    try (LabClient client = LabClient.start(alike)) {
      for (JsonNode recorded : recordings("recorded-4.17-" + scheduler + ".jsonl")) {
        CommandResult result = client.runScript(recorded.get("command").asText());
        String name = recorded.get("name").asText() + ": " + recorded.get("command").asText();
        softly
            .assertThat(
                result.exitStatus()
                    + "\n"
                    + masked(result.standardOutput())
                    + "\n--\n"
                    + result.standardError())
            .as(name)
            .isEqualTo(
                recorded.get("exit").asInt()
                    + "\n"
                    + masked(recorded.get("stdout").asText())
                    + "\n--\n"
                    + recorded.get("stderr").asText());
      }
    }
    softly.assertAll();
  }

  /** Hides a domain's state and time, and of a vCPU also its pCPU and soft affinity. */
  private static String masked(String text) {
    return text.replaceAll("(?m) [r-][b-][p-][s-][-a-zS][d-] +\\d+\\.\\d", " STATE TIME")
        .replaceAll("(?m) +\\d+   [r-][b-]- +\\d+\\.\\d", " PCPU STATE TIME")
        .replaceAll("(?m) --p +\\d+\\.\\d", " --p TIME")
        .replaceAll("(?m) / (all|none|[0-9,-]+)$", " / SOFT");
  }

  private static List<JsonNode> recordings(String file) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                RecordedXlTest.class.getResourceAsStream("/lab/" + file),
                StandardCharsets.UTF_8))) {
      List<String> lines = reader.lines().toList();
      List<JsonNode> nodes = new java.util.ArrayList<>();
      for (String line : lines) {
        nodes.add(JSON.readTree(line));
      }
      return nodes;
    }
  }
}
