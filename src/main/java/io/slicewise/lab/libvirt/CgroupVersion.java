package io.slicewise.lab.libvirt;

/** The two versions of control groups: what their files are called and hold. */
public enum CgroupVersion {
  V1(1024, "/sys/fs/cgroup/cpu"),
  V2(100, "/sys/fs/cgroup");

  private final long weight;
  private final String root;

  CgroupVersion(long weight, String root) {
    this.weight = weight;
    this.root = root;
  }

  /** The weight of a new group. */
  long defaultWeight() {
    return weight;
  }

  /** Where the files of the CPU controller lie. */
  String root() {
    return root;
  }

  /** A weight in the units of the machine, in which a new group has 1024. */
  double onMachine(long of) {
    return of * 1024.0 / weight;
  }
}
