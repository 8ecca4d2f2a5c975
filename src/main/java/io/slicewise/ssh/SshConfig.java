package io.slicewise.ssh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of the user's {@code ~/.ssh/config} that a connection needs. The library's own reader
 * knows neither {@code Include} nor {@code Match} and lets the second of two equal {@code Host}
 * lines win, so the file is read here, by the rules of ssh_config(5): the first value of a key
 * wins. {@code Match} blocks other than {@code Match all} are ignored.
 */
final class SshConfig {
  private static final int DEEPEST_INCLUDE = 16;

  /** A key and its value, and the host patterns of its section; none = every host. */
  private record Line(List<String> patterns, String key, String value) {}

  private final SshHome home;
  private final List<Line> lines = new ArrayList<>();

  private SshConfig(SshHome home) {
    this.home = home;
  }

  static SshConfig read(SshHome home) {
    SshConfig config = new SshConfig(home);
    config.include(home.directory().resolve("config"), List.of("*"), 0);
    return config;
  }

  /** Returns the first value of a key for a host. */
  Optional<String> first(String host, String key) {
    return all(host, key).stream().findFirst();
  }

  /** Returns all values of a key for a host, in the order of the file. */
  List<String> all(String host, String key) {
    String wanted = key.toLowerCase(Locale.ROOT);
    return lines.stream()
        .filter(line -> line.key.equals(wanted) && matches(line.patterns, host))
        .map(Line::value)
        .toList();
  }

  private void include(Path file, List<String> outer, int depth) {
    if (!Files.isRegularFile(file) || depth > DEEPEST_INCLUDE) {
      return;
    }
    List<String> patterns = outer;
    for (String text : textOf(file)) {
      String[] parts = text.strip().split("[=\\s]\\s*=?\\s*", 2);
      if (parts.length < 2 || parts[0].startsWith("#")) {
        continue;
      }
      String key = parts[0].toLowerCase(Locale.ROOT);
      String value = parts[1].strip().replaceAll("^\"(.*)\"$", "$1");
      switch (key) {
        case "host" -> patterns = List.of(value.replace("\"", "").split("\\s+"));
        case "match" -> patterns = value.equals("all") ? List.of("*") : List.of();
        case "include" -> {
          for (Path included : filesOf(value)) {
            include(included, patterns, depth + 1);
          }
        }
        default -> lines.add(new Line(patterns, key, value));
      }
    }
  }

  private List<Path> filesOf(String value) {
    return Stream.of(value.split("\\s+")).flatMap(pattern -> glob(pattern).stream()).toList();
  }

  private List<Path> glob(String pattern) {
    boolean anchored = pattern.startsWith("~") || pattern.startsWith("/");
    Path path = anchored ? home.expand(pattern) : home.directory().resolve(pattern);
    if (path.getParent() == null || !Files.isDirectory(path.getParent())) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(path.getParent(), path.getFileName().toString())) {
      files.forEach(found::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted().toList();
  }

  private static List<String> textOf(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** Whether a host matches patterns, by the rules of ssh_config(5) and sshd(8). */
  static boolean matches(List<String> patterns, String host) {
    boolean matched = false;
    for (String pattern : patterns) {
      if (pattern.startsWith("!") && fits(pattern.substring(1), host)) {
        return false;
      }
      matched |= fits(pattern, host);
    }
    return matched;
  }

  private static boolean fits(String pattern, String host) {
    String regex =
        pattern
            .chars()
            .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)))
            .collect(Collectors.joining());
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE).matcher(host).matches();
  }

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
}
