package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.virsh.VshArguments.VshOption;
import java.util.List;

/**
 * The targets of a change: the running guest, its configuration, or both.
 *
 * @param live whether the running guest changes
 * @param config whether the configuration for its next start changes
 */
record Impact(boolean live, boolean config) {
  static final List<VshOption> OPTIONS =
      List.of(VshOption.flag("config"), VshOption.flag("live"), VshOption.flag("current"));

  /** Refuses contradictory options before any other check. */
  static void check(VshArguments arguments) {
    arguments.exclude("current", "live");
    arguments.exclude("current", "config");
  }

  /** Returns the targets. Without options: the guest if it runs, otherwise its configuration. */
  static Impact of(VshArguments arguments, LibvirtGuest guest) {
    Impact asked = new Impact(arguments.has("live"), arguments.has("config"));
    if (asked.live) {
      guest.running();
    }
    if (asked.config && guest.config().isEmpty()) {
      throw new LibvirtError(
          "Requested operation is not valid: transient domains do not have any persistent config");
    }
    return asked.live || asked.config
        ? asked
        : new Impact(guest.life().isPresent(), guest.life().isEmpty());
  }
}
