package io.slicewise.host.libvirt;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import java.util.List;

/** A running or paused guest. */
record RunningGuest(String uuid, Domain domain) {
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

  /** Returns the arguments with which virsh identifies it uniquely. */
  List<String> words() {
    return List.of("--domain", uuid);
  }
}
