package io.slicewise.host.xen;

/**
 * Which guest a domain is, whatever its name: a name can pass to another guest while a trial runs.
 *
 * @param uuid empty where the toolstack shows none
 * @param domid never used twice in one boot of the host
 * @param boot the boot of Domain-0's kernel, which is the host's; empty if it is not known
 */
public record GuestId(String uuid, int domid, String boot) {
  /**
   * Whether both are the same guest: the same UUID, or the same domid in the same boot where a UUID
   * is missing. Domain-0 is always itself.
   */
  public boolean isGuest(GuestId other) {
    if (domid == 0 || other.domid == 0) {
      return domid == other.domid;
    }
    return (uuid.isEmpty() || other.uuid.isEmpty())
        ? isLife(other.domid, other.boot)
        : uuid.equals(other.uuid);
  }

  /** Whether the guest was not started anew in between. */
  public boolean isSameLife(GuestId other) {
    return isGuest(other) && isLife(other.domid, other.boot);
  }

  private boolean isLife(int otherDomid, String otherBoot) {
    return domid == otherDomid && boot.equals(otherBoot);
  }

  /** {@code UUID 303e9fd3-…}, or the domid where there is no UUID. */
  @Override
  public String toString() {
    return uuid.isEmpty() ? "domid " + domid : "UUID " + uuid;
  }
}
