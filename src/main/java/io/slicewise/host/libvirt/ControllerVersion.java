package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorVersion;

/**
 * The version of the control groups with a host's CPU controller, which determines the meaning of
 * shares.
 */
enum ControllerVersion {
  V1(2, 262_144, 1024),
  V2(1, 10_000, 100);

  private final int leastShares;
  private final int mostShares;
  private final int defaultShares;

  ControllerVersion(int leastShares, int mostShares, int defaultShares) {
    this.leastShares = leastShares;
    this.mostShares = mostShares;
    this.defaultShares = defaultShares;
  }

  int leastShares() {
    return leastShares;
  }

  int mostShares() {
    return mostShares;
  }

  int defaultShares() {
    return defaultShares;
  }

  /** {@code cgroup v1}. */
  @Override
  public String toString() {
    return this == V1 ? "cgroup v1" : "cgroup v2";
  }

  /** Adds this version to libvirt's: {@code 9.0.0 (QEMU 7.2.22, cgroup v1)}. */
  HypervisorVersion stateIn(HypervisorVersion libvirt, String emulator) {
    String rest = emulator.isEmpty() ? "" : emulator + ", ";
    return new HypervisorVersion(
        libvirt.major(), libvirt.minor(), "%s (%s%s)".formatted(libvirt.extra(), rest, this));
  }

  /** Returns the version of control groups in a host's version; v2 if it has none. */
  static ControllerVersion statedIn(HypervisorVersion version) {
    return version.extra().contains(V1.toString()) ? V1 : V2;
  }
}
