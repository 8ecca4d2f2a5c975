package io.slicewise.lab;

import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.guest.GuestCpu;
import io.slicewise.lab.guest.GuestHost.GuestCosts;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Shell;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;

/** One boot of the machine, from power-on to the next reboot. */
interface Boot extends AutoCloseable {
  /**
   * Boots the machine.
   *
   * @param files the host's file system, which this boot fills with files about the machine
   * @param asked the scheduler named on the command line, or empty for none
   * @param number the number of the boot, from 0
   */
  static Boot of(LabOptions options, HostFiles files, String asked, int number) {
    return switch (options.toolstack().tool()) {
      case NONE -> BareBoot.of(options, number);
      case VIRSH -> LibvirtBoot.of(options, files, number);
      case XM, XL -> XenBoot.of(options, asked, number);
    };
  }

  Driver driver();

  /** Returns the disk that the guests share. */
  SharedDisk disk();

  /** Returns the ids of the running guests, by name. */
  Map<String, Integer> domids();

  /** Returns the source of the guests' CPU time. */
  default GuestCpu cpu() {
    return new GuestCpu(driver(), disk(), id -> false);
  }

  /** Returns what computing costs in a guest. */
  GuestCosts costs();

  /** Returns the id charged for carrying a guest's packets; empty if nobody carries them. */
  OptionalInt carrier(int guest);

  /** Returns the scheduler requested at boot, or empty if none was requested. */
  default String bootScheduler() {
    return "";
  }

  LabSettings settings();

  /** Destroys a guest. Its name and its id are free afterwards. */
  default void destroy(LabGuest guest) {
    throw noGuests();
  }

  /** Starts a destroyed guest under a new id: another guest of the same name. */
  default void createAnew(LabGuest guest) {
    throw noGuests();
  }

  /** Starts a destroyed guest under a new id, as a reboot does. */
  default void restart(LabGuest guest) {
    createAnew(guest);
  }

  /** Crashes the guest of that name, if it exists. */
  default void crash(String guest) {
    throw noGuests();
  }

  private static IllegalArgumentException noGuests() {
    return new IllegalArgumentException("a machine without a hypervisor has no guests");
  }

  /**
   * Kills the process that monitors the hypervisor's schedulers, if one is running. On Linux the
   * kernel's own counters do the monitoring.
   */
  default void killMonitor() {}

  /** Returns the host's shell with all its programs. */
  Shell shell(LabOptions options, HostFiles files, AtomicBoolean truncates, Reboots reboots);

  @Override
  default void close() {
    driver().close();
  }

  /** Receives requests to reboot. An empty name keeps the current scheduler. */
  @FunctionalInterface
  interface Reboots {
    void request(String scheduler);
  }
}
