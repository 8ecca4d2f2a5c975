package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the guests of {@code virsh list --all --uuid --name}, which keeps spaces in names, and the
 * further columns of {@code virsh list --all}, which pads them.
 */
final class GuestListing {
  static final List<String> NAMES = List.of("list", "--all", "--uuid", "--name");
  static final List<String> TABLE = List.of("list", "--all");

  private static final String UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  /** virsh escapes their bytes in its table in the C locale, but not with their values. */
  private static final Pattern NOT_ASCII = Pattern.compile("[^\\x20-\\x7e]+");

  private static final Pattern NAMED = Pattern.compile("(" + UUID + ") (.*)");

  /** virsh's guest states, the only texts in the last column. */
  private static final String STATES =
      "no state|running|idle|paused|in shutdown|shut off|crashed|pmsuspended|dying";

  /**
   * A guest.
   *
   * @param id changes when the guest restarts; empty while it is off
   * @param state as virsh prints it
   */
  record Guest(String uuid, String name, OptionalInt id, String state) {
    boolean isOn() {
      return id.isPresent();
    }
  }

  private GuestListing() {}

  /** Returns all guests; a guest in only one of the listings started or stopped in between. */
  static List<Guest> parse(String names, String table) {
    Map<String, String> uuids = uuids(names);
    List<Guest> guests = new ArrayList<>();
    uuids.forEach(
        (name, uuid) -> {
          Matcher row =
              Pattern.compile("(?m)^ *(\\d+|-) +" + cell(name) + " +(" + STATES + ")(?: .*)?$")
                  .matcher(table);
          if (row.find()) {
            String id = row.group(1);
            guests.add(
                new Guest(
                    uuid,
                    name,
                    id.equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(id)),
                    row.group(2)));
          }
        });
    return List.copyOf(guests);
  }

  /** Returns a pattern of the name in the table. */
  private static String cell(String name) {
    return NOT_ASCII
        .matcher(Pattern.quote(name))
        .replaceAll("\\\\E(?:$0|(?:\\\\\\\\x\\\\p{XDigit}{2})+)\\\\Q");
  }

  private static Map<String, String> uuids(String text) {
    Map<String, String> uuids = new LinkedHashMap<>();
    List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
    for (String line : lines) {
      Matcher row = NAMED.matcher(line);
      if (row.matches()) {
        uuids.put(trimmed(row.group(2)), row.group(1));
      }
    }
    if (uuids.isEmpty() && !lines.isEmpty()) {
      throw new HypervisorException(
          "'virsh list' printed a line that cannot be understood: '%s'.".formatted(lines.get(0)),
          "Please report it with the version of libvirt.");
    }
    return uuids;
  }

  /** Removes padding from the column of names; a name cannot end in a space. */
  private static String trimmed(String column) {
    return column.replaceFirst(" +$", "");
  }
}
