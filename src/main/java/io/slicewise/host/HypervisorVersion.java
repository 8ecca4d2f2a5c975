package io.slicewise.host;

/** A hypervisor version; compared only by major and minor, because formats change with those. */
public record HypervisorVersion(int major, int minor, String extra)
    implements Comparable<HypervisorVersion> {
  public static HypervisorVersion of(int major, int minor) {
    return new HypervisorVersion(major, minor, "");
  }

  public boolean atLeast(int otherMajor, int otherMinor) {
    return major > otherMajor || (major == otherMajor && minor >= otherMinor);
  }

  @Override
  public int compareTo(HypervisorVersion other) {
    int byMajor = Integer.compare(major, other.major);
    return byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "." + minor + extra;
  }
}
