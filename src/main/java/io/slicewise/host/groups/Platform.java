package io.slicewise.host.groups;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who made a group: recognized by where it is and what it is called. The first name that matches
 * from the root on is the guest; groups inside of it are its own.
 */
enum Platform {
  DOCKER("docker-([0-9a-f]{64})\\.scope", "docker", "[0-9a-f]{64}"),
  PODMAN("libpod-([0-9a-f]{64})(?:\\.scope)?"),
  /** Containers that share a pod compete inside of its group. */
  PODMAN_POD("(?:.+-)?libpod_pod_([0-9a-f]{64})\\.slice", "libpod_parent", "([0-9a-f]{64})"),
  PROXMOX_VM(Platform.NEVER, "qemu\\.slice", "(\\d+)\\.scope"),
  PROXMOX_CONTAINER(Platform.NEVER, "lxc", "\\d+"),
  LXC("lxc\\.payload\\.(.+)", "lxc(?:\\.payload)?", ".+"),
  LIBVIRT(
      "machine-qemu\\\\x2d\\d+\\\\x2d(.+)\\.scope",
      "machine(?:\\.slice)?",
      "qemu-\\d+-(.+)\\.libvirt-qemu"),
  /** The id of a static pod is a hash; a prefix is the kubelet's own root, as in kind. */
  POD(
      "(?:(?:.+-)?kubepods-(?:[a-z]+-)?)?pod([0-9a-f]{8}[-_][0-9a-f_-]{27}|[0-9a-f]{32})(?:\\.slice)?"),
  SLURM(Platform.NEVER, "(?:.+_)?slurmstepd\\.scope|slurm(?:_.+)?|uid_\\d+", "(job_\\d+)"),
  /** Nomad makes its groups itself: systemd does not know their names, which look like units. */
  NOMAD("([0-9a-f]{8}-[0-9a-f-]{27}\\..+?)(?:\\.scope)?"),
  /** The containers of a task of Amazon ECS compete inside of its group. */
  ECS("ecstasks-([0-9a-f]{32})\\.slice", "ecs", "([0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27})"),
  /** A person's sessions and services. */
  USER(Platform.NEVER, "user\\.slice", "(user-\\d+\\.slice)"),
  UNIT("((?!init\\.scope$|.*slurmstepd\\.scope$).+\\.(?:service|scope))"),
  /** A group that nobody named here made. */
  PLAIN(
      "(?!.*\\.(?:slice|scope|mount|socket|swap|device)$"
          + "|(?:docker|lxc|machine|libpod_parent|kubepods|burstable|besteffort)$).*");

  /** Groups of programs that serve containers, below or in the place of the containers' groups. */
  private static final Pattern SERVING =
      Pattern.compile("/lxc\\.monitor[./].*|.*/libpod-conmon-.*|.*slurmstepd\\.scope/system");

  /** Groups that a platform makes inside of a guest's group. */
  private static final Pattern INNER =
      Pattern.compile(
          "ns|container|init\\.scope|emulator|vcpu\\d+|iothread\\d+|libvirt|supervisor");

  /** Matches no name; a group is recognized by where it is alone, or by its name alone. */
  private static final String NEVER = "(?!)";

  private final Pattern name;
  private final Pattern above;
  private final Pattern below;

  /**
   * @param name of the group, wherever it is
   */
  Platform(String name) {
    this(name, NEVER, NEVER);
  }

  /**
   * @param name of the group, wherever it is
   * @param above the name of the group above
   * @param below the name of the group if it is there
   */
  Platform(String name, String above, String below) {
    this.name = Pattern.compile(name);
    this.above = Pattern.compile(above);
    this.below = Pattern.compile(below);
  }

  /**
   * A guest's group.
   *
   * @param id with which the platform distinguishes its guests; the path of a plain group
   */
  record Place(Platform platform, String path, String id) {
    /** Returns what is the same over restarts of a guest; empty if nothing is. */
    String identity() {
      return platform == PLAIN ? "" : platform.word() + " " + id;
    }
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns the guests among these groups, in the order of their paths. */
  static List<Place> guests(Map<String, ?> groups) {
    List<Place> guests = new ArrayList<>();
    for (String path : groups.keySet()) {
      Optional<Place> place = place(path);
      if (place.filter(one -> one.path().equals(path)).isPresent()
          && (place.get().platform() != PLAIN || isLeaf(path, groups))) {
        guests.add(place.get());
      }
    }
    return List.copyOf(guests);
  }

  private static boolean isLeaf(String path, Map<String, ?> groups) {
    return groups.keySet().stream()
        .filter(one -> one.startsWith(path + "/"))
        .allMatch(
            one -> INNER.matcher(one.substring(path.length() + 1).split("/", 2)[0]).matches());
  }

  /** Returns the guest that a group is, or is a part of; empty for the root. */
  static Optional<Place> place(String path) {
    List<String> names = List.of(path.substring(1).split("/"));
    for (int depth = 1; depth <= names.size() && !SERVING.matcher(path).matches(); depth++) {
      String name = names.get(depth - 1);
      String above = depth > 1 ? names.get(depth - 2) : "";
      String whole = "/" + String.join("/", names.subList(0, depth));
      for (Platform platform : values()) {
        Optional<String> id = platform == PLAIN ? Optional.empty() : platform.id(above, name);
        if (id.isPresent()) {
          return Optional.of(new Place(platform, whole, id.get()));
        }
      }
    }
    String last = names.get(names.size() - 1);
    return last.isEmpty()
            || SERVING.matcher(path).matches()
            || INNER.matcher(last).matches()
            || !PLAIN.name.matcher(last).matches()
        ? Optional.empty()
        : Optional.of(new Place(PLAIN, path, path));
  }

  private Optional<String> id(String parent, String group) {
    return id(name.matcher(group), group)
        .or(
            () ->
                above.matcher(parent).matches() && !parent.isEmpty()
                    ? id(below.matcher(group), group)
                    : Optional.empty());
  }

  private static Optional<String> id(Matcher matcher, String group) {
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(matcher.groupCount() == 0 ? group : matcher.group(1));
  }

  /** Returns the last part of a path as a name. */
  static String lastOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
