package io.slicewise.lab.replay;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.lab.daemon.LabKeys;
import io.slicewise.lab.daemon.SshDaemon;
import io.slicewise.lab.fault.LabFault.FaultScript;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.run.recording.HostAnswer;
import io.slicewise.run.recording.HostRecording;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/** An SSH server on loopback that answers as the host of a recorded run did. */
public final class ReplayLab implements AutoCloseable {
  private final LabKeys keys;
  private final SshDaemon daemon;
  private final Path knownHosts;
  private final int commands;

  private ReplayLab(Path run, Path directory, int port) throws IOException {
    List<HostAnswer> answers = HostRecording.read(run);
    if (answers.isEmpty()) {
      throw SlicewiseException.input(
          "the run %s has no recording of its host's answers (%s)"
              .formatted(run.getFileName(), HostRecording.NAME),
          "it was made before Slicewise recorded them, or was not measured on a host");
    }
    commands = answers.size();
    Files.createDirectories(directory);
    HostFiles files = new HostFiles(directory.resolve("dom0"));
    for (HostAnswer one : answers) {
      place(run, one, files);
    }
    keys = LabKeys.in(directory);
    daemon =
        new SshDaemon(
            keys, Set.of(Invocation.ROOT), files, new FaultScript(List.of()), fault -> {}, port);
    daemon.up(new RecordedHost(answers));
    knownHosts = directory.resolve("known_hosts");
    Files.writeString(knownHosts, daemon.knownHostsLine() + "\n");
  }

  /**
   * Starts the server.
   *
   * @param run the run's directory
   * @param directory receives keys and the files that the host sent
   * @param port to listen on; 0 for any
   * @throws SlicewiseException if the run has no recording
   */
  public static ReplayLab start(Path run, Path directory, int port) {
    try {
      return new ReplayLab(run, directory, port);
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab could not start", fault);
    }
  }

  /** Puts a file that the host sent where it was; one that the run no longer has is left out. */
  private static void place(Path run, HostAnswer sent, HostFiles files) throws IOException {
    Path plain = run.resolve(sent.file()).normalize();
    if (sent.file().isEmpty() || !plain.startsWith(run)) {
      return;
    }
    Path packed = plain.resolveSibling(plain.getFileName() + ".gz");
    Path target = files.locate(sent.words().get(0));
    Files.createDirectories(target.getParent());
    if (Files.isRegularFile(packed)) {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
        Files.write(target, in.readAllBytes());
      }
    } else if (Files.isRegularFile(plain)) {
      Files.write(target, Files.readAllBytes(plain));
    }
  }

  public int port() {
    return daemon.port();
  }

  /** Returns how many answers were recorded. */
  public int answers() {
    return commands;
  }

  public Path privateKey() {
    return keys.clientFile();
  }

  public Path knownHosts() {
    return knownHosts;
  }

  @Override
  public void close() {
    daemon.close();
  }
}
