package io.slicewise.host;

/**
 * The identity of a domain's guest, independent of its name: a name can pass to another guest
 * during a trial.
 *
 * @param uuid what is the same over its restarts: a UUID, or its platform with its id; empty if the
 *     toolstack shows none
 * @param domid unique within one boot of the host; 0 is the control domain
 * @param boot the boot of the host; empty if unknown
 */
public record GuestId(String uuid, int domid, String boot) {
  /**
   * Returns whether both are the same guest: the same UUID, or the same domid in the same boot if a
   * UUID is missing. The control domain is always the same.
   */
  public boolean isGuest(GuestId other) {
    if (ofControlDomain() || other.ofControlDomain()) {
      return domid == other.domid;
    }
    return (uuid.isEmpty() || other.uuid.isEmpty())
        ? isLife(other.domid, other.boot)
        : uuid.equals(other.uuid);
  }

  /** Returns whether it is the control domain, which drives the host's hardware. */
  boolean ofControlDomain() {
    return domid == 0;
  }

  /** Returns whether the guest was not restarted in between. */
  public boolean isSameLife(GuestId other) {
    return isGuest(other) && isLife(other.domid, other.boot);
  }

  private boolean isLife(int otherDomid, String otherBoot) {
    return domid == otherDomid && boot.equals(otherBoot);
  }

  /** {@code UUID 303e9fd3-…}, {@code docker 3ea887df…}, or the domid if there is neither. */
  @Override
  public String toString() {
    if (uuid.isEmpty()) {
      return "domid " + domid;
    }
    return uuid.contains(" ") ? uuid : "UUID " + uuid;
  }
}
