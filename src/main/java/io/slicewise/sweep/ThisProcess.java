package io.slicewise.sweep;

import java.net.InetAddress;
import java.net.UnknownHostException;

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

  static String words() {
    return "process " + id() + " on " + machine();
  }
}
