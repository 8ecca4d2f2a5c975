package io.slicewise.host.xen;

/** A hypervisor version; compared by major and minor alone, since formats change with those. */
public record XenVersion(int major, int minor, String extra) implements Comparable<XenVersion> {
  public static XenVersion of(int major, int minor) {
    return new XenVersion(major, minor, "");
  }

  public boolean atLeast(int otherMajor, int otherMinor) {
    return major > otherMajor || (major == otherMajor && minor >= otherMinor);
  }

  @Override
  public int compareTo(XenVersion other) {
    int byMajor = Integer.compare(major, other.major);
    return byMajor != 0 ? byMajor : Integer.compare(minor, other.minor);
  }

  @Override
  public String toString() {
    return major + "." + minor + extra;
  }
}
