package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.virsh.VirshProgram.VirshCommand;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.util.List;

/** Commands that start, pause and end guests, and the one that shows a guest's id. */
final class Lives {
  /** An operation on a guest. */
  @FunctionalInterface
  private interface Change {
    void apply(VirshSession session, LibvirtGuest guest);
  }

  private Lives() {}

  static List<VirshCommand> commands() {
    return List.of(
        VirshCommand.of(
            "domid",
            (session, arguments) ->
                session.print(
                    "%s\n",
                    session
                        .guest(arguments)
                        .life()
                        .map(life -> String.valueOf(life.id()))
                        .orElse("-")),
            VshOption.domain()),
        VirshCommand.of("start", Lives::start, VshOption.domain(), VshOption.flag("paused")),
        change(
            "destroy", "destroyed", (session, guest) -> session.daemon().end(guest, "destroyed")),
        change("suspend", "suspended", (session, guest) -> session.daemon().suspend(guest)),
        change("resume", "resumed", (session, guest) -> session.daemon().resume(guest)),
        change(
            "undefine",
            "has been undefined",
            (session, guest) -> session.daemon().undefine(guest)));
  }

  private static VirshCommand change(String name, String done, Change change) {
    return VirshCommand.of(
        name,
        (session, arguments) -> {
          LibvirtGuest guest = session.guest(arguments);
          String typed = arguments.text("domain").orElseThrow();
          try {
            change.apply(session, guest);
          } catch (LibvirtError refused) {
            throw new VirshFailure(
                "Failed to %s domain '%s'".formatted(name, typed), refused.getMessage());
          }
          session.extra("Domain '%s' %s\n", typed, done);
        },
        VshOption.domain());
  }

  private static void start(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    if (guest.life().isPresent()) {
      throw new VirshFailure("Domain is already active");
    }
    try {
      session.daemon().start(guest, arguments.has("paused"));
    } catch (LibvirtError refused) {
      throw new VirshFailure("Failed to start domain '" + guest.name() + "'", refused.getMessage());
    }
    session.extra("Domain '%s' started\n", guest.name());
  }
}
