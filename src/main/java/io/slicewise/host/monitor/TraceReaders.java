package io.slicewise.host.monitor;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.ssh.CommandResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Protects the hypervisor's trace buffers, which only one program can read at a time. Starting
 * xenmon kills any running xenbaked, so another program's is checked first.
 */
final class TraceReaders {
  /** A pattern in the arguments of this program's recordings, valid for both pgrep and Java. */
  private static final String OURS = RemoteDirectory.EVERY + "/(log|trace)";

  private static final Pattern DIRECTORY = Pattern.compile(RemoteDirectory.EVERY);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final int LOOKS = 25;

  private TraceReaders() {}

  /**
   * The current readers of the trace buffers, with process ids; empty if there are none or unknown.
   */
  static String busy(Host host) {
    CommandResult found = host.read("pgrep", "-l", "-x", "xentrace|xenbaked");
    return found.succeeded() ? found.standardOutput().strip().replace("\n", ", ") : "";
  }

  /**
   * Ends leftover readers of an earlier run of this program, and fails while another program reads
   * the trace buffers.
   */
  static void claim(Host host) {
    String who = busy(host);
    if (!who.isEmpty() && endedLeftovers(host)) {
      who = busy(host);
      for (int look = 1; look < LOOKS && !who.isEmpty(); look++) {
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        who = busy(host);
      }
    }
    if (!who.isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.LOCKED,
          ("%s: the hypervisor's trace buffers are already being read by %s; two readers"
                  + " would each get half of the records")
              .formatted(host.shell().address(), who),
          "wait until it has ended, or stop it if it is a leftover");
    }
  }

  /**
   * Interrupts recordings of this program and removes their directories; returns whether any ran.
   */
  private static boolean endedLeftovers(Host host) {
    List<String> directories =
        DIRECTORY
            .matcher(host.read("pgrep", "-a", "-f", OURS).standardOutput())
            .results()
            .map(MatchResult::group)
            .distinct()
            .toList();
    if (!directories.isEmpty()) {
      host.change("pkill", "-INT", "-f", OURS);
      directories.forEach(each -> new RemoteDirectory(host, each).close());
    }
    return !directories.isEmpty();
  }
}
