package io.slicewise.lab.daemon;

import io.slicewise.base.units.UserDirectory;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AbstractCommandSupport;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/**
 * A further machine of the lab, such as a load generator: an SSH server with keys and a home
 * directory of its own, whose commands are processes of this machine. Its clock can be wrong. The
 * jars in its cache are this machine's.
 */
public final class LabMachine implements AutoCloseable {
  /** The only user that may sign in. */
  public static final String USER = "load";

  private final Path home;
  private final LabKeys keys;
  private final SshServer server;
  private final Queue<ProcessHandle> processes = new ConcurrentLinkedQueue<>();

  private LabMachine(Path home, SshServer server, LabKeys keys) {
    this.home = home;
    this.server = server;
    this.keys = keys;
  }

  /**
   * Starts a machine.
   *
   * @param home its home directory, which keeps its keys; it may be that of an earlier machine
   */
  public static LabMachine start(Path home) {
    try {
      Files.createDirectories(home);
      LabMachine machine =
          new LabMachine(home.toRealPath(), SshServer.setUpDefaultServer(), LabKeys.in(home));
      machine.shareJars();
      machine.open();
      return machine;
    } catch (IOException fault) {
      throw new UncheckedIOException("a machine of the lab could not start in " + home, fault);
    }
  }

  /** Machines of one lab run one program, so its jars are those that this machine has cached. */
  private void shareJars() throws IOException {
    unshareJars();
    if (!Files.exists(jars())) {
      Files.createDirectories(jars().getParent());
      Files.createSymbolicLink(jars(), UserDirectory.CACHE.of("jars").toRealPath());
    }
  }

  private void unshareJars() throws IOException {
    if (Files.isSymbolicLink(jars())) {
      Files.delete(jars());
    }
  }

  private Path jars() {
    return home.resolve(".cache/slicewise/jars");
  }

  private void open() throws IOException {
    setClockAhead(0);
    server.setHost("127.0.0.1");
    CoreModuleProperties.TCP_NODELAY.set(server, true);
    server.setKeyPairProvider(KeyPairProvider.wrap(keys.host()));
    server.setPublickeyAuthenticator(
        (user, key, session) -> user.equals(USER) && keys.isClient(key));
    server.setCommandFactory((channel, line) -> new ProcessCommand(line, this::shell, processes));
    server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
    server.start();
    Files.writeString(knownHosts(), keys.knownHostsLine(port()) + "\n");
  }

  /** As a login shell that replaces itself by a simple command does. */
  private ProcessBuilder shell(String line) {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", "exec " + line).directory(home.toFile());
    Map<String, String> environment = builder.environment();
    String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
    environment.clear();
    environment.put("HOME", home.toString());
    environment.put("LOGNAME", USER);
    environment.put("PATH", Path.of(System.getProperty("java.home"), "bin") + ":" + path);
    environment.put("JDK_JAVA_OPTIONS", "-Dslicewise.clock=" + clock());
    return builder;
  }

  private Path clock() {
    return home.resolve("clock");
  }

  /** Sets the machine's clock wrong by that many milliseconds, as the generator there sees it. */
  public void setClockAhead(long millis) throws IOException {
    WholeFile.write(clock(), Long.toString(millis));
  }

  public int port() {
    return server.getPort();
  }

  /** Returns the private key of the only user. */
  public Path privateKey() {
    return keys.clientFile();
  }

  /** Returns a {@code known_hosts} file with the host key. */
  public Path knownHosts() {
    return home.resolve("known_hosts");
  }

  public Path home() {
    return home;
  }

  /** Returns the processes that were started there and still run. */
  public List<ProcessHandle> running() {
    return processes.stream()
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .filter(ProcessHandle::isAlive)
        .toList();
  }

  /** Closes the port and all connections, and ends what runs there, as power-off does. */
  @Override
  public void close() {
    try {
      server.stop(true);
      unshareJars();
    } catch (IOException fault) {
      throw new UncheckedIOException("a machine of the lab did not stop", fault);
    } finally {
      running().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /**
   * One command of one channel as a process of this machine. As with OpenSSH's server, the end of
   * the channel ends the command's input and no more.
   */
  static final class ProcessCommand extends AbstractCommandSupport {
    private static final int BLOCK = 1 << 15;
    private static final int NOT_FOUND = 127;

    private final Function<String, ProcessBuilder> shell;
    private final Queue<ProcessHandle> started;
    private Process process;

    /**
     * @param shell makes the process of a command line
     * @param started receives the process
     */
    ProcessCommand(
        String line, Function<String, ProcessBuilder> shell, Queue<ProcessHandle> started) {
      super(line, null);
      this.shell = shell;
      this.started = started;
    }

    @Override
    public void run() {
      try {
        Process begun = shell.apply(getCommand()).start();
        started.add(begun.toHandle());
        synchronized (this) {
          process = begun;
        }
        copying(getInputStream(), begun.getOutputStream(), true);
        Thread output = copying(begun.getInputStream(), getOutputStream(), false);
        Thread errors = copying(begun.getErrorStream(), getErrorStream(), false);
        int status = begun.waitFor();
        output.join();
        errors.join();
        onExit(status);
      } catch (IOException fault) {
        onExit(NOT_FOUND, String.valueOf(fault.getMessage()));
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
        onExit(1);
      }
    }

    private static Thread copying(InputStream from, OutputStream to, boolean closes) {
      Thread thread = new Thread(() -> copy(from, to, closes), "lab-machine");
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    private static void copy(InputStream from, OutputStream to, boolean closes) {
      byte[] block = new byte[BLOCK];
      int length;
      try {
        while ((length = from.read(block)) >= 0) {
          to.write(block, 0, length);
          to.flush();
        }
      } catch (IOException ended) {
        // One of both ends is closed.
      }
      if (closes) {
        close(to);
      }
    }

    private static void close(OutputStream input) {
      try {
        input.close();
      } catch (IOException ended) {
        // The process has ended before its input.
      }
    }

    @Override
    public void destroy(ChannelSession channel) {
      synchronized (this) {
        if (process != null) {
          close(process.getOutputStream());
        }
      }
      getExecutorService().shutdown(); // unlike the inherited method, this interrupts nothing
    }
  }
}
