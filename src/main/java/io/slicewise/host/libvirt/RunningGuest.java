package io.slicewise.host.libvirt;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;
import java.util.List;

/** A guest that runs or is paused. */
record RunningGuest(String uuid, Domain domain) {
  String name() {
    return domain.name();
  }

  GuestId identity(String boot) {
    return new GuestId(uuid, domain.id(), boot);
  }

  /** The words that name it to virsh and to nothing else. */
  List<String> words() {
    return List.of("--domain", uuid);
  }
}
