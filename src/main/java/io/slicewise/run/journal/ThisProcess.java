package io.slicewise.run.journal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** The identity of this process, for locks and journals. */
public final class ThisProcess {
  private ThisProcess() {}

  public static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** The id of this machine, derived from the system's and from its name. */
  public static String machineId() {
    return Seal.sum("slicewise\n%s\n%s".formatted(systemId(), machine()));
  }

  private static String systemId() {
    try {
      return Files.readString(Path.of("/etc/machine-id")).strip();
    } catch (IOException none) {
      return "";
    }
  }

  public static long id() {
    return ProcessHandle.current().pid();
  }

  /** Slicewise's version, from the jar's manifest. */
  public static String version() {
    String version = ThisProcess.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** Returns the event that this process starts or resumes a run, on the host with an address. */
  public static JournalEvent.RunStarted takesUpRun(Clock clock, String address) {
    return new JournalEvent.RunStarted(clock.instant(), machine(), id(), version(), address);
  }

  public static String text() {
    return "process " + id() + " on " + machine();
  }
}
