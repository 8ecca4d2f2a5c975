package io.slicewise.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.lab.libvirt.GroupVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code virsh} and the host's files to what a real libvirt 9.0 printed: every recorded
 * command is sent, in the order of the recording, to a host set up alike; standard output, standard
 * error and exit status must be the same, CPU times and the like aside. What the recording leaves
 * out in between is made up for by the lines of {@code between}.
 */
class RecordedVirshTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The reasons are listed in docs/lab.md. */
  private static final Set<String> LEFT_OUT =
      Set.of("subtree", "threadsched", "pidfile", "timing", "timing-sched");

  /** The control group of Apache_Server. */
  private static final String GROUP = "/machine/qemu-1-ApacheServer.libvirt-qemu";

  /** Parts of recorded command lines that the lab has no command for, and what they printed. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "(; )?virsh (dumpxml|dominfo) [^|;]*\\|[^|;]*(; (?=virsh start)|$)"
              + "|(?<=; )virsh dominfo [^|;]*\\| head -5; "
              + "|(?<=; )(virsh (domstate|vcpuinfo)|taskset -pc) [^;]*; ");

  private static final Pattern OF_OTHERS =
      Pattern.compile(
          "(?s) *<cputune>.*?</quota>\n( *<vcpupin.*?\n)*( *</cputune>\n)?"
              + "| *<cputune>.*?</cputune>\n|Id: .*?State:[^\n]*\n"
              + "|(?<=\n|^)(paused|shut off) \\((user|crashed)\\)\n\n"
              + "|VCPU: [^-]*CPU Affinity:[^\n]*\n\n|CPU Affinity: [^\n]*of 2\\)\n"
              + "|cpu.weight.nice [^\n]*\n|pid \\d+'s current affinity list: [^\n]*\n|taskset: [^\n]*\n");

  @Test
  void answersAsRealLibvirtDid() throws IOException {
    try (LabShell shell =
        new LabShell(
            LabOptions.sshOnly()
                .withLibvirt(GroupVersion.V1)
                .withCpus(2, 2)
                .withDemandFactor(0.01)
                .withGuests(
                    new LabGuest("Apache_Server", 1, 96, false, false),
                    new LabGuest("NFS_Server", 1, 96, false, false),
                    new LabGuest("SQL_Server", 2, 96, false, false),
                    new LabGuest("old box 1", 1, 96, false, true)))) {
      for (String guest :
          List.of("Apache_Server 0", "NFS_Server 0", "SQL_Server 0", "SQL_Server 1")) {
        shell.run("virsh vcpupin " + guest + " 1");
      }
      replay(shell, "v1");
    }
  }

  @Test
  void answersOnCgroupVersion2AsRealLibvirtDid() throws IOException {
    try (LabShell shell =
        new LabShell(
            LabOptions.sshOnly()
                .withLibvirt(GroupVersion.V2)
                .withCpus(2, 2)
                .withDemandFactor(0.01)
                .withGuests(
                    new LabGuest("Apache_Server", 1, 96, false, false),
                    new LabGuest("NFS_Server", 1, 96, false, false)))) {
      shell.run("virsh vcpupin Apache_Server 0 1; virsh vcpupin NFS_Server 0 1");
      replay(shell, "v2");
    }
  }

  private static void replay(LabShell shell, String version) throws IOException {
    Map<String, String> between = between(version);
    SoftAssertions softly = new SoftAssertions();
    for (JsonNode recorded : recordings("recorded-virsh-" + version + ".jsonl")) {
      String name = recorded.get("name").asText();
      if (between.containsKey(name)) {
        shell.run(between.get(name));
      }
      if (LEFT_OUT.contains(name)) {
        continue;
      }
      String command = recorded.get("command").asText();
      String answered = OTHERS.matcher(command).replaceAll("");
      LabShell.Result result = answer(shell, answered);
      boolean isShorter = !answered.equals(command);
      boolean squeezes = command.contains("| tr ");
      softly
          .assertThat(squeezed(squeezes, result.output()) + "--\n" + masked(result.errors()))
          .as(name + ": " + command)
          .isEqualTo(
              squeezed(squeezes, OF_OTHERS.matcher(recorded.get("stdout").asText()).replaceAll(""))
                  + "--\n"
                  + masked(OF_OTHERS.matcher(recorded.get("stderr").asText()).replaceAll("")));
      if (!isShorter) {
        softly
            .assertThat(result.status())
            .as(name + ": " + command)
            .isEqualTo(recorded.get("exit").asInt());
      }
    }
    softly.assertAll();
  }

  /** What another user ran begins with {@code @USER}. */
  private static LabShell.Result answer(LabShell shell, String recorded) {
    String command = withoutBash(recorded.replace("/tmp/kvmlab/run/", "/run/"));
    if (!command.startsWith("@")) {
      return shell.run(command);
    }
    int blank = command.indexOf(' ');
    return shell.run(command.substring(blank + 1), command.substring(1, blank));
  }

  /** Writes what the lab has no program for. */
  private static String withoutBash(String command) {
    UUID uuid = UUID.nameUUIDFromBytes("old box 1".getBytes(StandardCharsets.UTF_8));
    return command
        .replace("$(seq 5)", "1 2 3 4 5")
        .replace("$(virsh domuuid 'old box 1')", uuid.toString())
        .replace("cpu.weight.nice ", "")
        .replaceAll("\\$\\(sed -n [^|]*\\| sed [^)]*\\)", GROUP)
        .replaceAll(" \\| tr -s ' ' \\| tr '\\\\n' ';'; echo| \\| tr '\\\\n' ' '", "");
  }

  /** Leaves out the blanks that {@code tr} and substitution change in a recording. */
  private static String squeezed(boolean squeezes, String text) {
    return squeezes ? masked(text).replaceAll("[ ;\n]+", " ").replace(" |", "|") : masked(text);
  }

  private static String masked(String text) {
    return sorted(text)
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID")
        .replaceAll("(CPU frequency:|Memory size:) +\\d+", "$1 N")
        .replaceAll("(?m)^(  \\S+\\.(time|user|system|delay|rss))=\\d+$", "$1=N")
        .replaceAll(" +\\d+\\.\\d{9} seconds", " N seconds")
        .replaceAll("\\b\\d+ \\d+ \\d+(\\n|$)", "N N N$1")
        .replaceAll("nr_periods \\d+", "nr_periods N")
        .replaceAll("root 4 \\w+ \\d+ \\d+:\\d+", "root 4 TIME")
        .replaceAll("(\\w+_(usec|sum)) +\\d+", "$1 N");
  }

  /** The guests of domstats come in no order. */
  private static String sorted(String text) {
    if (!text.contains("Domain: '")) {
      return text;
    }
    int first = text.indexOf("Domain: '");
    String[] guests = text.substring(first).split("(?=Domain: ')", -1);
    Arrays.sort(guests);
    return text.substring(0, first) + String.join("", guests);
  }

  private static Map<String, String> between(String version) throws IOException {
    Map<String, String> lines = new HashMap<>();
    for (JsonNode node : recordings("recorded-virsh-" + version + "-between.jsonl")) {
      lines.put(node.get("before").asText(), node.get("command").asText());
    }
    return lines;
  }

  private static List<JsonNode> recordings(String file) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                RecordedVirshTest.class.getResourceAsStream("/lab/" + file),
                StandardCharsets.UTF_8))) {
      List<JsonNode> nodes = new ArrayList<>();
      for (String line : reader.lines().toList()) {
        nodes.add(JSON.readTree(line));
      }
      return nodes;
    }
  }
}
