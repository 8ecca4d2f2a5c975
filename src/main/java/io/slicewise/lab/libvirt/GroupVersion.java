package io.slicewise.lab.libvirt;

/** The two versions of control groups, with their file names and formats. */
public enum GroupVersion {
  V1(1024, "/sys/fs/cgroup/cpu"),
  V2(100, "/sys/fs/cgroup");

  private final long weight;
  private final String root;

  GroupVersion(long weight, String root) {
    this.weight = weight;
    this.root = root;
  }

  /** Parses {@code v1} or {@code v2}. */
  public static GroupVersion of(String text) {
    return switch (text) {
      case "v1" -> V1;
      case "v2" -> V2;
      default ->
          throw new IllegalArgumentException("cgroup version '" + text + "' is not v1 or v2");
    };
  }

  /** Returns the weight of a new group. */
  long defaultWeight() {
    return weight;
  }

  /** Returns the directory of the CPU controller's files. */
  String root() {
    return root;
  }

  /** Converts a weight to the machine's units, in which a new group has 1024. */
  double onMachine(long of) {
    return of * 1024.0 / weight;
  }
}
