package io.slicewise.host;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A hypervisor version; compared only by major and minor, because formats change with those. */
public record HypervisorVersion(int major, int minor, String extra)
    implements Comparable<HypervisorVersion> {
  private static final Pattern RELEASE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(.*)");

  public static HypervisorVersion of(int major, int minor) {
    return new HypervisorVersion(major, minor, "");
  }

  /** Returns the version of a Linux kernel; 0.0 where its release is in another format. */
  public static HypervisorVersion ofKernel(String release) {
    Matcher parts = RELEASE.matcher(release);
    return parts.matches()
        ? new HypervisorVersion(
            Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)), parts.group(3))
        : of(0, 0);
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
