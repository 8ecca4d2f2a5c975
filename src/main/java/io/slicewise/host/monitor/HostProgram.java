package io.slicewise.host.monitor;

import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RunningCommand;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A running recording on the host. Closing it interrupts it there if it still runs. */
final class HostProgram implements AutoCloseable {
  private static final Duration TIME_TO_DIE = Duration.ofSeconds(10);

  /** Time to notice the end of a program that could not be interrupted. */
  private static final Duration TIME_TO_NOTICE = Duration.ofSeconds(1);

  private final Host host;
  private final RunningCommand running;
  private final RemoteDirectory directory;
  private boolean ended;

  HostProgram(Host host, RunningCommand running, RemoteDirectory directory) {
    this.host = host;
    this.running = running;
    this.directory = directory;
  }

  /** Returns a warning if a program was interrupted or failed. */
  static Optional<String> fault(String program, Optional<CommandResult> end) {
    if (end.isEmpty()) {
      return Optional.of(program + " did not end and was interrupted");
    }
    CommandResult result = end.get();
    return result.succeeded()
        ? Optional.empty()
        : Optional.of(
            "%s failed with status %d%s"
                .formatted(program, result.exitStatus(), Host.said(result)));
  }

  /** Waits for its end until a deadline; empty if it had to be interrupted. */
  Optional<CommandResult> awaitEnd(Clock clock, Instant deadline) {
    Duration left = Duration.between(clock.instant(), deadline);
    Optional<CommandResult> result = left.isNegative() ? running.poll() : running.await(left);
    ended = result.isPresent();
    if (!ended) {
      interrupt();
    }
    return result;
  }

  private void interrupt() {
    boolean told = host.change("pkill", "-INT", "-f", directory.pattern()).succeeded();
    ended = running.await(told ? TIME_TO_DIE : TIME_TO_NOTICE).isPresent();
  }

  @Override
  public void close() {
    try {
      if (!ended && running.poll().isEmpty()) {
        interrupt();
      }
    } finally {
      ended = true;
      running.close();
    }
  }
}
