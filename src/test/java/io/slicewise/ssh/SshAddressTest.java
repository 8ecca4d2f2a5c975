package io.slicewise.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.ssh.SshConfig.SshHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protects {@code restore --host}: an address finds its own runs and no others. */
class SshAddressTest {
  @TempDir Path home;

  @BeforeEach
  void configure() throws IOException {
    Files.createDirectory(home.resolve(".ssh"));
    Files.writeString(
        home.resolve(".ssh/config"),
        """
        Host dom0
          HostName 10.0.0.1
          Port 2222
        Host bench
          HostName %h.example
        """);
  }

  private boolean finds(String typed, String recorded) {
    SshHome at = new SshHome(home, "nobody", home.resolve("none"), Optional.empty());
    return SshAddress.of(recorded).leadsWhere(SshAddress.typed(typed, at));
  }

  @ParameterizedTest
  @CsvSource({
    "dom0, root@10.0.0.1:2222",
    "root@dom0, root@10.0.0.1:2222",
    "bench, root@bench.example:22",
    "BENCH.example, root@bench.example:22",
    "10.0.0.1, root@10.0.0.1:2222",
    "10.0.0.1:22, root@10.0.0.1:22",
    "localhost, root@127.0.0.1:22",
    "::1, root@::1:22",
    "[::1]:22, root@::1:22",
    "localhost, localhost"
  })
  void findsTheSamePlaceHoweverItIsWritten(String typed, String recorded) {
    assertThat(finds(typed, recorded)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, root@10.0.0.11:22",
    "0.0.0.1, root@10.0.0.1:22",
    "dom0, root@10.0.0.1:22",
    "10.0.0.1:22, root@10.0.0.1:2222",
    "example, root@bench.example:22",
    "root, root@10.0.0.1:22"
  })
  void findsNoOtherPlace(String typed, String recorded) {
    assertThat(finds(typed, recorded)).isFalse();
  }

  @Test
  void aNameThatNoServerKnowsIsOnlyItself() {
    assertThat(finds("xen.invalid", "root@xen.invalid:22")).isTrue();
    assertThat(finds("xen.invalid", "root@other.invalid:22")).isFalse();
  }
}
