package io.slicewise.lab;

/**
 * A guest of the lab.
 *
 * @param name its domain name
 * @param vcpus 1..64
 * @param memoryMib memory in MiB
 * @param burns whether its vCPUs compute without end, for watching without a load
 * @param off whether it is only defined and not started, which libvirt can
 */
public record LabGuest(String name, int vcpus, int memoryMib, boolean burns, boolean off) {
  public LabGuest {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a guest needs a name");
    }
    if (vcpus < 1 || vcpus > 64) {
      throw new IllegalArgumentException("vcpus " + vcpus + " of " + name + " is not in 1..64");
    }
  }

  /** A guest that runs. */
  public LabGuest(String name, int vcpus, int memoryMib, boolean burns) {
    this(name, vcpus, memoryMib, burns, false);
  }

  /** A guest that is only defined. */
  public static LabGuest off(String name, int vcpus) {
    return new LabGuest(name, vcpus, 512, false, true);
  }

  /** An ordinary guest with 512 MiB. */
  public static LabGuest of(String name, int vcpus) {
    return new LabGuest(name, vcpus, 512, false, false);
  }

  /** A guest that computes without end. */
  public static LabGuest burning(String name, int vcpus) {
    return new LabGuest(name, vcpus, 512, true, false);
  }
}
