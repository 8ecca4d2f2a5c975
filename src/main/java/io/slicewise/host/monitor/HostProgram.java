package io.slicewise.host.monitor;

import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RunningCommand;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A recording of the hypervisor's trace on the host, with a directory for its files. Closing it
 * interrupts it there if it still runs, and removes the directory.
 */
final class HostProgram implements AutoCloseable {
  private static final Duration TIME_TO_DIE = Duration.ofSeconds(10);

  /** Time to notice the end of a program that could not be interrupted. */
  private static final Duration TIME_TO_NOTICE = Duration.ofSeconds(1);

  private final Host host;
  private final Clock clock;
  private final RemoteDirectory directory;
  private final Instant started;
  private final RunningCommand running;
  private boolean ended;

  private HostProgram(
      Host host, Clock clock, RemoteDirectory directory, Duration limit, List<String> words) {
    this.host = host;
    this.clock = clock;
    this.directory = directory;
    this.started = clock.instant();
    this.running = host.startOnLeash(limit, directory, words);
  }

  /**
   * Starts a program that reads the trace.
   *
   * @param limit when the host ends it in any case
   * @param words the command, by the directory for its files
   */
  static HostProgram start(
      Host host, Clock clock, Duration limit, Function<RemoteDirectory, List<String>> words) {
    TraceReaders.claim(host);
    RemoteDirectory directory = RemoteDirectory.make(host);
    try {
      return new HostProgram(host, clock, directory, limit, words.apply(directory));
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  RemoteDirectory directory() {
    return directory;
  }

  /** Returns when it was started. */
  Instant started() {
    return started;
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

  /** Asks it to end; returns at once. */
  RunningCommand askToEnd() {
    return host.start(TIME_TO_DIE, interruption());
  }

  /** Waits for its end, at most so long, and leaves it alone. */
  void awaitEnd(Duration longest) {
    ended |= running.await(longest).isPresent();
  }

  /** Waits for its end until a deadline; empty if it had to be interrupted. */
  Optional<CommandResult> awaitEnd(Instant deadline) {
    Duration left = Duration.between(clock.instant(), deadline);
    Optional<CommandResult> result = left.isNegative() ? running.poll() : running.await(left);
    ended = result.isPresent();
    if (!ended) {
      interrupt();
    }
    return result;
  }

  private void interrupt() {
    boolean told = host.change(interruption().toArray(String[]::new)).succeeded();
    ended = running.await(told ? TIME_TO_DIE : TIME_TO_NOTICE).isPresent();
  }

  private List<String> interruption() {
    return List.of("pkill", "-INT", "-f", directory.pattern());
  }

  @Override
  public void close() {
    try (directory;
        running) {
      if (!ended && running.poll().isEmpty()) {
        interrupt();
      }
    } finally {
      ended = true;
    }
  }
}
