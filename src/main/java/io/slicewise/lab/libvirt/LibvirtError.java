package io.slicewise.lab.libvirt;

/** A libvirt error, with libvirt's message. */
public final class LibvirtError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LibvirtError(String message) {
    super(message, null, false, false);
  }

  static LibvirtError notRunning() {
    return new LibvirtError("Requested operation is not valid: domain is not running");
  }
}
