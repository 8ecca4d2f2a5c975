package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.Installation.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects what a release consists of, each form installed where there is no Java: unpacked, by apt
 * in a bare Debian, and as the root of an image.
 */
@Tag("released")
class ReleaseTest {
  private static final Path RELEASE =
      Path.of(System.getProperty("slicewise.home", "."), "target/release");

  private static final String KEY = "releases@slicewise.invalid";

  /** Runs what follows as a user of a Debian. */
  private static final String USER =
      "cd /home/user; HOME=/home/user setpriv --reuid=1000 --regid=1000 --clear-groups ";

  @TempDir private Path directory;

  @Test
  void checksumsListEveryFile() throws Exception {
    Installation.run(
        Map.of(), "sh", "-c", "cd '%s' && sha256sum --check --quiet SHA256SUMS".formatted(RELEASE));
    Set<String> listed =
        Files.readAllLines(RELEASE.resolve("SHA256SUMS")).stream()
            .map(line -> line.substring(66))
            .collect(Collectors.toCollection(TreeSet::new));
    try (Stream<Path> files = Files.walk(RELEASE)) {
      assertThat(
              files
                  .filter(Files::isRegularFile)
                  .map(file -> RELEASE.relativize(file).toString())
                  .filter(name -> !name.equals("SHA256SUMS")))
          .containsExactlyInAnyOrderElementsOf(listed);
    }
  }

  @Test
  void archiveWithARuntimeNeedsNoJavaAndStartsFastAtOnce() throws Exception {
    Path archive = only("-linux-", ".tar.xz");
    Instant start = Instant.now();
    Installation.run(Map.of(), "tar", "-xf", archive.toString(), "-C", directory.toString());
    Path home;
    try (Stream<Path> unpacked = Files.list(directory)) {
      home = unpacked.findFirst().orElseThrow();
    }
    Path moved = Files.move(home, directory.resolve("moved to a place with blanks"));
    Map<String, String> bare = bare();
    Path launcher = moved.resolve("slicewise");
    assertThat(Installation.run(bare, launcher.toString(), "--version")).contains(version());
    print("archive: seconds to the first screen", start);
    assertThat(fromTheArchive(moved)).as("classes that no archive holds").isLessThan(100);
    assertThat(Installation.names(directory.resolve("user"))).isEmpty();

    Path file = Files.writeString(directory.resolve("tiny.yaml"), Installation.TINY);
    Ended run =
        Installation.ended(
            bare, List.of(launcher.toString(), "run", "--anyway", "--plain", file.toString()));
    assertThat(run.exit()).as(run.output()).isIn(CommandLines.measured());
    print("archive: seconds to a finished run", start);
  }

