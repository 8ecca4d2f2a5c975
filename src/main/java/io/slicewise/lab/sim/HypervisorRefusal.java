package io.slicewise.lab.sim;

/**
 * A call rejected by the hypervisor, as real Xen does with an errno.
 *
 * <p>Only the hypervisor's own checks are made here; the toolstack checks other ranges before the
 * call (such as weight 1..65535).
 */
public final class HypervisorRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The errno, named and numbered as Linux and Xen do. */
  public enum Errno {
    ENOENT(2),
    ESRCH(3),
    EBUSY(16),
    EEXIST(17),
    ENODEV(19),
    EINVAL(22),
    EADDRINUSE(98);

    private final int number;

    Errno(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }
  }

  private final Errno errno;

  HypervisorRefusal(Errno errno, String message) {
    super(message);
    this.errno = errno;
  }

  static HypervisorRefusal invalid(String message) {
    return new HypervisorRefusal(Errno.EINVAL, message);
  }

  static HypervisorRefusal busy(String message) {
    return new HypervisorRefusal(Errno.EBUSY, message);
  }

  public Errno errno() {
    return errno;
  }
}
