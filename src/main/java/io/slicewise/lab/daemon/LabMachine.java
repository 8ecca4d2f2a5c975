package io.slicewise.lab.daemon;

import io.slicewise.base.units.UserDirectory;
import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
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
}
