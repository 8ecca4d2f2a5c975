package io.slicewise.lab;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.Phrase;
import io.slicewise.host.HypervisorVersion;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The toolstack of a lab and the hypervisor version, written {@code xm-3.3}, {@code xl-4.17} or
 * {@code virsh-9.0}. A host with {@code xm} 4.2 to 4.4 also has {@code xl}, which refuses to work
 * because {@code xend} is running.
 *
 * @param version the version of Xen or of libvirt
 */
public record LabToolstack(Tool tool, HypervisorVersion version) {
  /** The versions that are tested against recorded output of real tools. */
  public static final List<String> TESTED =
      List.of("xm-3.3", "xm-4.1", "xm-4.4", "xl-4.1", "xl-4.4", "xl-4.17", "xl-4.22", "virsh-9.0");

  private static final Pattern TEXT = Pattern.compile("(xm|xl|virsh)-(\\d)\\.(\\d{1,2})");

  private static final List<String> HYPERVISORS = List.of("xen", "libvirt", "none");

  /** The toolstack of a host with libvirt. */
  public static final LabToolstack VIRSH = parse("virsh-9.0");

  /** In the place of the toolstack of a machine without a hypervisor: the version of Linux. */
  static final LabToolstack NONE = new LabToolstack(Tool.NONE, HypervisorVersion.of(6, 1));

  /** The tools and the versions that ship them. */
  public enum Tool {
    XM("Xen", 3, 1, 4, 4),
    XL("Xen", 4, 1, 4, 22),
    VIRSH("libvirt", 9, 0, 9, 0),
    NONE("Linux", 6, 1, 6, 1);

    private final String product;
    private final int firstMajor;
    private final int firstMinor;
    private final int lastMajor;
    private final int lastMinor;

    Tool(String product, int firstMajor, int firstMinor, int lastMajor, int lastMinor) {
      this.product = product;
      this.firstMajor = firstMajor;
      this.firstMinor = firstMinor;
      this.lastMajor = lastMajor;
      this.lastMinor = lastMinor;
    }

    private HypervisorVersion first() {
      return HypervisorVersion.of(firstMajor, firstMinor);
    }

    private HypervisorVersion last() {
      return HypervisorVersion.of(lastMajor, lastMinor);
    }

    /** Returns the command's name. */
    public String command() {
      return EnumName.of(this);
    }
  }

  public LabToolstack {
    if (version.compareTo(tool.first()) < 0 || version.compareTo(tool.last()) > 0) {
      throw new IllegalArgumentException(
          Phrase.of(
              "toolstack %s-%d.%d does not exist here: %s came with %s %s to %s",
              tool.command(),
              version.major(),
              version.minor(),
              tool.command(),
              tool.product,
              tool.first(),
              tool.last()));
    }
  }

  /**
   * Parses text such as {@code xl-4.17}.
   *
   * @throws IllegalArgumentException if the text is not a known toolstack
   */
  public static LabToolstack parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "toolstack '" + text + "' is not one of " + String.join(", ", TESTED));
    }
    int major = Integer.parseInt(matcher.group(2));
    int minor = Integer.parseInt(matcher.group(3));
    return new LabToolstack(
        Tool.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
        new HypervisorVersion(major, minor, ".0"));
  }

  /**
   * Returns the toolstack for a hypervisor, for a text, for both if they match, or the default one.
   */
  static LabToolstack of(Optional<String> hypervisor, Optional<String> text) {
    if (hypervisor.isPresent() && !HYPERVISORS.contains(hypervisor.get())) {
      throw new IllegalArgumentException(
          "hypervisor '%s' is not one of %s"
              .formatted(hypervisor.get(), String.join(", ", HYPERVISORS)));
    }
    LabToolstack usual =
        switch (hypervisor.orElse("xen")) {
          case "libvirt" -> VIRSH;
          case "none" -> NONE;
          default -> LabOptions.defaults().toolstack();
        };
    LabToolstack toolstack = text.map(LabToolstack::parse).orElse(usual);
    if (hypervisor.isPresent() && !toolstack.tool.product.equals(usual.tool.product)) {
      throw new IllegalArgumentException(
          "toolstack %s does not belong to hypervisor %s".formatted(toolstack, hypervisor.get()));
    }
    return toolstack;
  }

  /** Returns whether the host has {@code xm} and its daemon. */
  boolean xm() {
    return tool == Tool.XM;
  }

  boolean hasXl() {
    return tool == Tool.XL || (xm() && version.atLeast(4, 2));
  }

  /** Returns whether the machine has no hypervisor. */
  boolean isBare() {
    return tool == Tool.NONE;
  }

  /** Returns whether the host runs under Xen. */
  boolean isXen() {
    return xm() || tool == Tool.XL;
  }

  /** Returns whether the host has libvirt instead of Xen. */
  public boolean isVirsh() {
    return tool == Tool.VIRSH;
  }

  /** Returns the hypervisor that an experiment must ask for, since probing does not find it. */
  public Optional<String> unprobed() {
    return isBare() ? Optional.of(tool.command()) : Optional.empty();
  }

  @Override
  public String toString() {
    return tool.command() + "-" + version.major() + "." + version.minor();
  }
}
