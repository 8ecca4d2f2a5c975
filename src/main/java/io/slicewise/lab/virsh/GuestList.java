package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.LibvirtGuest.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** {@code list}: prints guests as a table, or their names, UUIDs or ids, one per line. */
final class GuestList {
  private GuestList() {}

  static VirshCommand command() {
    return VirshCommand.of(
            "list",
            "list domains",
            GuestList::run,
            VshOption.flag("inactive", "list inactive domains"),
            VshOption.flag("all", "list inactive & active domains"),
            VshOption.flag("transient", "list transient domains"),
            VshOption.flag("persistent", "list persistent domains"),
            VshOption.flag("with-snapshot", "list domains with existing snapshot"),
            VshOption.flag("without-snapshot", "list domains without a snapshot"),
            VshOption.flag("with-checkpoint", "list domains with existing checkpoint"),
            VshOption.flag("without-checkpoint", "list domains without a checkpoint"),
            VshOption.flag("state-running", "list domains in running state"),
            VshOption.flag("state-paused", "list domains in paused state"),
            VshOption.flag("state-shutoff", "list domains in shutoff state"),
            VshOption.flag("state-other", "list domains in other states"),
            VshOption.flag("autostart", "list domains with autostart enabled"),
            VshOption.flag("no-autostart", "list domains with autostart disabled"),
            VshOption.flag("with-managed-save", "list domains with managed save state"),
            VshOption.flag("without-managed-save", "list domains without managed save"),
            VshOption.flag("uuid", "list uuid's only"),
            VshOption.flag("name", "list domain names only"),
            VshOption.flag("id", "list domain IDs only"),
            VshOption.flag("table", "list table (default)"),
            VshOption.flag("managed-save", "mark inactive domains with managed save state"),
            VshOption.flag("title", "show domain title"))
        .describedAs("Returns list of domains.");
  }

  private static void run(VirshSession session, VshArguments arguments) throws IOException {
    if (arguments.has("table")
        && (arguments.has("name") || arguments.has("uuid") || arguments.has("id"))) {
      throw new VirshFailure(
          "Only one argument from --table and optional --name, --uuid, --id may be specified.");
    }
    List<LibvirtGuest> guests = session.guests().stream().filter(wanted(arguments)).toList();
    boolean plain = arguments.has("uuid") || arguments.has("name") || arguments.has("id");
    if (plain) {
      for (LibvirtGuest guest : guests) {
        plain(session, arguments, guest);
      }
      return;
    }
    String table = table(arguments, guests, session.quiet());
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

  private static String table(VshArguments arguments, List<LibvirtGuest> guests, boolean quiet) {
    boolean title = arguments.has("title");
    VshTable table =
        title ? new VshTable("Id", "Name", "State", "Title") : new VshTable("Id", "Name", "State");
    for (LibvirtGuest guest : guests) {
      String id = guest.life().map(life -> String.valueOf(life.id())).orElse("-");
      String state =
          arguments.has("managed-save") && guest.isSaved() && guest.life().isEmpty()
              ? "saved"
              : guest.state().text();
      if (title) {
        table.add(id, guest.name(), state, "");
      } else {
        table.add(id, guest.name(), state);
      }
    }
    String text = table.text();
    return quiet ? text.split("\n", 3)[2] : text;
  }

  private static Predicate<LibvirtGuest> wanted(VshArguments arguments) {
    return active(arguments)
        .and(either(arguments, "persistent", "transient", g -> g.config().isPresent()))
        .and(either(arguments, "autostart", "no-autostart", LibvirtGuest::autostart))
        .and(either(arguments, "with-managed-save", "without-managed-save", LibvirtGuest::isSaved))
        .and(either(arguments, "without-snapshot", "with-snapshot", g -> true))
        .and(either(arguments, "without-checkpoint", "with-checkpoint", g -> true))
        .and(state(arguments));
  }

  private static Predicate<LibvirtGuest> active(VshArguments arguments) {
    boolean all = arguments.has("all");
    boolean inactive = arguments.has("inactive") || arguments.has("state-shutoff");
    boolean running = arguments.has("state-running") || arguments.has("state-paused");
    return guest ->
        all
            || (guest.life().isEmpty()
                ? inactive
                : !arguments.has("inactive") && (running || !arguments.has("state-shutoff")));
  }

  private static Predicate<LibvirtGuest> state(VshArguments arguments) {
    boolean any =
        arguments.has("state-running")
            || arguments.has("state-paused")
            || arguments.has("state-shutoff")
            || arguments.has("state-other");
    return guest ->
        !any
            || (guest.state() == State.RUNNING && arguments.has("state-running"))
            || (guest.state() == State.PAUSED && arguments.has("state-paused"))
            || (guest.state() == State.SHUT_OFF && arguments.has("state-shutoff"));
  }

  private static Predicate<LibvirtGuest> either(
      VshArguments arguments, String yes, String no, Predicate<LibvirtGuest> holds) {
    return guest ->
        arguments.has(yes) == arguments.has(no) || holds.test(guest) == arguments.has(yes);
  }
}
