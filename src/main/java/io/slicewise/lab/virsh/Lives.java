package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.DomainXml;
import io.slicewise.lab.libvirt.LibvirtError;
import io.slicewise.lab.libvirt.LibvirtGuest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Commands that define, start and end guests. */
final class Lives {
  /** An operation on a guest. */
  @FunctionalInterface
  private interface Change {
    void apply(VirshSession session, LibvirtGuest guest);
  }

  private Lives() {}

  static List<VirshCommand> commands() {
    List<VirshCommand> all = new ArrayList<>();
    all.add(
        VirshCommand.of(
            "start",
            "start a (previously defined) inactive domain",
            Lives::start,
            VshOption.domain(),
            VshOption.flag("console", "attach to console after creation"),
            VshOption.flag("paused", "leave the guest paused after creation"),
            VshOption.flag("autodestroy", "automatically destroy the guest when virsh disconnects"),
            VshOption.flag("bypass-cache", "avoid file system cache when loading"),
            VshOption.flag("force-boot", "force fresh boot by discarding any managed save")));
    all.add(
        change(
            "destroy",
            "destroy (stop) a domain",
            "Failed to destroy domain '%s'",
            "Domain '%s' destroyed\n",
            "virDomainDestroy",
            (session, guest) -> session.daemon().end(guest, "destroyed")));
    all.add(
        change(
            "shutdown",
            "gracefully shutdown a domain",
            "Failed to shutdown domain '%s'",
            "Domain '%s' is being shutdown\n",
            "virDomainShutdown",
            (session, guest) -> session.daemon().end(guest, "shutdown")));
    all.add(
        change(
            "reboot",
            "reboot a domain",
            "Failed to reboot domain '%s'",
            "Domain '%s' is being rebooted\n",
            "virDomainReboot",
            (session, guest) -> guest.running()));
    all.add(
        change(
            "reset",
            "reset a domain",
            "Failed to reset domain '%s'",
            "Domain '%s' was reset\n",
            "virDomainReset",
            (session, guest) -> guest.running()));
    all.add(
        change(
            "suspend",
            "suspend a domain",
            "Failed to suspend domain '%s'",
            "Domain '%s' suspended\n",
            "virDomainSuspend",
            (session, guest) -> session.daemon().suspend(guest)));
    all.add(
        change(
            "resume",
            "resume a domain",
            "Failed to resume domain '%s'",
            "Domain '%s' resumed\n",
            "virDomainResume",
            (session, guest) -> session.daemon().resume(guest)));
    all.add(
        change(
            "managedsave",
            "managed save of a domain state",
            "Failed to save domain '%s' state",
            "\nDomain '%s' state saved by libvirt\n",
            "virDomainManagedSave",
            (session, guest) -> session.daemon().managedSave(guest)));
    all.add(
        change(
            "undefine",
            "undefine a domain",
            "Failed to undefine domain '%s'",
            "Domain '%s' has been undefined\n",
            "virDomainUndefineFlags",
            (session, guest) -> session.daemon().undefine(guest)));
    all.add(
        VirshCommand.of(
            "autostart",
            "autostart a domain",
            Lives::autostart,
            VshOption.domain(),
            VshOption.flag("disable", "disable autostarting")));
    all.add(
        VirshCommand.of(
            "define",
            "define (but don't start) a domain from an XML file",
            Lives::define,
            VshOption.needed("file", "file containing an XML domain description"),
            VshOption.flag("validate", "validate the XML against the schema")));
    all.add(
        VirshCommand.of(
            "create",
            "create a domain from an XML file",
            Lives::create,
            VshOption.needed("file", "file containing an XML domain description"),
            VshOption.flag("paused", "leave the guest paused after creation")));
    all.add(
        VirshCommand.withImpact(
            "setvcpus",
            "change number of virtual CPUs",
            Lives::setVcpus,
            VshOption.domain(),
            new VshOption("count", VshOption.Kind.NUMBER, true, true, "number of virtual CPUs"),
            VshOption.flag("maximum", "set maximum limit on next boot")));
    return all;
  }

  private static VirshCommand change(
      String name, String summary, String failed, String done, String function, Change change) {
    return VirshCommand.of(
        name,
        summary,
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

  private static void autostart(VirshSession session, VshArguments arguments) throws IOException {
    LibvirtGuest guest = session.guest(arguments);
    boolean off = arguments.has("disable");
    session.throwIfReadOnly("virDomainSetAutostart");
    session.daemon().autostart(guest, !off);
    session.extra(
        "Domain '%s' %s as autostarted\n",
        arguments.text("domain").orElseThrow(), off ? "unmarked" : "marked");
  }

  private static DomainXml.Read read(VirshSession session, String file) throws IOException {
    try {
      return DomainXml.read(new String(session.files().read(file), StandardCharsets.UTF_8));
    } catch (FileNotFoundException missing) {
      throw new VirshFailure("Failed to open file '" + file + "': No such file or directory");
    }
  }

  private static void define(VirshSession session, VshArguments arguments) throws IOException {
    fromFile(session, arguments, "define", "virDomainDefineXMLFlags", guest -> {});
  }

  /** Starts a guest that has no configuration for another start. */
  private static void create(VirshSession session, VshArguments arguments) throws IOException {
    fromFile(
        session,
        arguments,
        "create",
        "virDomainCreateXML",
        guest -> {
          session.daemon().start(guest, arguments.has("paused"));
          session.daemon().undefine(guest);
        });
  }

  private static void fromFile(
      VirshSession session,
      VshArguments arguments,
      String verb,
      String function,
      Consumer<LibvirtGuest> next)
      throws IOException {
    String file = arguments.text("file").orElseThrow();
    try {
      DomainXml.Read read = read(session, file);
      session.throwIfReadOnly(function);
      LibvirtGuest guest = session.daemon().define(read.name(), read.uuid(), read.definition());
      next.accept(guest);
      session.extra("Domain '%s' %sd from %s\n", guest.name(), verb, file);
    } catch (LibvirtError refused) {
      throw new VirshFailure(
          "Failed to %s domain from %s".formatted(verb, file), refused.getMessage());
    }
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
