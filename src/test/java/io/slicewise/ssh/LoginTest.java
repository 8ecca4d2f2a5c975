package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jcraft.jsch.KeyPair;
import io.slicewise.ssh.RemoteShellException.Kind;
import io.slicewise.ssh.SshConfig.SshHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects how a machine is reached: keys from files and from the agent, the user's SSH
 * configuration, jump hosts, and a refusal that says which of them failed and the way out.
 */
class LoginTest {
  @TempDir Path directory;
  @TempDir Path home;
  private SshTestServer server;

  @BeforeEach
  void start() throws Exception {
    server = SshTestServer.start(directory);
    Files.createDirectory(home.resolve(".ssh"));
    Files.copy(directory.resolve("known_hosts"), home.resolve(".ssh/known_hosts"));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private SshHome home(Optional<Path> agent) {
    return new SshHome(home, "nobody", home.resolve("no_system_known_hosts"), agent);
  }

  private void configure(String text) throws IOException {
    Files.writeString(home.resolve(".ssh/config"), text);
  }

  private void assertWorks(Connection connection, SshHome at) {
    try (RemoteShell shell = Shells.open(connection, at)) {
      assertThat(shell.run(Command.reading("echo", "in")).standardOutput()).isEqualTo("in\n");
    }
  }

  @Test
  void takesTheUserFromTheAddressUnlessTheLoginHasOne() {
    Connection typed = Connection.to("root@127.0.0.1", SshLogin.DEFAULT);
    assertThat(typed).isEqualTo(Connection.to("127.0.0.1", login("root")));
    assertThat(Connection.to("root@127.0.0.1", login("bench")))
        .isEqualTo(Connection.to("127.0.0.1", login("bench")));
  }

  @Test
  void takesThePortFromTheAddressUnlessTheLoginHasOne() {
    SshLogin onPort =
        new SshLogin(Optional.of("root"), OptionalInt.of(2222), Optional.empty(), Optional.empty());
    for (String typed : List.of("root@127.0.0.1:2222", "root@[127.0.0.1]:2222")) {
      assertThat(Connection.to(typed, SshLogin.DEFAULT))
          .isEqualTo(Connection.to("127.0.0.1", onPort));
    }
    assertThat(Connection.to("rack:22", onPort)).isEqualTo(Connection.to("rack", onPort));
    assertThat(Connection.to("::1", SshLogin.DEFAULT).address()).isEqualTo("::1");
    assertThat(Connection.to("root@[::1]:2222", SshLogin.DEFAULT))
        .isEqualTo(Connection.to("::1", onPort));
    for (String none :
        List.of("rack:", "rack:0", "rack:99999", "rack:ssh", "", "-oX", "root@", "a b")) {
      assertThatThrownBy(() -> Connection.to(none, SshLogin.DEFAULT))
          .hasMessage("'" + none + "' is not the address of a machine");
    }
  }

  private static SshLogin login(String user) {
    return new SshLogin(Optional.of(user), OptionalInt.empty(), Optional.empty(), Optional.empty());
  }

  @Test
  void theWayToAnUnknownHostKeyGoesThroughTheAlias() throws IOException {
    configure("Host rack\n  HostName 127.0.0.1\n  Port " + server.port() + "\n  User root\n");
    Files.writeString(home.resolve(".ssh/known_hosts"), "");
    assertRefused(
        Connection.to("rack", SshLogin.DEFAULT),
        home(Optional.empty()),
        e -> assertThat(e.hint()).contains("connect once with 'ssh rack' to add it"));
  }

  private void assertRefused(
      Connection connection, SshHome at, Consumer<RemoteShellException> checks) {
    assertThatThrownBy(() -> Shells.open(connection, at))
        .isInstanceOfSatisfying(RemoteShellException.class, checks);
  }

  private Connection keyless() {
    return keyless(server.port());
  }

  private static Connection keyless(int port) {
    return Connection.to("127.0.0.1", login(Optional.of("root"), port, Optional.empty()));
  }

  private Connection with(Path key) {
    return Connection.to("127.0.0.1", login(Optional.of("root"), server.port(), Optional.of(key)));
  }

  private static SshLogin login(Optional<String> user, int port, Optional<Path> key) {
    return new SshLogin(user, OptionalInt.of(port), key, Optional.empty());
  }

  @Test
  void logsInWithRsaKey() throws Exception {
    Path key = server.writeKey("id_rsa_test", KeyPair.RSA, 2048, null);
    assertWorks(with(key), home(Optional.empty()));
  }

  @Test
  void logsInWithKeyOfDefaultName() throws Exception {
    Path key = server.writeKey("id_ecdsa", KeyPair.ECDSA, 256, null);
    Files.copy(key, home.resolve(".ssh/id_ecdsa"));
    assertWorks(keyless(), home(Optional.empty()));
  }

  @Test
  void logsInThroughTheAgentWithKeyThatFilesCannotGive() throws Exception {
    Path key = server.writeKey("id_locked", KeyPair.ECDSA, 256, "secret");
    try (AgentForTests agent = AgentForTests.holding(key, "secret", home.resolve("agent"))) {
      assertWorks(with(key), home(Optional.of(agent.socket())));
      assertThat(agent.signatures()).isPositive();
    }
  }

  @Test
  void saysThatKeyIsProtectedWhenNoAgentHoldsIt() throws Exception {
    Path key = server.writeKey("id_locked", KeyPair.ECDSA, 256, "secret");
    assertRefused(
        with(key),
        home(Optional.of(home.resolve("gone"))),
        e -> {
          assertThat(e.kind()).isEqualTo(Kind.LOGIN_REFUSED);
          assertThat(e).hasMessageContaining(key + " is protected by a passphrase");
          assertThat(e.hint()).contains("ssh-add");
        });
  }

  @Test
  void saysHowManyKeysWereRefused() throws Exception {
    Path key = server.writeKey("id_other", KeyPair.ECDSA, 256, null);
    Files.delete(directory.resolve("id_other.pub"));
    assertRefused(
        with(key),
        home(Optional.empty()),
        e -> {
          assertThat(e.kind()).isEqualTo(Kind.LOGIN_REFUSED);
          assertThat(e).hasMessageContaining("none of 1 keys was accepted");
        });
  }

  @Test
  void saysThatNothingListens() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    assertRefused(
        keyless(port),
        home(Optional.empty()),
        e -> {
          assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
          assertThat(e).hasMessageContaining("cannot be reached");
        });
  }

