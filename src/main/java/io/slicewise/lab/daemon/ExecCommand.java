package io.slicewise.lab.daemon;

import io.slicewise.lab.fault.FaultKind;
import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.Moment;
import io.slicewise.lab.shell.Invocation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/** One command of one channel, from its arrival to its exit status. */
final class ExecCommand implements Command {
  private static final int KILLED = 137;
  private static final int CANNOT_EXECUTE = 126;

  private final SshDaemon daemon;
  private final String line;
  private OutputStream output;
  private OutputStream errors;
  private ExitCallback exit;
  private Future<?> running;

  ExecCommand(SshDaemon daemon, String line) {
    this.daemon = daemon;
    this.line = line;
  }

  @Override
  public void setInputStream(InputStream stream) {
    // No tool of this host reads its standard input.
  }

  @Override
  public void setOutputStream(OutputStream stream) {
    output = stream;
  }

  @Override
  public void setErrorStream(OutputStream stream) {
    errors = stream;
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    exit = callback;
  }

  @Override
  public void start(ChannelSession channel, Environment environment) {
    running = daemon.threads().submit(() -> run(channel));
  }

  @Override
  public void destroy(ChannelSession channel) {
    running.cancel(true);
  }

  private void run(ChannelSession channel) {
    int number = daemon.log().began(line);
    List<LabFault> faults = daemon.script().arrived(line);
    strikeHost(faults);
    try {
      TimeUnit.NANOSECONDS.sleep(daemon.delay().toNanos());
      answer(channel, number, faults);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      exit.onExit(KILLED);
    } catch (IOException gone) {
      exit.onExit(1, String.valueOf(gone.getMessage()));
    }
  }

  private void answer(ChannelSession channel, int number, List<LabFault> faults)
      throws IOException, InterruptedException {
    Optional<LabFault> drop =
        find(faults, FaultKind.DROP_CONNECTION).or(() -> rebootAtOnce(faults));
    if (drop.isPresent() && drop.get().moment() == Moment.BEFORE) {
      later(drop.get().delay(), () -> channel.getSession().close(true));
      if (drop.get().delay().isZero()) {
        return;
      }
    }
    int status = status(faults);
    if (drop.isPresent() && drop.get().moment() == Moment.AFTER) {
      channel.getSession().close(true);
      return;
    }
    output.flush();
    errors.flush();
    daemon.log().ended(number, status);
    exit.onExit(status);
  }

  private int status(List<LabFault> faults) throws IOException, InterruptedException {
    Invocation invocation = new Invocation(List.of(line), output, errors);
    if (find(faults, FaultKind.REFUSE_COMMAND).isPresent()) {
      invocation.complain("bash: line 1: %s: Permission denied\n", line.split(" ", 2)[0]);
      return CANNOT_EXECUTE;
    }
    if (find(faults, FaultKind.IGNORE_SETTING).isPresent()) {
      return 0;
    }
    return daemon.shell().run(invocation);
  }

  /** A reboot without a delay takes the connection with it. */
  private static Optional<LabFault> rebootAtOnce(List<LabFault> faults) {
    return find(faults, FaultKind.REBOOT_DOM0).filter(fault -> fault.delay().isZero());
  }

  private void strikeHost(List<LabFault> faults) {
    for (LabFault fault : faults) {
      switch (fault.kind()) {
        case DROP_CONNECTION, REFUSE_COMMAND, IGNORE_SETTING -> {}
        case SLOW_NETWORK -> daemon.slowBy(fault.delay());
        default -> later(fault.delay(), () -> daemon.effects().strike(fault));
      }
    }
  }

  private void later(Duration delay, Runnable action) {
    if (delay.isZero()) {
      action.run();
    } else {
      daemon.schedule(delay, action);
    }
  }

  private static Optional<LabFault> find(List<LabFault> faults, FaultKind kind) {
    return faults.stream().filter(fault -> fault.kind() == kind).findFirst();
  }
}
