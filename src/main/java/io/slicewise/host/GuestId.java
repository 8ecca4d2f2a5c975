package io.slicewise.host;

/**
 * Which guest a domain is, whatever its name: a name can pass to another guest while a trial runs.
 *
 * @param uuid empty where the toolstack shows none
 * @param domid never used twice in one boot of the host; 0 is the control domain's alone
 * @param boot the boot of the host; empty if it is not known
 */
public record GuestId(String uuid, int domid, String boot) {
  /**
   * Whether both are the same guest: the same UUID, or the same domid in the same boot where a UUID
   * is missing. The control domain is always itself.
   */
  public boolean isGuest(GuestId other) {
    if (ofControlDomain() || other.ofControlDomain()) {
      return domid == other.domid;
    }
    return (uuid.isEmpty() || other.uuid.isEmpty())
        ? isLife(other.domid, other.boot)
        : uuid.equals(other.uuid);
  }

  /** Whether it is the domain that drives the host's hardware. */
  boolean ofControlDomain() {
    return domid == 0;
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
