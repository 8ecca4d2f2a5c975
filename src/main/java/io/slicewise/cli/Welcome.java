package io.slicewise.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is printed without a command: what this machine is, and the one command to type next. */
record Welcome(Path root) {
  private static final String WHAT =
      "Slicewise finds the CPU-scheduler settings that serve a workload best.";
  private static final String XEN = "proc/xen/capabilities";

  /** What a machine with a file is; the first one counts. */
  private static final Map<String, String> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("etc/pve", "a Proxmox VE host");
    KINDS.put("run/libvirt/libvirt-sock", "a libvirt host");
    KINDS.put("run/docker.sock", "a Docker host");
    KINDS.put("run/podman/podman.sock", "a Podman host");
  }

  List<String> lines() {
    String kind =
        isControlDomain()
            ? "the control domain of a Xen host"
            : KINDS.entrySet().stream()
                .filter(one -> Files.exists(root.resolve(one.getKey())))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    return kind.isEmpty()
        ? List.of(
            WHAT,
            "No hypervisor and no containers were found on this machine; the embedded lab needs none:",
            "  slicewise demo",
            "For another host: slicewise look HOST; all commands: slicewise --help")
        : List.of(
            WHAT,
            "This machine is %s. To see what settings can gain here, read only:".formatted(kind),
            "  slicewise look",
            "All commands: slicewise --help");
  }

  private boolean isControlDomain() {
    try {
      return Files.readString(root.resolve(XEN)).contains("control_d");
    } catch (IOException absent) {
      return false;
    }
  }
}
