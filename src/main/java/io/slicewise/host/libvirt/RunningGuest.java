package io.slicewise.host.libvirt;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;

/**
 * A running or paused guest.
 *
 * @param activity its state as virsh prints it
 */
record RunningGuest(String uuid, Domain domain, String activity) {
  String name() {
    return domain.name();
  }

  /** Returns what no other guest and no other start of this one has. */
  String life() {
    return uuid + " " + domain.id();
  }

  GuestId identity(String boot) {
    return new GuestId(uuid, domain.id(), boot);
  }
}
