package io.slicewise.ssh;

import com.jcraft.jsch.ChannelExec;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.FileFault;
import io.slicewise.ssh.Dialer.Link;
import io.slicewise.ssh.RemoteShellException.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A command on its own channel, without a terminal.
 *
 * <p>The library's only sign of a closed channel is that it closes the stream for the command's
 * errors; waiting for that avoids polling. The library gets no stream for the command's input: it
 * would start a thread to read it, and fails if a command ends before that thread exists.
 */
final class SshCommand implements RunningCommand {
  private static final Duration SESSION_END_LAG = Duration.ofMillis(100);
  private static final int NOT_TOLD = 255;

  /** The signals that SSH names, indexed by number. */
  private static final List<String> SIGNALS =
      List.of(
          "", "HUP", "INT", "QUIT", "ILL", "", "ABRT", "", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM");

  private final Command command;
  private final String address;
  private final Session session;
  private final ChannelExec channel;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CappedOutput output = new CappedOutput(() -> {});
  private final CappedOutput errors = new CappedOutput(this::end);
  private final Optional<? extends OutputStream> into;
  private final long startedNanos = System.nanoTime();
  private volatile long endedNanos;
  private volatile boolean stopped;
  private OutputStream input;

  private SshCommand(
      Command command,
      String address,
      Session session,
      ChannelExec channel,
      Optional<? extends OutputStream> into) {
    this.into = into;
    this.command = command;
    this.address = address;
    this.session = session;
    this.channel = channel;
  }

  /**
   * Sends the command.
   *
   * @param into receives the output; otherwise it is part of the result
   * @param listening whether the command's standard input stays open
   */
  static SshCommand start(
      Link link,
      Command command,
      String address,
      Optional<? extends OutputStream> into,
      boolean listening) {
    Session session = link.session();
    try {
      SshCommand started = new SshCommand(command, address, session, channel(session), into);
      started.send(listening);
      return started;
    } catch (JSchException e) {
      // A broken socket can appear here before the session's own thread has noticed it.
      if (e.getCause() instanceof IOException) {
        session.disconnect();
      }
      if (session.isConnected()) {
        throw new RemoteShellException(
            Kind.UNREACHABLE,
            "%s opened no channel for '%s': %s."
                .formatted(address, command.shown(), FileFault.reason(e)),
            "Check MaxSessions in the host's sshd_config.",
            e);
      }
      throw lost(command, address, e);
    }
  }

  /** The library returns no channel where the session ends while the channel is opened. */
  private static ChannelExec channel(Session session) throws JSchException {
    ChannelExec channel = (ChannelExec) session.openChannel("exec");
    if (channel == null) {
      throw new JSchException("session is down", new IOException("session is down"));
    }
    return channel;
  }

  private void send(boolean listening) throws JSchException {
    channel.setCommand(command.quoted().getBytes(StandardCharsets.UTF_8));
    channel.setOutputStream(into.isPresent() ? into.get() : output);
    channel.setErrStream(errors);
    // Without a limit, the library waits at most 20 s and notices a dead session meanwhile.
    channel.connect();
    openInput();
    if (!listening) {
      endInput();
    }
  }

  private void openInput() {
    try {
      input = channel.getOutputStream();
    } catch (IOException e) {
      throw new UncheckedIOException("declared by the library but never thrown", e);
    }
  }

  @Override
  public synchronized void write(String text) {
    if (ended.getCount() == 0) {
      throw ended(command, address, null);
    }
    try {
      input.write(text.getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      throw sessionEnded() ? lost(command, address, e) : ended(command, address, e);
    }
  }

  static RemoteShellException ended(Command command, String address, IOException cause) {
    return new RemoteShellException(
        Kind.COMMAND_ENDED,
        "'%s' on %s ended before its input did.".formatted(command.shown(), address),
        "Check its output.",
        cause);
  }

  @Override
  public synchronized void endInput() {
    try {
      input.close();
    } catch (IOException e) {
      // The input of a closed channel has already ended.
    }
  }

  /**
   * Waits for the end, up to the command's limit. An interrupt does not end the wait: the outcome
   * of a change must be known.
   */
  CommandResult finish() {
    Optional<CommandResult> result = Patience.until(command.timeout(), this::pollAfter);
    if (result.isPresent()) {
      return result.get();
    }
    close();
    throw new RemoteShellException(
        Kind.TIMED_OUT,
        String.format(
            "'%s' on %s did not end within %s.",
            command.shown(), address, DurationText.of(command.timeout())),
        command.effect() == Command.Effect.CHANGES
            ? "It may have taken effect: check before repeating it."
            : "Find out what blocks it on the host.",
        null);
  }

  @Override
  public Optional<CommandResult> poll() {
    return ended.getCount() > 0 ? Optional.empty() : Optional.of(result());
  }

  private Optional<CommandResult> pollAfter(Duration limit) throws InterruptedException {
    return ended.await(limit.toNanos(), TimeUnit.NANOSECONDS) ? poll() : Optional.empty();
  }

  @Override
  public Optional<CommandResult> await(Duration limit) {
    return Patience.unlessInterrupted(limit, this::pollAfter);
  }

  @Override
  public void close() {
    if (ended.getCount() == 0) {
      return;
    }
    stopped = true;
    try {
      channel.sendSignal("TERM");
    } catch (
        Exception
            e) { // the library declares no narrower type. All that remains is to close the channel.
    }
    channel.disconnect();
    end();
  }

  private void end() {
    if (ended.getCount() > 0) {
      endedNanos = System.nanoTime();
    }
    ended.countDown();
    into.ifPresent(SshCommand::close);
  }

  private static void close(OutputStream output) {
    try {
      output.close();
    } catch (IOException e) {
      // Its reader sees that nothing follows.
    }
  }

  private CommandResult result() {
    if (output.overflowed() || errors.overflowed()) {
      throw new RemoteShellException(
          Kind.OUTPUT_TOO_LARGE,
          String.format(
              "'%s' on %s printed more than %d MiB.",
              command.shown(), address, CappedOutput.LIMIT >> 20),
          "Make it write to a file, which can be fetched.",
          null);
    }
    Duration elapsed = Duration.ofNanos(endedNanos - startedNanos);
    return new CommandResult(command, exitStatus(), output.text(), errors.text(), elapsed);
  }

  private int exitStatus() {
    if (channel.getExitStatus() >= 0) {
      return channel.getExitStatus();
    }
    if (channel.getExitSignal() != null) {
      int number = SIGNALS.indexOf(channel.getExitSignal());
      return number > 0 ? 128 + number : NOT_TOLD;
    }
    if (!stopped && sessionEnded()) {
      throw lost(command, address, null);
    }
    return NOT_TOLD;
  }

  /**
   * Whether the session has ended; the library closes its channels shortly before it reports that.
   */
  private boolean sessionEnded() {
    long deadline = System.nanoTime() + SESSION_END_LAG.toNanos();
    while (session.isConnected() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    return !session.isConnected();
  }

  private static RemoteShellException lost(Command command, String address, Throwable cause) {
    return new RemoteShellException(
        Kind.CONNECTION_LOST,
        "The connection to " + address + " was lost during '" + command.shown() + "'.",
        command.effect() == Command.Effect.CHANGES
            ? "It may have taken effect: check before repeating it."
            : "Check that the host is up.",
        cause);
  }
}
