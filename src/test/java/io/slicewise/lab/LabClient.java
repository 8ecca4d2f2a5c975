package io.slicewise.lab;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.ssh.Shells;
import io.slicewise.ssh.SshLogin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** Talks to a lab as the product does: over SSH, with its own client. */
public final class LabClient implements AutoCloseable {
  private final Lab lab;
  private final RemoteShell shell;

  private LabClient(Lab lab, RemoteShell shell) {
    this.lab = lab;
    this.shell = shell;
  }

  static LabClient start(LabOptions options) {
    Lab lab = Lab.start(options);
    return new LabClient(lab, open(lab));
  }

  /** Signs in to a lab's control domain. */
  public static RemoteShell open(Lab lab) {
    return Shells.open(connection(lab, lab.privateKey()));
  }

  static Connection connection(Lab lab, Path key) {
    return Connection.to("127.0.0.1", SshLogin.of("root", lab.sshPort(), key, lab.knownHosts()));
  }

  Lab lab() {
    return lab;
  }

  RemoteShell shell() {
    return shell;
  }

  /** Runs a script as a person's shell would: pipes, lists and loops. */
  CommandResult runScript(String script) {
    return shell.run(
        new Command(List.of("sh", "-c", script), Duration.ofSeconds(20), Command.Effect.CHANGES));
  }

  /** Runs a simple command, split and quoted again on the way. */
  CommandResult run(String line) {
    return shell.run(new Command(words(line), Duration.ofSeconds(20), Command.Effect.CHANGES));
  }

  private static List<String> words(String line) {
    return Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+")
        .matcher(line)
        .results()
        .map(word -> word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"))
        .toList();
  }

  /** Returns when a line prints that; a host that is down meanwhile is waited for. */
  void await(String line, String printed) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInSameThread()
        .ignoreExceptionsInstanceOf(RemoteShellException.class)
        .until(() -> output(line).contains(printed));
  }

  /** Standard output of a line. */
  String output(String line) {
    return run(line).standardOutput();
  }

  @Override
  public void close() {
    shell.close();
    lab.close();
  }
}
