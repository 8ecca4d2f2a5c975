package io.slicewise.monitor;

import io.slicewise.ssh.CommandResult;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;

/**
 * Guards the hypervisor's trace buffers, which one program at a time can read. Starting xenmon
 * kills any xenbaked that runs, so somebody else's is looked for first.
 */
final class TraceReaders {
  private TraceReaders() {}

  /** Who reads the trace buffers now, with process ids; empty if nobody does or it is not known. */
  static String busy(Host host) {
    CommandResult found = host.read("pgrep", "-l", "-x", "xentrace|xenbaked");
    return found.succeeded() ? found.standardOutput().strip().replace("\n", ", ") : "";
  }

  /** Refuses to go on while another program reads the trace buffers. */
  static void refuseIfBusy(Host host) {
    String who = busy(host);
    if (!who.isEmpty()) {
      throw new SlicewiseException(
          ExitCode.LOCKED,
          host.shell().address()
              + ": the hypervisor's trace buffers are already being read by "
              + who
              + "; two readers would each get half of the records",
          "wait until it has ended, or stop it if it is a leftover");
    }
  }
}
