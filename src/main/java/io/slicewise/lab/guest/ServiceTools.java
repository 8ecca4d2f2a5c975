package io.slicewise.lab.guest;

import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The programs that stop and start the server of a machine and empty its caches.
 *
 * @param guests whose servers and caches are on the machine; none on a control domain
 */
public record ServiceTools(Scene.Servers servers, List<String> guests) {
  private static final int UNKNOWN_UNIT = 5;
  private static final int UNKNOWN_KEY = 255;

  public ServiceTools {
    guests = List.copyOf(guests);
  }

  /** Returns the programs by name. */
  public Map<String, Program> tools() {
    return Map.of("sync", invocation -> 0, "sysctl", this::sysctl, "systemctl", this::systemctl);
  }

  private int sysctl(Invocation invocation) throws IOException {
    List<String> words = invocation.arguments().stream().filter(w -> !w.equals("-w")).toList();
    if (words.size() != 1 || !words.get(0).matches("vm\\.drop_caches=[123]")) {
      invocation.complain("sysctl: only vm.drop_caches=1, 2 or 3 can be set here\n");
      return UNKNOWN_KEY;
    }
    guests.forEach(servers::dropCaches);
    invocation.print("%s\n", words.get(0).replace("=", " = "));
    return 0;
  }

  private int systemctl(Invocation invocation) throws IOException {
    List<String> words = invocation.arguments();
    String unit = words.isEmpty() ? "" : words.get(words.size() - 1).replace(".service", "");
    String verb = words.isEmpty() ? "" : words.get(0);
    if (words.size() != 2 || !List.of("stop", "start", "restart").contains(verb)) {
      invocation.complain("systemctl: only stop, start and restart are known here\n");
      return 1;
    }
    List<String> with = guests.stream().filter(guest -> servers.hasUnit(guest, unit)).toList();
    if (with.isEmpty()) {
      invocation.complain(
          "Failed to %s %s.service: Unit %s.service not loaded.\n", verb, unit, unit);
      return UNKNOWN_UNIT;
    }
    for (String guest : with) {
      if (!verb.equals("start")) {
        servers.stop(guest);
      }
      if (!verb.equals("stop")) {
        servers.start(guest);
      }
    }
    return 0;
  }
}
