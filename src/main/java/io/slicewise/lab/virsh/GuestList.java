package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** {@code list}: prints guests as a table, or their names, UUIDs or ids, one per line. */
final class GuestList {
  private GuestList() {}

  static VirshCommand command() {
    return VirshCommand.of(
        "list",
        GuestList::run,
        VshOption.flag("inactive"),
        VshOption.flag("all"),
        VshOption.flag("uuid"),
        VshOption.flag("name"),
        VshOption.flag("id"));
  }

  private static void run(VirshSession session, VshArguments arguments) throws IOException {
    List<LibvirtGuest> guests =
        session.guests().stream().filter(guest -> wanted(arguments, guest)).toList();
    if (arguments.has("uuid") || arguments.has("name") || arguments.has("id")) {
      for (LibvirtGuest guest : guests) {
        plain(session, arguments, guest);
      }
      return;
    }
    String table = table(guests, session.quiet());
    session.print("%s", session.isAscii() ? escaped(table) : table);
  }

  /** virsh takes each byte for a signed number and prints the first two digits of it. */
  private static String escaped(String text) {
    return Pattern.compile("[^\\x00-\\x7f]")
        .matcher(text)
        .replaceAll(odd -> "\\\\xff".repeat(odd.group().getBytes(StandardCharsets.UTF_8).length));
  }

  private static void plain(VirshSession session, VshArguments arguments, LibvirtGuest guest)
      throws IOException {
    String id = guest.life().map(life -> String.valueOf(life.id())).orElse("");
    if (arguments.has("id") && !arguments.has("uuid") && !arguments.has("name")) {
      if (!id.isEmpty()) {
        session.print("%s\n", id);
      }
    } else if (arguments.has("uuid") && arguments.has("name")) {
      session.print("%s %s\n", guest.uuid(), guest.name());
    } else {
      session.print("%s\n", arguments.has("uuid") ? guest.uuid() : guest.name());
    }
  }

  private static String table(List<LibvirtGuest> guests, boolean quiet) {
    VshTable table = new VshTable("Id", "Name", "State");
    for (LibvirtGuest guest : guests) {
      table.add(
          guest.life().map(life -> String.valueOf(life.id())).orElse("-"),
          guest.name(),
          guest.state().text());
    }
    String text = table.text();
    return quiet ? text.split("\n", 3)[2] : text;
  }

  private static boolean wanted(VshArguments arguments, LibvirtGuest guest) {
    return arguments.has("all") || guest.life().isEmpty() == arguments.has("inactive");
  }
}
