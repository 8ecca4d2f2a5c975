package io.slicewise.host.monitor.machine;

import io.slicewise.host.monitor.machine.MachineGrowth.Backends;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What dom0 knows of guests before anything is measured: their types, and the way of each disk
 * through its backend to the disks below.
 *
 * @param types by guest: {@code PV}, {@code PVH}, {@code HVM}; empty without libxl
 */
public record GuestDisks(Map<String, String> types, List<Disk> disks) {
  /**
   * A guest's disk.
   *
   * @param name such as {@code db/xvda}
   * @param way such as {@code /dev/loop0 through blkback, file /srv/db.img with direct I/O, on sda}
   * @param buffered whether dom0 keeps what the guest reads in its own cache
   */
  public record Disk(String name, String way, boolean buffered) {}

  /** All of XenStore but these lines stays on the host: it also has the consoles' passwords. */
  private static final String SCRIPT =
      "PATH=$PATH:/usr/sbin:/usr/local/sbin; "
          + "{ $1 xenstore-ls -f /local/domain; $1 xenstore-ls -f /libxl; } 2>/dev/null |"
          + " grep -E '^/local/domain/[0-9]+/backend/(vbd3?|qdisk|tap2?)/[0-9]+/[0-9]+/"
          + "(params|mode|physical-device) = |^/libxl/[0-9]+/type = ';"
          + " ls -d $2 2>/dev/null; grep -s '' $3";

  private static final Pattern BACKEND =
      Pattern.compile(
          "/local/domain/(\\d{1,5})/backend/(\\w+)/(\\d{1,5})/(\\d{1,9})/([a-z-]+) = \"(.*)\"");
  private static final Pattern TYPE = Pattern.compile("/libxl/(\\d{1,5})/type = \"(\\w+)\"");

  /** A format that QEMU and tapdisk put before a path. */
  private static final Pattern FORMAT = Pattern.compile("^(?:[a-z0-9]+:)+(?=/)");

  private static final Map<String, String> PROGRAMS =
      Map.of("vbd", "blkback", "qdisk", "QEMU", "vbd3", "tapdisk", "tap", "tapdisk");

  public GuestDisks {
    types = Map.copyOf(types);
    disks = List.copyOf(disks);
  }

  /**
   * Returns what a host of Xen shows; nothing where it has no {@code xenstore-ls}.
   *
   * @param domains names of the guests by domid
   */
  public static GuestDisks of(RemoteShell shell, boolean sudo, Map<Integer, String> domains) {
    try {
      return read(
          shell
              .run(
                  Command.reading(
                      "sh",
                      "-c",
                      SCRIPT,
                      "disks",
                      sudo ? "sudo -n" : "",
                      BlockDevices.DIRECTORIES,
                      BlockDevices.FILES))
              .standardOutput()
              .lines()
              .toList(),
          domains);
    } catch (RemoteShellException unreachable) {
      // Nothing depends on it.
      return new GuestDisks(Map.of(), List.of());
    }
  }

  public static GuestDisks read(List<String> lines, Map<Integer, String> domains) {
    BlockDevices devices = new BlockDevices();
    Map<Place, Map<String, String>> backends =
        new TreeMap<>(Comparator.comparingInt(Place::guest).thenComparing(Place::number));
    Map<String, String> types = new TreeMap<>();
    for (String line : lines) {
      Matcher backend = BACKEND.matcher(line);
      Matcher type = TYPE.matcher(line);
      if (backend.matches()) {
        Place place =
            new Place(
                Integer.parseInt(backend.group(1)),
                backend.group(2),
                Integer.parseInt(backend.group(3)),
                Integer.parseInt(backend.group(4)));
        backends
            .computeIfAbsent(place, any -> new TreeMap<>())
            .put(backend.group(5), backend.group(6));
      } else if (type.matches()) {
        Optional.ofNullable(domains.get(Integer.parseInt(type.group(1))))
            .ifPresent(guest -> types.put(guest, type.group(2).toUpperCase(Locale.ROOT)));
      } else {
        devices.take(line);
      }
    }
    return new GuestDisks(
        types,
        backends.entrySet().stream()
            .map(entry -> entry.getKey().disk(entry.getValue(), devices, domains))
            .toList());
  }

  /** The directory of a backend in XenStore. */
  private record Place(int server, String kind, int guest, int number) {
    Disk disk(Map<String, String> keys, BlockDevices devices, Map<Integer, String> domains) {
      String target = FORMAT.matcher(keys.getOrDefault("params", "")).replaceFirst("");
      StringBuilder way =
          new StringBuilder(target.isEmpty() ? "no medium" : target)
              .append(" through ")
              .append(PROGRAMS.getOrDefault(kind, kind));
      if (keys.getOrDefault("mode", "").equals("r")) {
        way.append(", read only");
      }
      boolean buffered = false;
      if (server > 0) {
        way.append(" of ").append(domains.getOrDefault(server, "domain " + server));
      } else {
        Optional<String> device =
            devices.numbered(keys.getOrDefault("physical-device", "")).or(() -> devices.at(target));
        Optional<String> file = device.flatMap(devices::file);
        buffered = file.isPresent() && !devices.direct(device.get());
        file.ifPresent(
            path ->
                way.append(", file ")
                    .append(path)
                    .append(
                        devices.direct(device.get()) ? " with direct I/O" : " without direct I/O"));
        Set<String> disks = device.map(devices::disks).orElse(Set.of());
        way.append(", on ").append(disks.isEmpty() ? "unknown disks" : String.join(" and ", disks));
      }
      return new Disk(
          domains.getOrDefault(guest, "domain " + guest) + "/" + Backends.device(number),
          way.toString(),
          buffered);
    }
  }

