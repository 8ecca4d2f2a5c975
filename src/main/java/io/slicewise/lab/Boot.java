package io.slicewise.lab;

import io.slicewise.lab.guest.GuestCpu;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Shell;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;

/** One life of the machine, from power-on to reboot. */
interface Boot extends AutoCloseable {
  /**
   * Boots.
   *
   * @param files the host's, some of which show the machine
   * @param asked the scheduler on the command line; empty for none
   * @param number 0 for the first boot
   */
  static Boot of(LabOptions options, HostFiles files, String asked, int number) {
    return options.toolstack().isVirsh()
        ? LibvirtBoot.of(options, files, number)
        : XenBoot.of(options, asked, number);
  }

  Driver driver();

  /** The ids of the guests that run, by name. */
  Map<String, Integer> domids();

  /** What guests get their CPU time from. */
  GuestCpu cpu();

  /** Who carries a guest's packets: the id to charge, by the guest's. */
  IntUnaryOperator carriers();

  /** The scheduler that was asked for; empty for none. */
  String bootScheduler();

  LabSettings settings();

  /** Ends a guest; its name and its id are those of no guest then. */
  void destroy(LabGuest guest);

  /** Starts a guest anew, with another id. */
  void createAnew(LabGuest guest);

  /** The guest of that name, if there is one, crashes. */
  void crash(String guest);

  /** Ends what watches the hypervisor's schedulers, if anything does. */
  void killMonitor();

  /** The programs of the host. */
  Shell shell(LabOptions options, HostFiles files, AtomicBoolean truncates, Reboots reboots);

  @Override
  void close();
}
