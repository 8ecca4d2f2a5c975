package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.host.groups.RealGroups;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs the shortened {@code bench/groups.sh} on real control groups of this machine: sweeps and
 * sessions of a web server, kills of all kinds, and changes by others, none of which may leave a
 * setting other than as found.
 */
@Tag("nightly")
@ResourceLock("/var/run/slicewise.lock")
class GroupsBenchTest {
  private static final Path HOME = Path.of(System.getProperty("slicewise.home"));

  @TempDir private Path directory;

  @Test
  void leavesTheGroupsAsFoundWhateverHappens() throws IOException, InterruptedException {
    RealGroups.with().close();
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/nginx")), "nginx is not installed");
    Path log = directory.resolve("log");
    ProcessBuilder bench =
        new ProcessBuilder("bash", HOME.resolve("bench/groups.sh").toString(), "--short")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    try (ServerSocket free = new ServerSocket(0)) {
      bench.environment().put("GROUPS_PORT", "" + free.getLocalPort());
    }
    bench.environment().put("GROUPS_OUT", directory.resolve("out").toString());
    Process running = bench.start();
    boolean ended = running.waitFor(30, TimeUnit.MINUTES);
    running.destroy();
    String printed = Files.readString(log);
    assertThat(ended && running.exitValue() == 0).as(printed).isTrue();
    assertThat(printed)
        .contains(
            "as found after the sessions",
            "as found after the trials",
            "as found after apply and restore",
            "as found after the kills",
            "as found after the kill",
            "exit code 23 after: weight web 444",
            "as found after a foreign weight, with --force",
            "replaced by another guest of that name",
            "a process was moved to",
            "as found after a process that was moved and moved back");
  }
}
