package io.slicewise.lab.libvirt;

/** Thrown when the kernel refuses a value written to a control group file. */
public final class KernelRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  KernelRefusal(String reason) {
    super(reason, null, false, false);
  }

  static KernelRefusal invalid() {
    return new KernelRefusal("Invalid argument");
  }

  static KernelRefusal range() {
    return new KernelRefusal("Numerical result out of range");
  }
}
