package io.slicewise.host.xen;

import io.slicewise.host.HypervisorException;
import io.slicewise.host.xen.KeptGuests.Keeper;
import io.slicewise.host.xen.KeptGuests.Kept;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code VCPUs-params} of the machines of XCP-ng, as its documentation of xe describes them.
 */
record MachineParameters(RemoteShell shell) implements Keeper {
  private static final Command READING =
      Command.reading(
          "xe",
          "vm-list",
          "is-control-domain=false",
          "is-a-template=false",
          "is-a-snapshot=false",
          "params=uuid,name-label,VCPUs-params");

  private static final Pattern FIELD = Pattern.compile("\\s*([A-Za-z-]+) \\([ A-Z]+\\) *: ?(.*)");
  private static final Pattern UUID = Pattern.compile("[0-9a-f-]{36}");
  private static final Pattern VALUE = Pattern.compile("(weight|cap): *(\\d{1,9})");

  @Override
  public boolean inFiles() {
    return false;
  }

  @Override
  public Map<String, Kept> read() {
    CommandResult result = shell.run(READING);
    if (!result.succeeded()) {
      throw new HypervisorException(
          "%s did not list its machines: %s"
              .formatted(shell.address(), result.standardError().strip()),
          "xe needs root, or a user of the pool.");
    }
    Map<String, Kept> machines = new LinkedHashMap<>();
    for (String machine : result.standardOutput().split("\\n\\s*\\n", -1)) {
      Map<String, String> fields = new LinkedHashMap<>();
      Matcher lines = FIELD.matcher("");
      machine.lines().forEach(line -> put(lines.reset(line), fields));
      if (UUID.matcher(fields.getOrDefault("uuid", "")).matches()
          && fields.containsKey("name-label")) {
        machines.merge(
            fields.get("name-label"),
            new Kept(fields.get("uuid"), values(fields), Optional.empty()),
            (one, other) ->
                new Kept(
                    one.identity(),
                    Map.of(),
                    Optional.of(
                        "is the name of %s and of %s"
                            .formatted(one.identity(), other.identity()))));
      }
    }
    return machines;
  }

  private static void put(Matcher line, Map<String, String> fields) {
    if (line.matches()) {
      fields.put(line.group(1), line.group(2).strip());
    }
  }

  private static Map<String, Integer> values(Map<String, String> fields) {
    Map<String, Integer> values = new LinkedHashMap<>();
    VALUE
        .matcher(fields.getOrDefault("VCPUs-params", ""))
        .results()
        .forEach(found -> values.put(found.group(1), Integer.valueOf(found.group(2))));
    return values;
  }

  @Override
  public String script(Kept guest, Map<String, Integer> current, Map<String, Integer> wanted) {
    List<String> steps = new ArrayList<>();
    wanted.forEach(
        (key, value) ->
            steps.add(
                value.equals(KeptGuests.DEFAULTS.get(key))
                    ? "xe vm-param-remove uuid=%s param-name=VCPUs-params param-key=%s"
                        .formatted(guest.identity(), key)
                    : "xe vm-param-set uuid=%s VCPUs-params:%s=%d"
                        .formatted(guest.identity(), key, value)));
    return String.join(" && ", steps);
  }
}
