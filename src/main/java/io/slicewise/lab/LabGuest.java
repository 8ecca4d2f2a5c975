package io.slicewise.lab;

/**
 * A guest of the lab.
 *
 * @param name its domain name
 * @param vcpus number of online vCPUs, 1..64
 * @param memoryMib memory in MiB
 * @param burns whether its vCPUs compute without end, to keep a guest busy without a load
 * @param off whether it is defined but not started, which only libvirt supports
 * @param most number of vCPUs that it can have, {@code vcpus}..64; only libvirt lists the others
 * @param iothreads number of its I/O threads, which only libvirt has
 */
public record LabGuest(
    String name, int vcpus, int memoryMib, boolean burns, boolean off, int most, int iothreads) {
  public LabGuest {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a guest needs a name");
    }
    if (vcpus < 1 || vcpus > 64) {
      throw new IllegalArgumentException("vcpus " + vcpus + " of " + name + " is not in 1..64");
    }
    if (most < vcpus || most > 64) {
      throw new IllegalArgumentException(
          "max-vcpus " + most + " of " + name + " is not in " + vcpus + "..64");
    }
  }

  public LabGuest(String name, int vcpus, int memoryMib, boolean burns, boolean off) {
    this(name, vcpus, memoryMib, burns, off, vcpus, 0);
  }

  /** Returns a guest of libvirt's with I/O threads. */
  public static LabGuest withIoThreads(String name, int vcpus, int iothreads) {
    return new LabGuest(name, vcpus, 512, false, false, vcpus, iothreads);
  }

  /** Returns a guest that is defined but not started. */
  public static LabGuest off(String name, int vcpus) {
    return new LabGuest(name, vcpus, 512, false, true);
  }

  /** Returns an ordinary guest with 512 MiB. */
  public static LabGuest of(String name, int vcpus) {
    return new LabGuest(name, vcpus, 512, false, false);
  }

  /** Returns a guest that computes without end. */
  public static LabGuest burning(String name, int vcpus) {
    return new LabGuest(name, vcpus, 512, true, false);
  }
}
