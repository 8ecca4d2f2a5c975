package io.slicewise.ssh;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/**
 * A real SSH server on loopback whose commands a real {@code /bin/sh} runs, as on a Xen host. Lets
 * one user in, with one key.
 */
public final class SshTestServer implements AutoCloseable {
  private final SshServer server = SshServer.setUpDefaultServer();
  private final Path directory;
  private final java.security.KeyPair hostKey = newHostKey();
  private final AtomicInteger logins = new AtomicInteger();
  private final List<String> received = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger drops = new AtomicInteger();
  private volatile Optional<Path> tools = Optional.empty();

  private SshTestServer(Path directory) {
    this.directory = directory;
  }

  /** Starts a server and writes a user's key and known_hosts into the directory. */
  public static SshTestServer start(Path directory) throws Exception {
    SshTestServer started = new SshTestServer(directory);
    started.writeKey("id_test", KeyPair.ECDSA, 256, null);
    started.listen();
    started.writeKnownHosts("known_hosts", started.hostKey);
    return started;
  }

  private void listen() throws IOException {
    server.setHost("127.0.0.1");
    server.setPort(0);
    CoreModuleProperties.TCP_NODELAY.set(server, true);
    server.setKeyPairProvider(session -> List.of(hostKey));
    server.setPublickeyAuthenticator((user, key, session) -> isOurs(PublicKeyEntry.toString(key)));
    server.setCommandFactory((channel, line) -> new ShCommand(line, takes(line), tools));
    server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
    server.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
    server.addSessionListener(
        new SessionListener() {
          @Override
          public void sessionEvent(Session session, Event event) {
            if (event == Event.Authenticated) {
              logins.incrementAndGet();
            }
          }
        });
    server.start();
  }

  private boolean takes(String line) {
    received.add(line);
    return drops.getAndUpdate(left -> Math.max(0, left - 1)) == 0;
  }

  private boolean isOurs(String key) {
    try (var files = Files.newDirectoryStream(directory, "*.pub")) {
      for (Path file : files) {
        if (Files.readString(file).startsWith(key)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a private key, and its public half next to it so that the server lets it in. */
  Path writeKey(String name, int type, int bits, String passphrase)
      throws JSchException, IOException {
    KeyPair pair =
        bits == 0
            ? KeyPair.genKeyPair(new JSch(), type)
            : KeyPair.genKeyPair(new JSch(), type, bits);
    Path file = directory.resolve(name);
    pair.writeOpenSSHv1PrivateKey(
        file.toString(), passphrase == null ? null : passphrase.getBytes(StandardCharsets.UTF_8));
    pair.writePublicKey(file + ".pub", name);
    return file;
  }

  Path writeKnownHosts(String name, java.security.KeyPair key) throws IOException {
    return Files.writeString(
        directory.resolve(name),
        "[127.0.0.1]:" + port() + " " + PublicKeyEntry.toString(key.getPublic()) + "\n");
  }

  static java.security.KeyPair newHostKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How a client that is let in connects. */
  public Connection connection() {
    return knowing(directory.resolve("known_hosts"));
  }

  /** How a client with another file of known host keys connects. */
  Connection knowing(Path knownHosts) {
    return Connection.to(
        "127.0.0.1", SshLogin.of("root", port(), directory.resolve("id_test"), knownHosts));
  }

  int port() {
    return server.getPort();
  }

  java.security.KeyPair hostKey() {
    return hostKey;
  }

  String fingerprint() {
    return KeyUtils.getFingerPrint(hostKey.getPublic());
  }

  /** The lines that were given to the shell, in order. */
  List<String> received() {
    return List.copyOf(received);
  }

  int logins() {
    return logins.get();
  }

  /** The next commands are received, but the connection breaks instead of an answer. */
  void dropNext(int commands) {
    drops.set(commands);
  }

  /** Lets commands find the programs of a directory before those of the machine. */
  public void withTools(Path programs) {
    tools = Optional.of(programs);
  }

  /** Breaks all connections. */
  void dropConnections() {
    server.getActiveSessions().forEach(session -> session.close(true));
  }

  @Override
  public void close() throws IOException {
    server.stop(true);
  }
}