  /** The block devices of a machine: which is below which, as its {@code /sys} and mounts show. */
  private static final class BlockDevices {
    /** Each line of their text follows the name of its file. */
    static final String FILES =
        "/sys/block/*/dev /sys/block/*/*/dev /sys/block/loop*/loop/* /sys/block/dm-*/dm/name"
            + " /proc/self/mountinfo";

    /** Only their names count. */
    static final String DIRECTORIES = "/sys/block/*/slaves/*";

    private static final String BLOCK = "/sys/block/";
    private static final String MOUNTS = "/proc/self/mountinfo:";
    private static final String DEV = "/dev/";

    private final Map<String, String> byNumber = new HashMap<>();
    private final Map<String, String> byName = new HashMap<>();
    private final Map<String, Set<String>> below = new HashMap<>();
    private final Map<String, String> files = new HashMap<>();
    private final Set<String> direct = new HashSet<>();
    private final Map<String, String> mounts = new HashMap<>();

    /** Takes a line of the files, or a directory; ignores all others. */
    void take(String line) {
      if (line.startsWith(MOUNTS)) {
        String[] fields = line.substring(MOUNTS.length()).split(" ", -1);
        if (fields.length > 4) {
          mounts.put(fields[4].replace("\\040", " "), fields[2]);
        }
      } else if (line.startsWith(BLOCK)) {
        int colon = line.indexOf(':');
        String[] path =
            line.substring(BLOCK.length(), colon < 0 ? line.length() : colon).split("/");
        block(path, line.substring(colon + 1));
      }
    }

    private void block(String[] path, String text) {
      String device = path[0];
      String last = path[path.length - 1];
      if (path.length == 2 && last.equals("dev")) {
        add(device, text);
      } else if (path.length == 3 && path[1].equals("slaves")) {
        put(device, last);
      } else if (path.length == 3 && last.equals("dev") && path[1].startsWith(device)) {
        add(path[1], text);
        put(path[1], device);
      } else if (last.equals("name")) {
        byName.put(text, device);
      } else if (last.equals("backing_file")) {
        files.put(device, text);
      } else if (last.equals("dio") && text.equals("1")) {
        direct.add(device);
      }
    }

    private void add(String device, String number) {
      byNumber.put(number, device);
      byName.put(device, device);
    }

    private void put(String upper, String lower) {
      below.computeIfAbsent(upper, any -> new TreeSet<>()).add(lower);
    }

    /** Returns the device with a number in hexadecimal digits, such as {@code fe:1}. */
    Optional<String> numbered(String hexadecimal) {
      String[] parts = hexadecimal.split(":", -1);
      try {
        return Optional.ofNullable(
            byNumber.get(Integer.parseInt(parts[0], 16) + ":" + Integer.parseInt(parts[1], 16)));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException other) {
        return Optional.empty();
      }
    }

    /** Returns the device that a path leads to: itself, a logical volume, or where a file is. */
    Optional<String> at(String path) {
      if (!path.startsWith(DEV)) {
        return mounts.keySet().stream()
            .filter(point -> path.startsWith(point.endsWith("/") ? point : point + "/"))
            .max(Comparator.comparingInt(String::length))
            .map(mounts::get)
            .map(byNumber::get);
      }
      String name = path.substring(DEV.length()).replaceFirst("^mapper/", "");
      // The device mapper doubles a hyphen of a volume's name.
      String mapped = name.replace("-", "--").replace('/', '-');
      return Optional.ofNullable(byName.getOrDefault(name, byName.get(mapped)));
    }

    /** Returns the file of a loop device. */
    Optional<String> file(String device) {
      return Optional.ofNullable(files.get(device));
    }

    /** Returns whether a loop device bypasses the machine's cache. */
    boolean direct(String device) {
      return direct.contains(device);
    }

    /** Returns the disks on which a device is, itself if it is one; none if they are unknown. */
    Set<String> disks(String device) {
      Set<String> disks = new TreeSet<>();
      Optional<String> file = file(device);
      if (file.isPresent()) {
        at(file.get()).ifPresent(lower -> disks.addAll(disks(lower)));
      } else if (below.containsKey(device)) {
        below.get(device).forEach(lower -> disks.addAll(disks(lower)));
      } else {
        disks.add(device);
      }
      return disks;
    }
  }
}
