package io.slicewise.lab.host;

import io.slicewise.lab.sim.HypervisorRefusal;

/** A hypercall that the hypervisor refused, with the error named as in errno(3). */
public final class HypercallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Errno errno;

  /**
   * An error number and its message.
   *
   * @param number the error number of Linux and Xen
   * @param message the message that strerror(3) returns
   */
  public record Errno(int number, String message) {
    static Errno of(HypervisorRefusal.Errno errno) {
      String words =
          switch (errno) {
            case ENOENT -> "No such file or directory";
            case ESRCH -> "No such process";
            case EBUSY -> "Device or resource busy";
            case EEXIST -> "File exists";
            case ENODEV -> "No such device";
            case EINVAL -> "Invalid argument";
            case EADDRINUSE -> "Address already in use";
          };
      return new Errno(errno.number(), words);
    }
  }

  HypercallException(HypervisorRefusal.Errno errno) {
    super(Errno.of(errno).message());
    this.errno = Errno.of(errno);
  }

  public Errno errno() {
    return errno;
  }
}
