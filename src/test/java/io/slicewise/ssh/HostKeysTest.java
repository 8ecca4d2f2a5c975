package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.ssh.RemoteShellException.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the rule that only a host whose key is on file is talked to, and nothing is asked. */
class HostKeysTest {
  @TempDir Path directory;
  private SshTestServer server;

  @BeforeEach
  void start() throws Exception {
    server = SshTestServer.start(directory);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void refusesUnknownKeyWithItsFingerprint() throws Exception {
    Path empty = Files.createFile(directory.resolve("empty"));
    assertRefused(
        server.knowing(empty),
        e -> {
          assertThat(e.kind()).isEqualTo(Kind.HOST_KEY_UNKNOWN);
          assertThat(e).hasMessageContaining(server.fingerprint());
          assertThat(e.hint())
              .contains("ssh -p " + server.port() + " -i ")
              .contains("'UserKnownHostsFile=" + empty + "' root@127.0.0.1'");
        });
    assertThat(empty).isEmptyFile();
    assertThat(server.received()).isEmpty();
  }

  @Test
  void refusesWhenThereIsNoKnownHostsFile() {
    assertRefused(
        server.knowing(directory.resolve("missing")),
        e -> assertThat(e.kind()).isEqualTo(Kind.HOST_KEY_UNKNOWN));
  }

  @Test
  void refusesChangedKeyWithItsFingerprint() throws Exception {
    Path other = server.writeKnownHosts("other", SshTestServer.newHostKey());
    String before = Files.readString(other);
    assertRefused(
        server.knowing(other),
        e -> {
          assertThat(e.kind()).isEqualTo(Kind.HOST_KEY_CHANGED);
          assertThat(e).hasMessageContaining(server.fingerprint());
          assertThat(e.hint()).contains("ssh-keygen -R '[127.0.0.1]:" + server.port() + "'");
        });
    assertThat(other).hasContent(before);
  }

  @Test
  void acceptsHashedEntry() throws Exception {
    Path hashed = directory.resolve("hashed");
    Files.writeString(
        hashed,
        hash("[127.0.0.1]:" + server.port())
            + " "
            + PublicKeyEntry.toString(server.hostKey().getPublic())
            + "\n");
    try (RemoteShell shell = Shells.open(server.knowing(hashed))) {
      assertThat(shell.run(Command.reading("true")).succeeded()).isTrue();
    }
  }

  @Test
  void callsARevokedKeyRevoked() throws Exception {
    String key = PublicKeyEntry.toString(server.hostKey().getPublic());
    String name = "[127.0.0.1]:" + server.port();
    List<String> files =
        List.of(
            "@revoked " + name + " " + key + "\n",
            "@revoked * " + key + "\n" + name + " " + key + "\n",
            name + " " + key + "\n@revoked " + hash(name) + " " + key + "\n");
    for (String text : files) {
      Path revoked = Files.writeString(directory.resolve("revoked"), text);
      assertRefused(
          server.knowing(revoked),
          e -> {
            assertThat(e.kind()).as(text).isEqualTo(Kind.HOST_KEY_REVOKED);
            assertThat(e).hasMessageContaining("revoked", server.fingerprint());
            assertThat(e.hint()).contains("@revoked").doesNotContain("ssh-keygen -R");
          });
    }
    Path other =
        Files.writeString(
            directory.resolve("other"),
            name + " " + key + "\n@revoked elsewhere.example " + key + "\n");
    Shells.open(server.knowing(other)).close();
  }

  private static String hash(String name) throws Exception {
    byte[] salt = new byte[20];
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(salt, "HmacSHA1"));
    Base64.Encoder base64 = Base64.getEncoder();
    return "|1|"
        + base64.encodeToString(salt)
        + "|"
        + base64.encodeToString(mac.doFinal(name.getBytes(StandardCharsets.UTF_8)));
  }

  private static void assertRefused(Connection connection, Consumer<RemoteShellException> checks) {
    assertThatThrownBy(() -> Shells.open(connection))
        .isInstanceOfSatisfying(RemoteShellException.class, checks);
  }
}
