package io.slicewise.ssh;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process on this machine. */
final class LocalCommand implements RunningCommand {
  private static final long GRACE_SECONDS = 2;

  private final Command command;
  private final Process process;
  private final CappedOutput output = new CappedOutput(() -> {});
  private final CappedOutput errors = new CappedOutput(() -> {});
  private final Thread outputReader;
  private final Thread errorReader;
  private final long startedNanos = System.nanoTime();
  private final CompletableFuture<Long> endedNanos;

  private LocalCommand(Command command, Process process, Optional<? extends OutputStream> into) {
    this.command = command;
    this.process = process;
    this.endedNanos = process.onExit().thenApply(over -> System.nanoTime());
    this.outputReader = reader(process.getInputStream(), into.isPresent() ? into.get() : output);
    this.errorReader = reader(process.getErrorStream(), errors);
  }

  /**
   * Starts a process.
   *
   * @param into receives the output; otherwise it is part of the result
   */
  static LocalCommand start(Command command, Optional<? extends OutputStream> into)
      throws IOException {
    return new LocalCommand(command, new ProcessBuilder(command.words()).start(), into);
  }

  private Thread reader(InputStream from, OutputStream into) {
    Thread thread =
        new Thread(
            () -> {
              try (from;
                  into) {
                from.transferTo(into);
              } catch (IOException e) {
                // Too much output, which the collector reports, or the process ended while writing.
                destroy();
              }
            },
            "output of " + command.words().get(0));
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  public synchronized void write(String text) {
    try {
      process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw SshCommand.ended(command, "this machine", e);
    }
  }

  @Override
  public synchronized void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The input of a command that has ended is already closed.
    }
  }

  @Override
  public Optional<CommandResult> poll() {
    return process.isAlive() ? Optional.empty() : Optional.of(result());
  }

  /** As {@link SshCommand#finish}; empty if the time is up. */
  Optional<CommandResult> finish() {
    return Patience.until(command.timeout(), this::pollAfter);
  }

  private Optional<CommandResult> pollAfter(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS) ? poll() : Optional.empty();
  }

  @Override
  public Optional<CommandResult> await(Duration limit) {
    return Patience.unlessInterrupted(limit, this::pollAfter);
  }

  @Override
  public void close() {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> children = destroy();
    if (await(Duration.ofSeconds(GRACE_SECONDS)).isEmpty()) {
      process.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Ends the process before its children: a shell would go on with its next command. */
  private List<ProcessHandle> destroy() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    children.forEach(ProcessHandle::destroy);
    return children;
  }

  private CommandResult result() {
    try {
      outputReader.join(TimeUnit.SECONDS.toMillis(GRACE_SECONDS));
      errorReader.join(TimeUnit.SECONDS.toMillis(GRACE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (output.overflowed() || errors.overflowed()) {
      throw new RemoteShellException(
          Kind.OUTPUT_TOO_LARGE,
          "'" + command.shown() + "' printed more than " + (CappedOutput.LIMIT >> 20) + " MiB.",
          "Make it write to a file.",
          null);
    }
    Duration elapsed = Duration.ofNanos(endedNanos.join() - startedNanos);
    return new CommandResult(command, process.exitValue(), output.text(), errors.text(), elapsed);
  }
}
