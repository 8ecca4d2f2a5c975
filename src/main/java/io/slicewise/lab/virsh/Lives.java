package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.virsh.VirshProgram.VirshCommand;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import io.slicewise.lab.virsh.VshArguments.Impact;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.io.IOException;
import java.util.List;

/** Commands that start, pause and end guests. */
final class Lives {
  /** An operation on a guest. */
  @FunctionalInterface
  private interface Change {
    void apply(VirshSession session, LibvirtGuest guest);
  }

  private Lives() {}

  static List<VirshCommand> commands() {
    return List.of(
        VirshCommand.of("start", Lives::start, VshOption.domain(), VshOption.flag("paused")),
        change(
            "destroy",
            "Failed to destroy domain '%s'",
            "Domain '%s' destroyed\n",
            "virDomainDestroy",
            (session, guest) -> session.daemon().end(guest, "destroyed")),
        change(
            "shutdown",
            "Failed to shutdown domain '%s'",
            "Domain '%s' is being shutdown\n",
            "virDomainShutdown",
            (session, guest) -> session.daemon().end(guest, "shutdown")),
        change(
            "suspend",
            "Failed to suspend domain '%s'",
            "Domain '%s' suspended\n",
            "virDomainSuspend",
            (session, guest) -> session.daemon().suspend(guest)),
        change(
            "resume",
            "Failed to resume domain '%s'",
            "Domain '%s' resumed\n",
            "virDomainResume",
            (session, guest) -> session.daemon().resume(guest)),
        change(
            "undefine",
            "Failed to undefine domain '%s'",
            "Domain '%s' has been undefined\n",
            "virDomainUndefineFlags",
            (session, guest) -> session.daemon().undefine(guest)),
        VirshCommand.withImpact(
            "setvcpus",
            Lives::setVcpus,
            VshOption.domain(),
            new VshOption("count", VshOption.Kind.NUMBER, true, true),
            VshOption.flag("maximum")));
  }

  private static VirshCommand change(
      String name, String failed, String done, String function, Change change) {
    return VirshCommand.of(
        name,
        (session, arguments) -> {
          LibvirtGuest guest = session.guest(arguments);
          String typed = arguments.text("domain").orElseThrow();
          try {
            session.throwIfReadOnly(function);
            change.apply(session, guest);
          } catch (LibvirtError refused) {
            throw new VirshFailure(failed.formatted(typed), refused.getMessage());
          }
          session.extra("%s", done.formatted(typed));
        },
        VshOption.domain());
  }

  private static void start(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    if (guest.life().isPresent()) {
      throw new VirshFailure("Domain is already active");
    }
    try {
      session.throwIfReadOnly("virDomainCreate");
      session.daemon().start(guest, arguments.has("paused"));
    } catch (LibvirtError refused) {
      throw new VirshFailure("Failed to start domain '" + guest.name() + "'", refused.getMessage());
    }
    session.extra("Domain '%s' started\n", guest.name());
  }

  /**
   * Refuses to change the number of vCPUs: hotplug needs hotpluggable vCPUs, which no guest here
   * has.
   */
  private static void setVcpus(VirshSession session, VshArguments arguments) {
    Impact.check(arguments);
    LibvirtGuest guest = session.guest(arguments);
    int count = arguments.number("count").orElseThrow();
    session.throwIfReadOnly("virDomainSetVcpusFlags");
    Impact impact = Impact.of(arguments, guest);
    if (count > guest.current().most()) {
      throw new LibvirtError(
          "invalid argument: requested vcpus is greater than max allowable vcpus for the %s"
                  .formatted(impact.live() ? "live" : "persistent")
              + " domain: %d > %d".formatted(count, guest.current().most()));
    }
    if (count != guest.current().vcpus()) {
      throw new LibvirtError(
          "unsupported configuration: failed to find appropriate hotpluggable vcpus to reach the"
              + " desired target vcpu count");
    }
  }
}
