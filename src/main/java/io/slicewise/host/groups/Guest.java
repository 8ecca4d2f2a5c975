package io.slicewise.host.groups;

import io.slicewise.host.Domain;
import io.slicewise.host.GuestId;

/**
 * A guest: a group of one life.
 *
 * @param name unique on the host
 * @param domain with the pCPUs that the group above may use as its vCPUs, and that group as its
 *     pool
 * @param id the inode of its directory, in the boot of its host
 * @param cpuset the inode of its directory in the tree of cpusets; empty if it is not there
 */
record Guest(
    String name,
    Platform.Place place,
    Domain domain,
    GuestId id,
    String inode,
    String cpuset,
    boolean frozen) {
  /** Returns the guest without what is of one life alone. */
  Guest inAnyLife() {
    String lasting = place.identity().isEmpty() ? place.path() : place.identity();
    int number = Math.max(1, lasting.hashCode() & Integer.MAX_VALUE);
    Domain any = new Domain(name, number, domain.vcpus(), domain.cpuSeconds(), domain.cpupool());
    return new Guest(
        name, place, any, new GuestId(place.identity(), number, ""), inode, cpuset, frozen);
  }

  String path() {
    return place.path();
  }
}
