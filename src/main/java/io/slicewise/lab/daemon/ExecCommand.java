package io.slicewise.lab.daemon;

import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.lab.fault.LabFault.Moment;
import io.slicewise.lab.shell.Invocation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.apache.sshd.server.session.ServerSession;

/**
 * One command of one channel, from its arrival to its exit status. It outlives its channel, as a
 * command of OpenSSH's server does: its input then ends and its output fails.
 */
final class ExecCommand extends AbstractCommandSupport {
  private static final int KILLED = 137;
  private static final int CANNOT_EXECUTE = 126;

  private final SshDaemon daemon;

  ExecCommand(SshDaemon daemon, String line) {
    super(line, null);
    this.daemon = daemon;
  }

  @Override
  public void destroy(ChannelSession channel) {
    getExecutorService().shutdown(); // unlike the inherited method, this interrupts nothing
  }

  @Override
  public void run() {
    daemon.commands().add(Thread.currentThread());
    try {
      answer();
    } finally {
      daemon.commands().remove(Thread.currentThread());
    }
  }

  private void answer() {
    int number = daemon.log().began(getCommand());
    List<LabFault> faults = daemon.script().arrived(getCommand());
    injectOnHost(faults);
    try {
      TimeUnit.NANOSECONDS.sleep(daemon.delay().toNanos());
      answer(number, faults);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      onExit(KILLED);
    } catch (IOException gone) {
      onExit(1, String.valueOf(gone.getMessage()));
    }
  }

  private void answer(int number, List<LabFault> faults) throws IOException, InterruptedException {
    Optional<LabFault> drop =
        find(faults, FaultKind.DROP_CONNECTION).or(() -> rebootAtOnce(faults));
    if (drop.isPresent() && drop.get().moment() == Moment.BEFORE) {
      later(drop.get().delay(), () -> getSession().close(true));
      if (drop.get().delay().isZero()) {
        return;
      }
    }
    int status = status(faults);
    if (drop.isPresent() && drop.get().moment() == Moment.AFTER) {
      getSession().close(true);
      return;
    }
    getOutputStream().flush();
    getErrorStream().flush();
    daemon.log().ended(number, status);
    onExit(status);
  }

  private int status(List<LabFault> faults) throws IOException, InterruptedException {
    Invocation invocation =
        new Invocation(
            List.of(getCommand()),
            getInputStream(),
            getOutputStream(),
            getErrorStream(),
            Map.of(
                Invocation.USER,
                getSession().getUsername(),
                Invocation.CONNECTION,
                connection(getSession())));
    if (find(faults, FaultKind.REFUSE_COMMAND).isPresent()) {
      invocation.complain("bash: line 1: %s: Permission denied\n", getCommand().split(" ", 2)[0]);
      return CANNOT_EXECUTE;
    }
    if (find(faults, FaultKind.IGNORE_SETTING).isPresent()) {
      return 0;
    }
    return daemon.shell().run(invocation);
  }

  private static String connection(ServerSession session) {
    return address(session.getClientAddress())
        + " "
        + address(session.getIoSession().getLocalAddress());
  }

  private static String address(SocketAddress end) {
    return end instanceof InetSocketAddress internet
        ? internet.getHostString() + " " + internet.getPort()
        : end.toString();
  }

  /** Returns the fault that reboots without a delay, which closes the connection. */
  private static Optional<LabFault> rebootAtOnce(List<LabFault> faults) {
    return find(faults, FaultKind.REBOOT_DOM0).filter(fault -> fault.delay().isZero());
  }

  private void injectOnHost(List<LabFault> faults) {
    for (LabFault fault : faults) {
      switch (fault.kind()) {
        case DROP_CONNECTION, REFUSE_COMMAND, IGNORE_SETTING -> {}
        case SLOW_NETWORK -> daemon.slowBy(fault.delay());
        default -> later(fault.delay(), () -> daemon.effects().inject(fault));
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