  /** Returns how many classes the help loads from jars. */
  private long fromTheArchive(Path home) throws Exception {
    Path log = directory.resolve("classes");
    Map<String, String> environment = bare();
    environment.put("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);
    Installation.run(environment, home.resolve("slicewise").toString(), "--help");
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains(" source: file:")).count();
    }
  }

  @Test
  void aptInstallsItIntoABareDebianAndLeavesOnlyRuns() throws Exception {
    assumeTrue(root() && Files.isExecutable(Path.of("/usr/sbin/debootstrap")), "needs debootstrap");
    Path debian = directory.resolve("debian");
    Ended made =
        Installation.ended(
            Map.of(), List.of("debootstrap", "--variant=minbase", "bookworm", debian.toString()));
    assumeTrue(made.exit() == 0, "no Debian could be downloaded: " + made.output());
    Path served = Files.createDirectories(debian.resolve("srv/apt"));
    copy(RELEASE.resolve("apt"), served);
    Files.writeString(
        debian.resolve("etc/apt/sources.list"), "deb [trusted=yes] file:/srv/apt ./\n");

    Instant start = Instant.now();
    inside(debian, "apt-get -qq update && apt-get -qq -y install slicewise </dev/null");
    assertThat(inside(debian, "slicewise --version")).contains(version());
    print("apt: seconds to the first screen", start);
    inside(debian, "apt-get -qq -y install slicewise-lab </dev/null");
    Files.writeString(debian.resolve("srv/tiny.yaml"), Installation.TINY);
    inside(debian, "useradd --create-home --uid 1000 user && echo 127.0.0.1 localhost >/etc/hosts");
    // Whatever it ends with on a busy machine, the run is there.
    inside(debian, USER + "slicewise run --anyway --plain /srv/tiny.yaml || true");
    assertThat(inside(debian, USER + "slicewise status")).contains("tiny-");
    print("apt: seconds to a finished run", start);

    upgrade(debian);
    assertThat(inside(debian, "dpkg-query -W -f '${Version}' slicewise")).endsWith(next());
    assertThat(inside(debian, USER + "slicewise status")).contains("tiny-");
    inside(debian, "apt-get -qq -y purge slicewise slicewise-lab </dev/null");
    assertThat(
            inside(
                debian,
                "find / -xdev -iname '*slicewise*' -not -path '/srv/*' -not -path '/var/lib/apt/*' | sort"))
        .isEqualToIgnoringNewLines("/home/user/.cache/slicewise/home/user/.local/state/slicewise");
  }

  /** Upgrades to the same program under the version that follows, from a signed repository. */
  private void upgrade(Path debian) throws Exception {
    Path next = Files.createDirectories(directory.resolve("next"));
    for (Path file : List.of(only("slicewise_", "_amd64.deb"), only("slicewise-lab_", ".deb"))) {
      String content = next.resolve("content-" + file.getFileName()).toString();
      Installation.run(Map.of(), "dpkg-deb", "-R", file.toString(), content);
      String control = content + "/DEBIAN/control";
      Installation.run(
          Map.of(),
          "sed",
          "-i",
          "-e",
          "s/^Version: .*/Version: %s/".formatted(next()),
          "-e",
          "s/(= [^)]*)/(= %s)/".formatted(next()),
          control);
      Installation.run(
          Map.of(),
          "dpkg-deb",
          "-Zgzip",
          "-b",
          content,
          next.resolve(file.getFileName()).toString());
    }
    Path keys = Files.createDirectories(directory.resolve("keys"));
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rwx------"));
    Map<String, String> signing =
        Map.of("GNUPGHOME", keys.toString(), "SOURCE_DATE_EPOCH", "1800000000");
    String[] key = {
      "gpg", "--batch", "--passphrase", "", "--quick-gen-key", KEY, "ed25519", "sign", "1d"
    };
    Installation.run(Map.of("GNUPGHOME", keys.toString()), key);
    String script = RELEASE.getParent().resolveSibling("src/build/release/apt.sh").toString();
    Installation.run(signing, script, next.toString(), "amd64", KEY);
    copy(next.resolve("apt"), Files.createDirectories(debian.resolve("srv/next")));
    Files.writeString(
        debian.resolve("etc/apt/sources.list"),
        "deb [signed-by=/srv/next/slicewise.asc check-valid-until=no check-date=no] file:/srv/next ./\n");
    inside(debian, "apt-get update && apt-get -qq -y upgrade </dev/null");
  }

  @Test
  void imageHoldsAllThatTheProgramNeeds() throws Exception {
    assumeTrue(root(), "only root can change the root directory");
    Path layout = Files.createDirectories(directory.resolve("layout"));
    Installation.run(
        Map.of(), "tar", "-xf", only("-oci-", ".tar").toString(), "-C", layout.toString());
    JsonNode manifest = blob(layout, read(layout.resolve("index.json")).at("/manifests/0"));
    JsonNode config = blob(layout, manifest.path("config"));
    assertThat(config.at("/config/Entrypoint/0").asText()).isEqualTo("/opt/slicewise/slicewise");
    Path image = Files.createDirectories(directory.resolve("image"));
    String layer = manifest.at("/layers/0/digest").asText().replace(":", "/");
    Installation.run(
        Map.of(),
        "tar",
        "-xpzf",
        layout.resolve("blobs/" + layer).toString(),
        "-C",
        image.toString());
    Files.writeString(image.resolve("work/tiny.yaml"), Installation.TINY);
    Instant start = Instant.now();
    Files.createDirectories(image.resolve("proc"));
    Files.createDirectories(image.resolve("dev"));
    List<String> words =
        new ArrayList<>(
            rooted(image, "chroot", "--userspec=1000:1000", image.toString(), "env", "-i"));
    config.at("/config/Env").forEach(variable -> words.add(variable.asText()));
    assertThat(started(words, "--version")).contains(version());
    print("image: seconds to the first screen", start);
    assertThat(started(words, "run", "--anyway", "--plain", "/work/tiny.yaml"))
        .contains("/state/slicewise/results/tiny-");
    print("image: seconds to a finished run", start);
  }

  private static String started(List<String> chroot, String... arguments) throws Exception {
    List<String> words = new ArrayList<>(chroot);
    words.add("/opt/slicewise/slicewise");
    words.addAll(List.of(arguments));
    Ended ended = Installation.ended(Map.of(), words);
    assertThat(ended.exit()).as(ended.output()).isIn(CommandLines.measured());
    return ended.output();
  }

  private Map<String, String> bare() throws IOException {
    Path user = Files.createDirectories(directory.resolve("user"));
    return new HashMap<>(
        Map.of("HOME", user.toString(), "PATH", "/usr/bin:/bin", "JAVA_HOME", "/nonexistent"));
  }

  /**
   * Returns the words that run a program in another root directory; what is mounted there is seen
   * by that program alone.
   */
  private static List<String> rooted(Path root, String... words) {
    String script =
        "mount --bind '%1$s' '%1$s' && cd '%1$s' && mount --rbind /proc proc && mount --rbind /dev dev && exec \"$@\""
            .formatted(root);
    return Stream.concat(
            Stream.of("unshare", "--mount", "sh", "-c", script, "sh"), Stream.of(words))
        .toList();
  }

  private static String inside(Path root, String script) throws Exception {
    return Installation.run(
        Map.of("HOME", "/root", "PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
        rooted(root, "chroot", root.toString(), "/bin/sh", "-c", script).toArray(String[]::new));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static JsonNode blob(Path layout, JsonNode descriptor) throws IOException {
    return read(layout.resolve("blobs/" + descriptor.path("digest").asText().replace(":", "/")));
  }

  private static JsonNode read(Path file) throws IOException {
    return Json.mapper().readTree(file.toFile());
  }

  private static Path only(String part, String end) throws IOException {
    try (Stream<Path> files = Files.list(RELEASE)) {
      return files
          .filter(file -> file.getFileName().toString().contains(part))
          .filter(file -> file.toString().endsWith(end))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String version() {
    return "slicewise " + System.getProperty("slicewise.version");
  }

  /** Returns the Debian version that follows: a release follows its snapshots. */
  private static String next() {
    String version = System.getProperty("slicewise.version");
    String released = version.replace("-SNAPSHOT", "");
    return released.equals(version) ? version + "+1" : released;
  }

  private static boolean root() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static void print(String what, Instant start) {
    System.out.printf("%s %.1f%n", what, Duration.between(start, Instant.now()).toMillis() / 1e3);
  }
}
