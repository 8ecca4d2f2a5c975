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
    ENOENT(2, "No such file or directory"),
    ESRCH(3, "No such process"),
    EBUSY(16, "Device or resource busy"),
    EEXIST(17, "File exists"),
    ENODEV(19, "No such device"),
    EINVAL(22, "Invalid argument"),
    EADDRINUSE(98, "Address already in use");

    private final int number;
    private final String message;

    Errno(int number, String message) {
      this.number = number;
      this.message = message;
    }

    public int number() {
      return number;
    }

    /** Returns the message that strerror(3) returns. */
    public String message() {
      return message;
    }
  }

  private final Errno errno;

  public HypervisorRefusal(Errno errno, String message) {
    super(message);
    this.errno = errno;
  }

  public static HypervisorRefusal invalid(String message) {
    return new HypervisorRefusal(Errno.EINVAL, message);
  }

  static HypervisorRefusal busy(String message) {
    return new HypervisorRefusal(Errno.EBUSY, message);
  }

  public Errno errno() {
    return errno;
  }
}