  @Test
  void givesUpOnMachineThatNeverAnswers() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      assertRefused(
          new Connection(
              "127.0.0.1", keyless(silent.getLocalPort()).login(), Duration.ofMillis(200)),
          home(Optional.empty()),
          e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
    }
  }

  @Test
  void givesUpOnMachineThatTalksBeforeItsVersionForEver() throws Exception {
    try (ServerSocket talker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> talk =
          CompletableFuture.runAsync(
              () -> {
                byte[] line = "welcome to this machine\r\n".getBytes(StandardCharsets.UTF_8);
                try (Socket caller = talker.accept()) {
                  while (true) {
                    caller.getOutputStream().write(line);
                  }
                } catch (IOException gone) {
                  assertThat(gone).isNotNull();
                }
              });
      assertRefused(
          new Connection(
              "127.0.0.1", keyless(talker.getLocalPort()).login(), Duration.ofMillis(300)),
          home(Optional.empty()),
          e -> {
            assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT);
            assertThat(e).hasMessageContaining("signing in took longer than 300ms");
          });
      talk.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void readsAliasFromTheConfiguration() throws Exception {
    Files.writeString(
        home.resolve(".ssh/rack"),
        """
        Host xen?
          HostName 127.0.0.1
          Port %d
          IdentityFile %s
        """
            .formatted(server.port(), directory.resolve("id_test")));
    configure(
        """
        # first value wins
        Host !xen9 xen*
            User=root
        Match exec "true"
            User wrong
        Host *
            User nobody
            Port 1
        Include ra*k
        Host xen*
            Port %d
        """
            .formatted(server.port()));
    // "Port 1" of "Host *" comes first, as with ssh itself; a port of one's own wins.
    assertWorks(
        Connection.to("xen1", login(Optional.empty(), server.port(), Optional.empty())),
        home(Optional.empty()));
  }

  @Test
  void checksHostKeyUnderItsAlias() throws Exception {
    configure(
        """
        Host dom0
          HostName 127.0.0.1
          Port %d
          User root
          IdentityFile %s
          HostKeyAlias rack-7
          UserKnownHostsFile %s
        """
            .formatted(server.port(), directory.resolve("id_test"), directory.resolve("by_alias")));
    assertRefused(
        Connection.to("dom0", SshLogin.DEFAULT),
        home(Optional.empty()),
        e -> assertThat(e.kind()).isEqualTo(Kind.HOST_KEY_UNKNOWN));
    String line = Files.readString(directory.resolve("known_hosts"));
    Files.writeString(directory.resolve("by_alias"), line.replaceFirst("^\\S+", "rack-7"));
    assertWorks(Connection.to("dom0", SshLogin.DEFAULT), home(Optional.empty()));
  }

  @Test
  void goesThroughJumpHosts(@TempDir Path other) throws Exception {
    try (SshTestServer gate = SshTestServer.start(other)) {
      Path known = home.resolve(".ssh/known_hosts");
      Files.writeString(
          known, Files.readString(known) + Files.readString(other.resolve("known_hosts")));
      configure(
          """
          Host gate
            HostName 127.0.0.1
            Port %d
            User root
            IdentityFile %s
          Host dom0
            HostName 127.0.0.1
            Port %d
            User root
            IdentityFile %s
            ProxyJump gate
          """
              .formatted(
                  gate.port(),
                  other.resolve("id_test"),
                  server.port(),
                  directory.resolve("id_test")));
      assertWorks(Connection.to("dom0", SshLogin.DEFAULT), home(Optional.empty()));
      assertThat(gate.logins()).isEqualTo(1);
      assertThat(server.logins()).isEqualTo(1);
      assertThat(gate.received()).isEmpty();
    }
  }

  @Test
  void refusesJumpsThatLeadInCircle() throws Exception {
    configure("Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n");
    assertRefused(
        Connection.to("a", SshLogin.DEFAULT),
        home(Optional.empty()),
        e -> assertThat(e).hasMessageContaining("in a circle"));
  }
}
