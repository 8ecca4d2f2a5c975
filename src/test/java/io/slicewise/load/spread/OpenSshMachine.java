package io.slicewise.load.spread;

import io.slicewise.Ports;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.SshLogin;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * A generator's machine with the SSH server of this machine's distribution, and with keys and a
 * cache of its own: in a network namespace, where the right to make one is there, otherwise on a
 * port of the loopback interface.
 */
final class OpenSshMachine implements AutoCloseable {
  private static final Path SSHD = Path.of("/usr/sbin/sshd");

  private final String name;
  private final Path directory;
  private final String address;
  private final int port;
  private final Process server;

  private OpenSshMachine(String name, Path directory, String address, int port, List<String> prefix)
      throws IOException {
    this.name = name;
    this.directory = directory;
    this.address = address;
    this.port = port;
    configure();
    List<String> words = new ArrayList<>(prefix);
    words.addAll(
        List.of(SSHD.toString(), "-D", "-e", "-f", directory.resolve("config").toString()));
    server =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("sshd.log").toFile())
            .start();
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(this::listens);
  }

  /** Whether such machines can be made here. */
  static boolean installed() {
    return Files.isExecutable(SSHD) && (Files.isDirectory(Path.of("/run/sshd")) || isRoot());
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /**
   * @param number from 1
   */
  static OpenSshMachine start(int number, Path directory) throws IOException {
    if (isRoot()) {
      Files.createDirectories(Path.of("/run/sshd"));
    }
    Files.createDirectories(directory.resolve("cache"));
    String name = "slicewise" + number;
    String here = gateway(number);
    String there = "198.18." + number + ".2";
    boolean own =
        ran("ip", "netns", "add", name)
            && ran("ip", "link", "add", name, "type", "veth", "peer", "eth0", "netns", name)
            && ran("ip", "addr", "add", here + "/30", "dev", name)
            && ran("ip", "link", "set", name, "up")
            && ran("ip", "-n", name, "addr", "add", there + "/30", "dev", "eth0")
            && ran("ip", "-n", name, "link", "set", "eth0", "up")
            && ran("ip", "-n", name, "link", "set", "lo", "up")
            && ran("ip", "-n", name, "route", "add", "default", "via", here);
    return own
        ? new OpenSshMachine(name, directory, there, 22, List.of("ip", "netns", "exec", name))
        : new OpenSshMachine(name, directory, "127.0.0.1", Ports.free(), List.of());
  }

  /** The address of this machine that all machines in namespaces reach. */
  static String gateway(int number) {
    return "198.18." + number + ".1";
  }

  private void configure() throws IOException {
    for (String key : List.of("host_key", "client_key")) {
      if (!ran("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file(key))) {
        throw new IOException("no key could be made in " + directory);
      }
    }
    String host = Files.readString(Path.of(file("host_key.pub")));
    Files.writeString(
        directory.resolve("known_hosts"),
        (port == 22 ? address : "[%s]:%d".formatted(address, port)) + " " + host);
    Files.writeString(
        directory.resolve("config"),
        """
        ListenAddress %s
        Port %d
        HostKey %s
        AuthorizedKeysFile %s
        PidFile none
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        Subsystem sftp internal-sftp
        SetEnv XDG_CACHE_HOME=%s
        """
            .formatted(address, port, file("host_key"), file("client_key.pub"), file("cache")));
  }

  private String file(String of) {
    return directory.resolve(of).toString();
  }

  private boolean listens() {
    try (Socket socket = new Socket(address, port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  boolean isInNamespace() {
    return port == 22;
  }

  /** Cuts or mends the network of a namespace. */
  void setLink(String state) {
    ran("ip", "link", "set", name, state);
  }

  GeneratorMachine machine(String as) {
    return new GeneratorMachine(
        as,
        Optional.of(
            Connection.to(
                address,
                SshLogin.of(
                    System.getProperty("user.name"),
                    port,
                    directory.resolve("client_key"),
                    directory.resolve("known_hosts")))),
        1,
        Path.of(System.getProperty("java.home"), "bin", "java").toString());
  }

  /** The generators' JVMs of this machine. */
  List<ProcessHandle> running() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process
                    .info()
                    .commandLine()
                    .filter(line -> line.contains("@" + file("cache")))
                    .isPresent())
        .toList();
  }

  @Override
  public void close() {
    server.descendants().forEach(ProcessHandle::destroyForcibly);
    server.destroyForcibly();
    if (isInNamespace()) {
      ran("ip", "link", "del", name);
      ran("ip", "netns", "del", name);
    }
  }

  private static boolean ran(String... words) {
    try {
      return new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
