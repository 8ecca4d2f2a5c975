package io.slicewise.lab.daemon;

import io.slicewise.lab.fault.LabFault;
import io.slicewise.lab.fault.LabFault.FaultKind;
import io.slicewise.lab.fault.LabFault.FaultScript;
import io.slicewise.lab.fault.LabFault.Moment;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.sshd.common.file.virtualfs.VirtualFileSystemFactory;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.apache.sshd.server.session.ServerSession;
import org.apache.sshd.sftp.server.FileHandle;
import org.apache.sshd.sftp.server.SftpFileSystemAccessor;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;
import org.apache.sshd.sftp.server.SftpSubsystemProxy;

/**
 * The SSH server, with commands and SFTP; users authenticate by the client key alone. It can go
 * down and come back on the same port, as at a reboot; the command log and fault script survive.
 */
public final class SshDaemon implements AutoCloseable {
  private final LabKeys keys;
  private final Set<String> users;
  private final HostFiles files;
  private final FaultScript script;
  private final HostEffects effects;
  private final Set<Thread> commands = ConcurrentHashMap.newKeySet();
  private final CommandLog log = new CommandLog();
  private final AtomicReference<Program> shell = new AtomicReference<>();
  private final AtomicReference<Duration> delay = new AtomicReference<>(Duration.ZERO);
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(SshDaemon::timerThread);
  private SshServer server;
  private int port;

  public SshDaemon(
      LabKeys keys,
      Set<String> users,
      HostFiles files,
      FaultScript script,
      HostEffects effects,
      int port) {
    this.keys = keys;
    this.users = Set.copyOf(users);
    this.files = files;
    this.script = script;
    this.effects = effects;
    this.port = port;
  }

  /** Starts accepting connections, whose commands run in this shell. */
  public synchronized void up(Program newShell) {
    shell.set(newShell);
    server = SshServer.setUpDefaultServer();
    server.setHost("127.0.0.1");
    server.setPort(port);
    // As in OpenSSH; otherwise each command waits 40 ms for a delayed acknowledgement.
    CoreModuleProperties.TCP_NODELAY.set(server, true);
    server.setKeyPairProvider(KeyPairProvider.wrap(keys.host()));
    server.setPublickeyAuthenticator(
        (user, key, session) -> users.contains(user) && keys.isClient(key));
    server.setCommandFactory((channel, line) -> new ExecCommand(this, line));
    server.setFileSystemFactory(new VirtualFileSystemFactory(files.root()));
    server.setSubsystemFactories(
        List.of(
            new SftpSubsystemFactory.Builder()
                .withFileSystemAccessor(new GeneratedFiles(files))
                .build()));
    try {
      server.start();
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's SSH server cannot listen on port " + port, fault);
    }
    port = server.getPort();
  }

  /** Closes the port and every connection at once and ends all commands, as power-off does. */
  public synchronized void down() {
    if (server == null) {
      return; // it was never up
    }
    try {
      server.stop(true);
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's SSH server did not stop", fault);
    }
    commands.forEach(Thread::interrupt);
  }

  public synchronized int port() {
    return port;
  }

  /** Returns the {@code known_hosts} line of this server. */
  public String knownHostsLine() {
    return keys.knownHostsLine(port());
  }

  /** Returns the host key's fingerprint, {@code SHA256:…}. */
  public String fingerprint() {
    return keys.fingerprint();
  }

  public CommandLog log() {
    return log;
  }

  /** Returns the threads of the commands now running. */
  Set<Thread> commands() {
    return commands;
  }

  FaultScript script() {
    return script;
  }

  HostEffects effects() {
    return effects;
  }

  Program shell() {
    return shell.get();
  }

  Duration delay() {
    return delay.get();
  }

  void slowBy(Duration newDelay) {
    delay.set(newDelay);
  }

  void schedule(Duration after, Runnable action) {
    var unused = timer.schedule(action, after.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Thread timerThread(Runnable work) {
    Thread thread = new Thread(work, "lab-timer");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void close() {
    down();
    timer.shutdownNow();
  }

  /** Lets SFTP read files such as {@code /proc/stat}, whose contents are generated when opened. */
  record GeneratedFiles(HostFiles files) implements SftpFileSystemAccessor {
    @Override
    public SeekableByteChannel openFile(
        SftpSubsystemProxy subsystem,
        FileHandle fileHandle,
        Path file,
        String handle,
        Set<? extends OpenOption> options,
        FileAttribute<?>... attributes)
        throws IOException {
      Optional<String> text = files.generatedText(file.toString());
      if (text.isPresent()) {
        Files.writeString(files.locate(file.toString()), text.get());
      }
      return SftpFileSystemAccessor.super.openFile(
          subsystem, fileHandle, file, handle, options, attributes);
    }
  }

  /** Applies the faults that affect the host rather than the connection. */
  @FunctionalInterface
  public interface HostEffects {
    /** Triggers a fault now and returns at once. */
    void inject(LabFault fault);
  }

  /** A log of every command that has reached the host, in order. Thread-safe. */
  public static final class CommandLog {
    private final List<Entry> entries = new ArrayList<>();

    /**
     * One command.
     *
     * @param line the command line as the client sent it
     * @param status the exit status; empty while the command runs, or if its connection broke
     */
    public record Entry(Instant at, String line, OptionalInt status) {}

    synchronized int began(String line) {
      entries.add(new Entry(Instant.now(), line, OptionalInt.empty()));
      return entries.size() - 1;
    }

    synchronized void ended(int number, int status) {
      Entry entry = entries.get(number);
      entries.set(number, new Entry(entry.at(), entry.line(), OptionalInt.of(status)));
    }

    public synchronized List<Entry> entries() {
      return List.copyOf(entries);
    }
  }

  /**
   * One command of one channel, from its arrival to its exit status. It outlives its channel, as a
   * command of OpenSSH's server does: its input then ends and its output fails.
   */
  private static final class ExecCommand extends AbstractCommandSupport {
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

    private void answer(int number, List<LabFault> faults)
        throws IOException, InterruptedException {
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
}
