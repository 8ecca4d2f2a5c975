package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.Libvirtd;
import java.io.IOException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** {@code virsh event}: prints the events of all guests, one or until it is interrupted. */
final class EventCommand {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS'+0000'").withZone(ZoneOffset.UTC);

  private EventCommand() {}

  static VirshCommand command() {
    return VirshCommand.of(
        "event",
        EventCommand::run,
        VshOption.flag("all"),
        VshOption.flag("loop"),
        VshOption.flag("timestamp"));
  }

  private static void run(VirshSession session, VshArguments arguments)
      throws IOException, InterruptedException {
    if (!arguments.has("all")) {
      throw new VirshFailure("virsh event without --all is not modelled by this lab");
    }
    Libvirtd daemon = session.daemon();
    int first = daemon.events();
    int known = first;
    try {
      do {
        List<String> events = daemon.eventsAfter(known);
        known += events.size();
        for (String event : events) {
          session.print(
              "%s",
              arguments.has("timestamp")
                  ? TIME.format(Clock.systemUTC().instant()) + ": " + event
                  : event);
        }
      } while (arguments.has("loop"));
    } catch (InterruptedException interrupted) {
      session.print("event loop interrupted\n");
    }
    session.print("events received: %d\n", known - first);
  }
}
