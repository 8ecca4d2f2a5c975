package io.slicewise.lab.libvirt;

/** The two versions of control groups: what their files are called and hold. */
public enum GroupVersion {
  V1(1024, "/sys/fs/cgroup/cpu"),
  V2(100, "/sys/fs/cgroup");

  private final long weight;
  private final String root;

  GroupVersion(long weight, String root) {
    this.weight = weight;
    this.root = root;
  }

  /** Reads {@code v1} or {@code v2}. */
  public static GroupVersion of(String text) {
    return switch (text) {
      case "v1" -> V1;
      case "v2" -> V2;
      default ->
          throw new IllegalArgumentException("cgroup version '" + text + "' is not v1 or v2");
    };
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
