package io.slicewise.lab;

import io.slicewise.lab.shell.HostFiles;
import java.util.List;

/** What blkback counts for each running guest's disk, in the control domain of a host with Xen. */
record BackendFiles(HostFiles files) {
  private static final String DEVICES = "/sys/bus/xen-backend/devices";
  private static final int XVDA = 51712;
  private static final List<String> COUNTERS =
      List.of("oo_req", "rd_req", "wr_req", "f_req", "ds_req", "rd_sect", "wr_sect");

  /** Presents the backends of the guests that run. */
  void of(Boot boot) {
    files.withdraw(DEVICES);
    if (boot instanceof XenBoot) {
      boot.domids().values().forEach(domid -> plug(boot, domid));
    }
  }

  private void plug(Boot boot, int domid) {
    for (String counter : COUNTERS) {
      files.generate(
          "%s/vbd-%d-%d/statistics/%s".formatted(DEVICES, domid, XVDA, counter),
          () -> boot.driver().ask(machine -> boot.disk().backend(machine, domid, counter)) + "\n",
          boot.driver().atOnce(),
          () -> {});
    }
  }
}
