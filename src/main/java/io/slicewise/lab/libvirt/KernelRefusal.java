package io.slicewise.lab.libvirt;

/** The kernel does not take what was written to a file of a control group. */
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
