package io.slicewise.lab;

import io.slicewise.host.HypervisorVersion;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The toolstack a lab speaks and the hypervisor below it, written {@code xm-3.3} or {@code
 * xl-4.17}. An {@code xm} of 4.2 to 4.4 has {@code xl} beside it, which then refuses because {@code
 * xend} runs.
 *
 * @param xm whether {@code xm} with its daemon is there
 */
public record LabToolstack(boolean xm, HypervisorVersion version) {
  /** The versions that are tested against what real tools printed. */
  public static final List<String> TESTED =
      List.of("xm-3.3", "xm-4.1", "xm-4.4", "xl-4.1", "xl-4.4", "xl-4.17", "xl-4.22");

  private static final Pattern TEXT = Pattern.compile("(xm|xl)-(\\d)\\.(\\d{1,2})");
  private static final HypervisorVersion FIRST_XM = HypervisorVersion.of(3, 1);
  private static final HypervisorVersion LAST_XM = HypervisorVersion.of(4, 4);
  private static final HypervisorVersion FIRST_XL = HypervisorVersion.of(4, 1);
  private static final HypervisorVersion LAST_XL = HypervisorVersion.of(4, 22);

  public LabToolstack {
    HypervisorVersion first = xm ? FIRST_XM : FIRST_XL;
    HypervisorVersion last = xm ? LAST_XM : LAST_XL;
    if (version.compareTo(first) < 0 || version.compareTo(last) > 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "toolstack %s-%d.%d does not exist: %s came with Xen %s to %s",
              xm ? "xm" : "xl",
              version.major(),
              version.minor(),
              xm ? "xm" : "xl",
              first,
              last));
    }
  }

  /** Reads {@code xl-4.17}; refuses anything else with an {@link IllegalArgumentException}. */
  public static LabToolstack parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "toolstack '" + text + "' is not one of " + String.join(", ", TESTED));
    }
    int major = Integer.parseInt(matcher.group(2));
    int minor = Integer.parseInt(matcher.group(3));
    return new LabToolstack(
        matcher.group(1).equals("xm"), new HypervisorVersion(major, minor, ".0"));
  }

  boolean hasXl() {
    return !xm || version.atLeast(4, 2);
  }

  @Override
  public String toString() {
    return (xm ? "xm-" : "xl-") + version.major() + "." + version.minor();
  }
}
