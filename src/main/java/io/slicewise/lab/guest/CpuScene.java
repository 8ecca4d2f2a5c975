package io.slicewise.lab.guest;

import io.slicewise.lab.daemon.LabKeys;
import io.slicewise.lab.daemon.SshDaemon;
import io.slicewise.lab.fault.FaultScript;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The first guest has an SSH server, for root with a key, and can sort. */
final class CpuScene implements Scene {
  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public Map<String, Integer> guests() {
    return Map.of("Sort_Server", 1);
  }

  @Override
  public Servers open(Stage stage) {
    Path directory = stage.directory().resolve("sort-server");
    try {
      HostFiles files = new HostFiles(Files.createDirectories(directory).resolve("root"));
      LabKeys keys = LabKeys.in(directory);
      SshDaemon daemon =
          new SshDaemon(
              keys,
              Set.of(Invocation.ROOT),
              files,
              new FaultScript(List.of()),
              fault -> {},
              stage.port());
      try {
        daemon.up(SortingShell.of(files, stage));
        Path knownHosts = directory.resolve("known_hosts");
        Files.writeString(knownHosts, daemon.knownHostsLine() + "\n");
        return new Play(daemon, keys.clientFile(), knownHosts);
      } catch (IOException | RuntimeException fault) {
        daemon.close();
        throw fault;
      }
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's sorting guest could not start", fault);
    }
  }

  private record Play(SshDaemon daemon, Path identity, Path knownHosts) implements Servers {
    @Override
    public Map<String, Object> options() {
      return Map.of(
          "guest", "127.0.0.1",
          "guest-user", "root",
          "guest-port", daemon.port(),
          "guest-identity", identity.toString(),
          "guest-known-hosts", knownHosts.toString());
    }

    @Override
    public void close() {
      daemon.close();
    }
  }
}
