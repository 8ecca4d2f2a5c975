package io.slicewise.sweep.window;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The lateness of a lab in carrying out its schedulers' decisions during a window. A lab publishes
 * it in a file, whether a run started it or uses its address; a real host has no such file and is
 * never late.
 */
final class HostLateness {
  private static final Command READING =
      Command.reading("cat", "/run/slicewise-lab/lateness").within(Duration.ofSeconds(10));

  private final RemoteShell shell;
  private final Optional<Histogram> before;

  private HostLateness(RemoteShell shell) {
    this.shell = shell;
    this.before = read();
  }

  /** Reads the lateness at the start of the window. */
  static HostLateness atBeginning(RemoteShell shell) {
    return new HostLateness(shell);
  }

  /** Returns the 99th percentile since the start of the window; {@code NaN} if unknown. */
  double p99Millis() {
    if (before.isEmpty()) {
      return Double.NaN;
    }
    return read()
        .filter(now -> now.getTotalCount() > before.get().getTotalCount())
        .map(now -> since(before.get(), now).getValueAtPercentile(99))
        .map(nanos -> (double) nanos / TimeUnit.MILLISECONDS.toNanos(1))
        .orElse(Double.NaN);
  }

  private static Histogram since(Histogram earlier, Histogram now) {
    now.subtract(earlier);
    return now;
  }

  private Optional<Histogram> read() {
    try {
      CommandResult answer = shell.run(READING);
      return answer.exitStatus() == 0 ? decode(answer.standardOutput()) : Optional.empty();
    } catch (RemoteShellException lost) {
      return Optional.empty(); // the trial itself notices a lost host
    }
  }

  private static Optional<Histogram> decode(String text) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text.strip()));
      return Optional.of(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
    } catch (DataFormatException | RuntimeException otherText) {
      return Optional.empty();
    }
  }
}
