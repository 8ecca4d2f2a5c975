package io.slicewise.sweep;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;

/** Which process this is, for locks and journals. */
final class ThisProcess {
  private ThisProcess() {}

  static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  static long id() {
    return ProcessHandle.current().pid();
  }

  /** Slicewise's version, from the jar's manifest. */
  static String version() {
    String version = ThisProcess.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** That this process takes a run up, on the host of that address. */
  static JournalEvent.RunStarted takesUpRun(Clock clock, String address) {
    return new JournalEvent.RunStarted(clock.instant(), machine(), id(), version(), address);
  }

  static String words() {
    return "process " + id() + " on " + machine();
  }
}
