package io.slicewise.host.groups;

import io.slicewise.host.groups.Platform.Place;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that platforms give their guests. A platform's program is asked once for each new
 * guest; a guest that it does not name gets the start of its id, or the end of its path.
 */
final class PlatformNames {
  private static final int SHORT_ID = 12;
  private static final List<String> CONTAINERS = List.of("ps", "--no-trunc", "--format");
  private static final Pattern CONFIGURED =
      Pattern.compile("/etc/pve/(?:lxc|qemu-server)/(\\d+)\\.conf:(?:hostname|name): *(\\S+)");

  private final RemoteShell shell;
  private final Map<String, String> names = new HashMap<>();
  private final Set<String> asked = new HashSet<>();

  PlatformNames(RemoteShell shell) {
    this.shell = shell;
  }

  /** Returns the guests' names, which need not be unique. */
  Map<Place, String> of(List<Place> places) {
    places.stream()
        .filter(place -> asked.add(place.identity()))
        .map(Place::platform)
        .distinct()
        .toList()
        .forEach(this::ask);
    Map<Place, String> named = new LinkedHashMap<>();
    places.forEach(place -> named.put(place, name(place)));
    return named;
  }

  private String name(Place place) {
    String usual =
        switch (place.platform()) {
          case PLAIN -> Platform.lastOf(place.path());
          case DOCKER, PODMAN -> place.id().substring(0, SHORT_ID);
          case POD -> "pod" + place.id().replace('_', '-');
          case LIBVIRT -> unescaped(place.id());
          default -> place.id();
        };
    return names.getOrDefault(place.identity(), usual);
  }

  /** systemd writes a dash in a name as {@code \x2d}. */
  private static String unescaped(String name) {
    return name.replace("\\x2d", "-");
  }

  private void ask(Platform platform) {
    switch (platform) {
      case DOCKER -> containers(platform, "docker");
      case PODMAN -> containers(platform, "podman");
      case PROXMOX_VM, PROXMOX_CONTAINER -> configured(platform);
      default -> {}
    }
  }

  private void containers(Platform platform, String program) {
    CommandResult listed =
        shell.run(
            Command.reading(
                program,
                CONTAINERS.get(0),
                CONTAINERS.get(1),
                CONTAINERS.get(2),
                "{{.ID}} {{.Names}}"));
    if (listed.succeeded()) {
      listed
          .standardOutput()
          .lines()
          .map(line -> line.split(" ", 2))
          .filter(fields -> fields.length == 2)
          .forEach(fields -> names.put(platform.word() + " " + fields[0], fields[1]));
    }
  }

  private void configured(Platform platform) {
    String kind = platform == Platform.PROXMOX_VM ? "qemu-server" : "lxc";
    String program = "grep -sH -e '^hostname:' -e '^name:' /etc/pve/%s/*.conf".formatted(kind);
    Matcher lines =
        CONFIGURED.matcher(shell.run(Command.reading("sh", "-c", program)).standardOutput());
    while (lines.find()) {
      names.put(platform.word() + " " + lines.group(1), lines.group(2));
    }
  }
}
