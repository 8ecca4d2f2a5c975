package io.slicewise.host.libvirt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What virsh 9.0 printed on hosts with cgroup v1 and v2, verbatim. */
final class Recorded {
  private Recorded() {}

  /** The result of a recorded command. */
  static CommandResult result(String version, String name) {
    JsonNode line = line(version, name);
    return new CommandResult(
        Command.reading("virsh", "-c", "qemu:///system"),
        line.get("exit").asInt(),
        line.get("stdout").asText(),
        line.get("stderr").asText(),
        Duration.ofMillis(200));
  }

  static String output(String version, String name) {
    return result(version, name).standardOutput();
  }

  /** The part of an output that is virsh's listing of settings, without what follows it. */
  static String settings(String version, String name) {
    String text = output(version, name);
    StringBuilder listing = new StringBuilder();
    text.lines()
        .takeWhile(line -> line.matches("(Scheduler|\\w+_\\w+) *: .*"))
        .forEach(line -> listing.append(line).append('\n'));
    return listing.toString();
  }

  private static JsonNode line(String version, String name) {
    String file = "/libvirt/recorded-%s.jsonl".formatted(version);
    try (var stream = Recorded.class.getResourceAsStream(file)) {
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      ObjectMapper mapper = new ObjectMapper();
      for (String line : text.lines().toList()) {
        JsonNode read = mapper.readTree(line);
        if (read.get("name").asText().equals(name)) {
          return read;
        }
      }
      throw new IllegalArgumentException("nothing was recorded as " + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
