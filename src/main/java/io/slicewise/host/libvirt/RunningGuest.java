package io.slicewise.host.libvirt;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import java.util.List;

/** A running or paused guest. */
record RunningGuest(String uuid, Domain domain) {
  String name() {
    return domain.name();
  }

  GuestId identity(String boot) {
    return new GuestId(uuid, domain.id(), boot);
  }

  /** Returns the arguments with which virsh identifies it uniquely. */
  List<String> words() {
    return List.of("--domain", uuid);
  }
}
