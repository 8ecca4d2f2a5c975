package io.slicewise.host.monitor.machine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The block devices of a machine: which is below which, as its {@code /sys} and mounts show. */
final class BlockDevices {
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
      String[] path = line.substring(BLOCK.length(), colon < 0 ? line.length() : colon).split("/");
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
