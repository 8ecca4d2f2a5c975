package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The archive of this build, unpacked into a read-only directory with a blank in its path, and a
 * user who may read it: another one where the tests run as root.
 */
public final class Installation {
  /** An experiment on the lab that takes seconds. */
  static final String TINY =
      """
      name: tiny
      lab: {scheduler: credit}
      domains: {main: [Apache_Server]}
      profiles:
        - {name: heavy, scheduler: credit, main: {weight: 512}}
      workload: web-app
      users: [2]
      repetitions: 1
      ramp: 0s
      warm-up: 500ms
      measure: 1s
      cool-down: 0s
      limits: {errors: 50%, generator-cpu: 100%, other-work: 100%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%,
               repeat-invalid: 0}
      """;

  private static final Path BUILD = Path.of(System.getProperty("slicewise.home", "."), "target");
  private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

  private final Path home;
  private final Path user;

  private Installation(Path home, Path user) {
    this.home = home;
    this.user = user;
  }

  /** What a program printed, on both streams, and how it ended. */
  public record Ended(int exit, String output) {}

  /** Unpacks the archive below a directory. */
  public static Installation in(Path directory) throws Exception {
    Path place = Files.createDirectories(directory.resolve("read only"));
    run(Map.of(), "tar", "-xzf", archive().toString(), "-C", place.toString());
    try (Stream<Path> unpacked = Files.list(place)) {
      Path home = unpacked.findFirst().orElseThrow();
      run(Map.of(), "chmod", "-R", "a-w", place.toString());
      Path user = Files.createDirectories(directory.resolve("user"));
      if (ROOT) {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        run(Map.of(), "chown", "nobody", user.toString());
      }
      return new Installation(home, user);
    }
  }

  /** Returns a file of this build by the beginning and the end of its name. */
  public static Path built(String begin, String end) throws IOException {
    try (Stream<Path> files = Files.list(BUILD)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(begin))
          .filter(file -> file.toString().endsWith(end))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no %s…%s in %s".formatted(begin, end, BUILD)));
    }
  }

  private static Path archive() throws IOException {
    return built("slicewise-", ".tar.gz");
  }

  /** Makes the directory removable again. */
  public void release() throws Exception {
    run(Map.of(), "chmod", "-R", "u+w", home.getParent().toString());
  }

  public Path home() {
    return home;
  }

  /** The home directory of the user. */
  public Path user() {
    return user;
  }

  /** Runs the launcher as the user. */
  public Ended slicewise(String... arguments) throws Exception {
    return launched(home.resolve("slicewise"), arguments);
  }

  /** Runs a launcher as the user. */
  public Ended launched(Path launcher, String... arguments) throws Exception {
    List<String> words = new ArrayList<>();
    if (ROOT) {
      words.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
    }
    words.add(launcher.toString());
    words.addAll(List.of(arguments));
    return ended(Map.of("HOME", user.toString()), words);
  }

  /** Runs a program that must succeed and returns what it printed. */
  public static String run(Map<String, String> environment, String... words) throws Exception {
    Ended ended = ended(environment, List.of(words));
    assertThat(ended.exit()).as(ended.output()).isZero();
    return ended.output();
  }

  static Ended ended(Map<String, String> environment, List<String> words) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("XDG_"));
    builder.environment().putAll(environment);
    environment.values().stream()
        .filter(value -> Files.isDirectory(Path.of(value)))
        .forEach(value -> builder.directory(Path.of(value).toFile()));
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  /** Returns every file below a directory with its size and time. */
  public static List<String> listing(Path directory) throws Exception {
    return run(Map.of(), "find", directory.toString(), "-printf", "%P %s %T@ %m\n")
        .lines()
        .sorted()
        .toList();
  }

  /** Returns the names of the files in a directory. */
  public static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
