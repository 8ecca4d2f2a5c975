package io.slicewise.ssh;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The locations of this user's SSH files.
 *
 * @param home the user's home directory, for {@code ~}
 * @param systemKnownHosts the machine-wide known_hosts file
 * @param agentSocket the agent's socket, if any
 */
record SshHome(Path home, String user, Path systemKnownHosts, Optional<Path> agentSocket) {
  static SshHome ofThisUser() {
    return new SshHome(
        Path.of(System.getProperty("user.home")),
        System.getProperty("user.name"),
        Path.of("/etc/ssh/ssh_known_hosts"),
        Optional.ofNullable(System.getenv("SSH_AUTH_SOCK"))
            .filter(socket -> !socket.isBlank())
            .map(Path::of));
  }

  Path directory() {
    return home.resolve(".ssh");
  }

  /** Expands a path of SSH's files: {@code ~} is the home directory. */
  Path expand(String path) {
    String expanded = path.replace("%d", home.toString());
    if (expanded.equals("~") || expanded.startsWith("~/")) {
      return home.resolve(expanded.substring(Math.min(2, expanded.length())));
    }
    return home.resolve(expanded);
  }
}
