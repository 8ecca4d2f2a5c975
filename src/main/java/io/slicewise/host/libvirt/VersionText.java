package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorVersion;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code virsh version --daemon}. */
final class VersionText {
  static final List<String> COMMAND = List.of("version", "--daemon");

  private static final Pattern DAEMON =
      Pattern.compile("(?m)^Running against daemon: (\\d+)\\.(\\d+)(\\S*)");
  private static final Pattern LIBRARY =
      Pattern.compile("(?m)^Using library: libvirt (\\d+)\\.(\\d+)(\\S*)");
  private static final Pattern HYPERVISOR = Pattern.compile("(?m)^Running hypervisor: (.*\\S)");

  private VersionText() {}

  /** Returns the daemon's version; the library's if an old daemon shows none. */
  static HypervisorVersion libvirt(String text) {
    Matcher version = DAEMON.matcher(text);
    if (!version.find()) {
      version = LIBRARY.matcher(text);
      if (!version.find()) {
        throw new HypervisorException(
            "'virsh version' printed no version of libvirt: '%s'.".formatted(text.strip()),
            "Please report it with the version of libvirt.");
      }
    }
    return new HypervisorVersion(
        Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2)), version.group(3));
  }

  /** Returns {@code QEMU 7.2.22}; empty if none runs. */
  static String emulator(String text) {
    Matcher hypervisor = HYPERVISOR.matcher(text);
    return hypervisor.find() ? hypervisor.group(1) : "";
  }
}
